"""Packs a folder in every form in which bundles are handed over."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import zstandard

INNER = "all.tar.gz"
"""Name of the archive inside the nested one."""


def tar_of(folder: Path) -> bytes:
    """The folder's files as a tar, paths relative to it."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for path in _files(folder):
            archive.add(path, str(path.relative_to(folder)))
    return target.getvalue()


def zip_of(folder: Path) -> bytes:
    """The folder's files as a deflated zip."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files(folder):
            archive.write(path, str(path.relative_to(folder)))
    return target.getvalue()


def nested_of(folder: Path) -> bytes:
    """A tar that holds a tar.gz of the folder's files."""
    inner = gzip.compress(tar_of(folder), 1)
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        info = tarfile.TarInfo(INNER)
        info.size = len(inner)
        archive.addfile(info, io.BytesIO(inner))
    return target.getvalue()


FORMS: dict[str, Callable[[Path], bytes]] = {
    "tar.gz": lambda folder: gzip.compress(tar_of(folder), 1),
    "tar.zst": lambda folder: zstandard.ZstdCompressor().compress(tar_of(folder)),
    "zip": zip_of,
    "tar": nested_of,
}
"""Packer by suffix; the one without compression is nested."""


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
