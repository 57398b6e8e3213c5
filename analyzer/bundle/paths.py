"""Names of members: which are refused, how they are shown, and how several inputs are told apart."""

from __future__ import annotations

import os
import pathlib
import posixpath
import re
from collections import Counter
from collections.abc import Sequence

ARCHIVE_SUFFIX = re.compile(r"(?i)\.(?:tar(?:\.(?:gz|zst|xz|bz2))?|tgz|tzst|txz|tbz2?|zip)$")
_DRIVE = re.compile(r"^[A-Za-z]:")


def readable(name: str | bytes) -> str:
    r"""Turn a stored name into valid text: bytes that are not UTF-8 become ``\xNN``."""
    raw = name if isinstance(name, bytes) else name.encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "backslashreplace")


def refusal(name: str) -> str:
    """Say why a name stored in an archive is refused; empty if it is not."""
    slashed = name.replace("\\", "/")
    if slashed.startswith("/") or _DRIVE.match(slashed):
        return "absolute path inside an archive"
    if ".." in slashed.split("/"):
        return "path with .. inside an archive"
    if "\x00" in name or not slashed.strip("/."):
        return "empty or unusable name inside an archive"
    return ""


def tidy(name: str) -> str:
    """Drop ``./`` and doubled slashes of a stored name."""
    return posixpath.normpath(name.replace("\\", "/"))


def leaves(tree_path: str, target: str) -> bool:
    """Judge whether a link at ``tree_path`` (relative to the tree) points outside of it, by its text alone."""
    slashed = target.replace("\\", "/")
    if slashed.startswith("/") or _DRIVE.match(slashed):
        return True
    resolved = posixpath.normpath(posixpath.join(posixpath.dirname(tree_path), slashed))
    return resolved == ".." or resolved.startswith("../")


def without_archive_suffix(name: str) -> str:
    """Name of an archive without ``.tar.gz``, ``.zip`` and their like."""
    return ARCHIVE_SUFFIX.sub("", name)


def full_parts(path: pathlib.Path) -> tuple[str, ...]:
    """Readable components of the absolute path, ``.`` and ``..`` resolved by text, links not followed."""
    return tuple(readable(part) for part in pathlib.Path(os.path.normpath(path.absolute())).parts)


def labels(paths: Sequence[pathlib.Path]) -> tuple[str, ...]:
    """Shortest names by which several inputs can be told apart: their last component, or as many as are needed."""
    parts = [full_parts(path) for path in paths]
    chosen = [1] * len(parts)
    while True:
        names = ["/".join(whole[-count:]).lstrip("/") for whole, count in zip(parts, chosen, strict=True)]
        seen = Counter(names)
        longer = [i for i, name in enumerate(names) if seen[name] > 1 and chosen[i] < len(parts[i])]
        if not longer:
            return tuple(names)
        for index in longer:
            chosen[index] += 1
