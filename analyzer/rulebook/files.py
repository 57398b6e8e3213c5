"""The files of rule folders: which there are, what each holds, and a hash of them all."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from analyzer.errors import RuleError

Kind = Literal["cause", "events", "benign", "actions", "consequences", "sources", "collect", "vocabulary", "catalogue"]

_SHARED: dict[str, Kind] = {
    "actions.yaml": "actions", "consequences.yaml": "consequences", "sources.yaml": "sources",
    "collect.yaml": "collect", "causes.toml": "vocabulary",
}  # fmt: skip
_PER_AREA: dict[str, Kind] = {"events.yaml": "events", "benign.yaml": "benign"}


class RuleFile(NamedTuple):
    """One file of a rule folder.

    Attributes:
        path: The file as messages name it.
        relative: Its place inside the folder, with forward slashes.
        kind: What it holds, by its name.
        folder: Index of the rule folder it belongs to.
        data: Its bytes.
    """

    path: str
    relative: str
    kind: Kind
    folder: int
    data: bytes

    @property
    def stem(self) -> str:
        """File name without folder and ending."""
        return Path(self.relative).stem


def collect(directories: Sequence[Path]) -> list[RuleFile]:
    """Read every rule file of the folders, in the order of folders and names.

    Raises:
        RuleError: A folder or file cannot be read.
    """
    found: list[RuleFile] = []
    for folder, directory in enumerate(directories):
        if not directory.is_dir():
            raise RuleError([f"{directory}:1: no such rule folder"])
        for relative in _listed(directory):
            kind = _kind(relative)
            if kind is not None:
                path = f"{directory}{os.sep}{relative}"
                found.append(RuleFile(path, relative, kind, folder, _bytes(path)))
    return found


def revision(files: Iterable[RuleFile]) -> str:
    """Hash of all names and contents, as 16 hexadecimal digits; the folders' own places do not matter."""
    digest = hashlib.blake2b(digest_size=8)
    for file in files:
        digest.update(f"{file.folder}/{file.relative}:{len(file.data)}\n".encode())
        digest.update(file.data)
    return digest.hexdigest()


def _listed(directory: Path) -> list[str]:
    try:
        return _names(directory)
    except OSError as error:
        raise RuleError([f"{error.filename or directory}:1: cannot be read: {error.strerror}"]) from error


def _names(directory: Path) -> list[str]:
    """Files at the top and one folder below, sorted; hidden names are left out."""
    found: list[str] = []
    for entry in os.scandir(directory):
        if entry.name.startswith("."):
            continue
        if entry.is_file():
            found.append(entry.name)
        elif entry.is_dir():
            below = (inner for inner in os.scandir(entry.path) if inner.is_file() and inner.name[0] != ".")
            found.extend(f"{entry.name}/{inner.name}" for inner in below)
    return sorted(found)


def _kind(relative: str) -> Kind | None:
    name = relative.rpartition("/")[2]
    if relative in _SHARED:
        return _SHARED[relative]
    if name in _PER_AREA:
        return _PER_AREA[name]
    if name.endswith((".yaml", ".yml")):
        return "cause"
    return "catalogue" if name.endswith(".csv") else None


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - Path objects cost a third of a warm load
            return stream.read()
    except OSError as error:
        raise RuleError([f"{path}:1: cannot be read: {error.strerror}"]) from error
