"""One module per log or dump format: pure functions of bytes and lines that import only ``analyzer.model``.

A module whose name does not begin with an underscore is a parser when it defines ``FORMAT``
(see ``analyzer.model.formats`` for what each kind must define). Nothing registers: ``names`` lists the folder.
"""

from __future__ import annotations

import pkgutil


def names() -> tuple[str, ...]:
    """Names of the parser modules, sorted; importing them is left to the caller."""
    found = (module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg)
    return tuple(sorted(name for name in found if not name.startswith("_")))
