"""Write the pages that are generated from declarations: formats and tables (parsers), causes (rules)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import parsers
from analyzer.model.formats import Format
from analyzer.model.tables import PLACE, Column, TableSpec
from analyzer.rulebook.load import load
from analyzer.rulebook.schema import Rulebook
from analyzer.rules_folder import rules_dir

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "generated"


def main() -> int:
    """Write all pages and name them."""
    modules = [importlib.import_module(f"parsers.{name}") for name in parsers.names()]
    declared = [module for module in modules if hasattr(module, "FORMAT")]
    tables = {table.name: table for module in declared for table in getattr(module, "TABLES", ())}
    rulebook = load([rules_dir()])
    pages = {
        "formats.md": _formats([(module.__name__, module.FORMAT) for module in declared]),
        "tables.md": _tables(tables[name] for name in sorted(tables)),
        "causes.md": _causes(rulebook),
    }
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, lines in pages.items():
        target = TARGET / name
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(target.relative_to(ROOT))
    return 0


def _formats(formats: Iterable[tuple[str, Format]]) -> Iterator[str]:
    yield from ("# Formats", "", "| name | what it is | kind | families | module |", "| --- | --- | --- | --- | --- |")
    for module, form in sorted(formats, key=lambda item: item[1].name):
        cells = (form.name, form.title, form.kind, ", ".join(sorted(form.families)), f"`{module}`")
        yield _row(cells)


def _tables(tables: Iterable[TableSpec]) -> Iterator[str]:
    yield from ("# Tables", "", "Every table and event frame begins with these columns:", "")
    yield from _columns(PLACE)
    for table in tables:
        state = "a state at the time of the dump" if table.snapshot else "rows have times of their own"
        yield from ("", f"## {table.name}", "", f"One row: {table.doc} ({state}).", "")
        yield from _columns(table.columns)


def _columns(columns: Iterable[Column]) -> Iterator[str]:
    yield from ("| column | type | what it holds | names a |", "| --- | --- | --- | --- |")
    for column in columns:
        yield _row((f"`{column.name}`", column.dtype, column.doc, column.entity))


def _causes(rulebook: Rulebook) -> Iterator[str]:
    yield from ("# Causes", "", "`fabtriage explain CAUSE` prints the whole page of one.", "")
    yield from ("| cause | severity | layer | what is wrong |", "| --- | --- | --- | --- |")
    for cause in sorted(rulebook.causes.values(), key=lambda cause: cause.cause):
        yield _row((f"`{cause.cause}`", cause.severity, cause.layer, cause.title))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    sys.exit(main())
