"""Where the shipped rules are: in the wheel, in a checkout, or where the user says."""

from __future__ import annotations

import os
from pathlib import Path

from analyzer.errors import UsageError

VARIABLE = "FABTRIAGE_RULES"
_PACKAGE = Path(__file__).resolve().parent.parent
_SHIPPED = (_PACKAGE / "_rules", _PACKAGE.parent / "rules")


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


def _existing(folder: Path, origin: str) -> Path:
    if not folder.is_dir():
        raise UsageError(f"{origin} is no folder", where=str(folder), remedy="name a folder that holds rule files")
    return folder
