"""The typed rulebook kept as msgpack in the user's cache, so that a start need not read YAML."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

import msgspec

from analyzer.rulebook.schema import Rulebook

VARIABLE = "FABTRIAGE_CACHE"
_CODE = ("schema.py", "document.py", "typed.py", "files.py", "draft.py", "columns.py", "lint.py")


def folder() -> Path:
    """The cache folder: ``FABTRIAGE_CACHE``, else ``fabtriage`` in the XDG cache folder. It need not exist."""
    explicit = os.environ.get(VARIABLE)
    if explicit:
        return Path(explicit)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fabtriage"


def name(revision: str, places: list[str]) -> str:
    """File name for one state of the rules, of where they are and of the code that reads them."""
    digest = hashlib.blake2b(revision.encode(), digest_size=12)
    for place in places:
        digest.update(place.encode(errors="surrogateescape") + b"\0")
    here = os.path.dirname(__file__)  # noqa: PTH120 - see files.py
    for module in _CODE:
        with contextlib.suppress(OSError), open(f"{here}/{module}", "rb") as stream:  # noqa: PTH123
            digest.update(stream.read())
    return f"rulebook-{digest.hexdigest()}.msgpack"


def get(key: str) -> Rulebook | None:
    """The rulebook stored under ``key``; None if there is none or it cannot be read."""
    try:
        data = (folder() / key).read_bytes()
        return msgspec.msgpack.decode(data, type=Rulebook)
    except (OSError, RuntimeError, msgspec.MsgspecError):
        return None


def put(key: str, rulebook: Rulebook) -> None:
    """Store a rulebook; a cache that cannot be written is left alone."""
    try:
        target = folder()
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        _forget_others(target, key)
        _write(target, key, msgspec.msgpack.encode(rulebook))
    except (OSError, RuntimeError):
        return


def _write(target: Path, key: str, data: bytes) -> None:
    import tempfile  # costs a start 5 ms that only reads the cache

    handle, temporary = tempfile.mkstemp(dir=target, prefix=".rulebook-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(temporary).replace(target / key)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


_KEPT = 8


def _forget_others(target: Path, key: str) -> None:
    """Keep the newest few states: each edit of a rule makes a new one."""
    old = [path for path in target.glob("rulebook-*.msgpack") if path.name != key]
    old.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in old[_KEPT:]:
        path.unlink(missing_ok=True)
