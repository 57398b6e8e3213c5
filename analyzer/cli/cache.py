"""``fabtriage cache``: what earlier runs kept to be quicker the next time."""

from __future__ import annotations

import argparse
from pathlib import Path

from analyzer.errors import OutputError

_KEPT = ("databases",)
"""Folders below the cache folder that runs write; nothing else there is touched."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("action", choices=["clear"], help="clear: remove the kept search databases")


def run(_: argparse.Namespace) -> int:
    """Remove what earlier runs kept and say how much that was."""
    from analyzer.scan.database import cache_folder

    folder = cache_folder()
    files = [file for name in _KEPT for file in _files(folder / name)]
    size_bytes = sum(file.lstat().st_size for file in files)
    for file in files:
        _remove(file)
    print(f"removed {len(files)} files, {size_bytes / 1e6:.1f} MB, from {folder}")
    return 0


def _files(folder: Path) -> list[Path]:
    if folder.is_symlink() or not folder.is_dir():
        return []
    return [entry for entry in folder.iterdir() if entry.is_symlink() or entry.is_file()]


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        remedy = "remove it by hand"
        raise OutputError(error.strerror or str(error), where=str(file), remedy=remedy) from error
