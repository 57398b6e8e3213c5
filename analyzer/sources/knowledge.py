"""Reads the data files of this stage from the shipped rules folder."""

from __future__ import annotations

import os
import pathlib
import tomllib
from typing import TypeVar

import msgspec

from analyzer.errors import RuleError

Record = TypeVar("Record")

_PACKAGE = pathlib.Path(__file__).resolve().parent.parent
_FOLDERS = (_PACKAGE / "_rules", _PACKAGE.parent / "rules")
_VARIABLE = "FABTRIAGE_RULES"


def load(name: str, shape: type[Record]) -> Record:
    """Read a TOML file of the rules folder into a typed record.

    Raises:
        RuleError: The file is missing or does not have the shape.
    """
    asked = os.environ.get(_VARIABLE)
    folders = (pathlib.Path(asked), *_FOLDERS) if asked else _FOLDERS
    for folder in folders:
        file = folder / name
        if file.is_file():
            break
    else:
        raise RuleError([f"{name}: not found in the rules folder"])
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), shape)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise RuleError([f"{name}: {error}"]) from error
