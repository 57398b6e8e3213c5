"""The user's cache: where it is, and how a file is put there whole."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "FABTRIAGE_CACHE"


def folder() -> Path:
    """The cache folder: ``FABTRIAGE_CACHE``, else ``fabtriage`` in the XDG cache folder. It need not exist.

    Raises:
        RuntimeError: Neither is set and the user has no home.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fabtriage"


def keep(target: Path, content: bytes, most: int) -> None:
    """Write a file that appears at once or not at all, and forget the oldest files with the same ending.

    Args:
        target: The file; its folder exists.
        content: Its bytes.
        most: Files with that ending that are kept, this one included.

    Raises:
        OSError: It cannot be written.
    """
    import tempfile  # costs a start 5 ms that only reads the cache

    handle, part = tempfile.mkstemp(dir=target.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(part).replace(target)
    except OSError:
        Path(part).unlink(missing_ok=True)
        raise
    _forget_oldest(target, most)


def _forget_oldest(newest: Path, most: int) -> None:
    others = [file for file in newest.parent.glob(f"*{newest.suffix}") if file.name != newest.name]
    others.sort(key=lambda file: file.stat().st_mtime, reverse=True)
    for file in others[most - 1 :]:
        file.unlink(missing_ok=True)
