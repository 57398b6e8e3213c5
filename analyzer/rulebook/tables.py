"""The tables and message families that parsers and derived tables declare, found by listing their folders."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import Any

import parsers
from analyzer.model.tables import TableSpec

_DERIVED = "analyzer.facts.derived"
_PLAIN_TEXT = frozenset({"text"})
"""Family of sources of no known format, which no parser declares."""


@cache
def declared() -> dict[str, TableSpec]:
    """Every declared table by name: those of parsers (``TABLES``) and the derived ones (``SPEC``)."""
    specs = [spec for module in _parsers() for spec in getattr(module, "TABLES", ())]
    specs += [spec for module in _derived() for spec in _specs(module)]
    return {spec.name: spec for spec in specs}


@cache
def families() -> frozenset[str]:
    """Every family of messages that some format may carry."""
    return _PLAIN_TEXT.union(*(module.FORMAT.families for module in _parsers() if hasattr(module, "FORMAT")))


@cache
def _parsers() -> tuple[Any, ...]:
    return tuple(importlib.import_module(f"{parsers.__name__}.{name}") for name in parsers.names())


def _derived() -> Iterator[Any]:
    """Modules of derived tables; imported by name, since facts is a later stage than rules."""
    package = importlib.import_module(_DERIVED)
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_"):
            yield importlib.import_module(f"{_DERIVED}.{module.name}")


def _specs(module: Any) -> tuple[TableSpec, ...]:
    spec = getattr(module, "SPEC", ())
    return (spec,) if isinstance(spec, TableSpec) else tuple(spec)
