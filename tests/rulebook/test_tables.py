from __future__ import annotations

from analyzer.model.tables import PLACE
from analyzer.rulebook import tables


def test_tables_of_parsers_and_derived_tables_are_found_by_name() -> None:
    declared = tables.declared()

    assert {"ib_links", "slurm_nodes", "otdr_events", "link_pairs"} <= set(declared)
    assert all(spec.name == name for name, spec in declared.items())


def test_only_the_node_of_the_place_columns_is_declared_again() -> None:
    place = {column.name for column in PLACE} - {"node"}

    assert {
        name: place & set(spec.names()) for name, spec in tables.declared().items() if place & set(spec.names())
    } == {}


def test_families_are_those_that_formats_carry() -> None:
    assert {"kernel", "slurm", "nccl", "fabric"} <= tables.families()
