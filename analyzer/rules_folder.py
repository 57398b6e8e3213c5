"""The folder of the rules: where it is, and those tables of it that stages read for themselves."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from analyzer.errors import RuleError, UsageError

Record = TypeVar("Record")

VARIABLE = "FABTRIAGE_RULES"
_PACKAGE = Path(__file__).resolve().parent
_SHIPPED = (_PACKAGE / "_rules", _PACKAGE.parent / "rules")
"""The copy inside the installed package, and the folder of a checkout."""


def rules_dir(explicit: Path | None = None) -> Path:
    """Find the folder of the rules.

    Args:
        explicit: Folder the caller asks for; wins over everything else.

    Returns:
        The first that is given or exists: ``explicit``, the variable ``FABTRIAGE_RULES``, the copy inside the
        installed package, the checkout's ``rules/``.

    Raises:
        UsageError: The folder asked for is none, or the installation holds no rules.
    """
    variable = os.environ.get(VARIABLE)
    if explicit is not None:
        return _existing(explicit, "rules folder")
    if variable:
        return _existing(Path(variable), VARIABLE)
    for folder in _SHIPPED:
        if folder.is_dir():
            return folder
    raise UsageError(
        "the installation holds no rules", where=str(_SHIPPED[0]), remedy=f"install again, or set {VARIABLE}"
    )


def table(name: str, shape: type[Record]) -> Record:
    """Read a TOML file of the rules folder into a typed record; a folder without it is filled up from the shipped one.

    Raises:
        RuleError: The file is missing or does not have the shape.
    """
    file = next((folder / name for folder in _folders() if (folder / name).is_file()), None)
    if file is None:
        raise RuleError([f"{name}: not found in the rules folder"])
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), shape)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise RuleError([f"{name}: {error}"]) from error


def _folders() -> Iterator[Path]:
    variable = os.environ.get(VARIABLE)
    if variable:
        yield Path(variable)
    yield from _SHIPPED


def _existing(folder: Path, origin: str) -> Path:
    if not folder.is_dir():
        raise UsageError(f"{origin} is no folder", where=str(folder), remedy="name a folder that holds rule files")
    return folder
