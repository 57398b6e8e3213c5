"""``fabtriage cache``: what earlier runs kept to be quicker the next time."""

from __future__ import annotations

import argparse
from pathlib import Path

from analyzer import user_cache
from analyzer.errors import OutputError

_KEPT = ("databases/*.db", "databases/.part-*", "rulebook-*.msgpack", ".part-*")
"""What runs write below the cache folder; nothing else there is touched."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("action", choices=["clear"], help="clear: remove the kept search databases and rules")


def run(_: argparse.Namespace) -> int:
    """Remove what earlier runs kept and say how much that was."""
    folder = user_cache.folder()
    files = [file for pattern in _KEPT for file in folder.glob(pattern) if _own(file, folder)]
    size_bytes = sum(file.lstat().st_size for file in files)
    for file in files:
        _remove(file)
    print(f"removed {len(files)} files, {size_bytes / 1e6:.1f} MB, from {folder}")
    return 0


def _own(file: Path, folder: Path) -> bool:
    """Whether the file really lies there: links that lead out of the cache are not followed."""
    linked = file.parent != folder and file.parent.is_symlink()
    return not linked and (file.is_symlink() or file.is_file())


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        remedy = "remove it by hand"
        raise OutputError(error.strerror or str(error), where=str(file), remedy=remedy) from error
