"""Derived tables of Slurm: RPC rates, reasons of nodes, clock skew from refused credentials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from analyzer.facts.derived import credential_refusals, credential_skew, sdiag_rates, slurm_reasons
from analyzer.facts.store import polars_schema, table_schema
from analyzer.model.tables import Column, TableSpec
from parsers._sdiag import SDIAG_RPC
from parsers._slurm import SLURM_NODES


def table(spec: TableSpec, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    columns = polars_schema(table_schema(spec))
    return pl.DataFrame([dict.fromkeys(columns) | dict(row) for row in rows], schema=columns)


def events(fields: tuple[str, ...], rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    return table(TableSpec("events", "", tuple(Column(name, "str", "") for name in fields)), rows)


def call(at_s: float, name: str, count: int, total_us: int, since_s: float = 0.0, line: int = 1) -> dict[str, Any]:
    return {
        "source": 0, "line": line, "at_s": at_s, "since_s": since_s, "kind": "user", "name": name, "user": name,
        "number": 1, "count": count, "total_us": total_us,
    }  # fmt: skip


def rates(*rows: dict[str, Any]) -> list[tuple[Any, ...]]:
    found = sdiag_rates.derive({"sdiag_rpc": table(SDIAG_RPC, rows)})
    return found.select("name", "basis", "calls", "calls_per_s", "busy", "share", "latest").rows()


def test_one_output_is_measured_since_its_counters_began() -> None:
    assert rates(call(20.0, "jtan", 40, 60_000_000), call(20.0, "root", 10, 20_000_000)) == [
        ("jtan", "since", 40, 2.0, 3.0, 0.75, True),
        ("root", "since", 10, 0.5, 1.0, 0.25, True),
    ]


def test_the_second_output_is_measured_against_the_first() -> None:
    assert rates(call(30.0, "jtan", 100, 8_000_000), call(20.0, "jtan", 40, 6_000_000), call(30.0, "new", 5, 0)) == [
        ("jtan", "since", 40, 2.0, 0.3, 1.0, False),
        ("jtan", "difference", 60, 6.0, 0.2, 1.0, True),
        ("new", "difference", 5, 0.5, 0.0, 0.0, True),
    ]


def test_counters_that_began_anew_are_not_subtracted() -> None:
    assert [row[1] for row in rates(call(20.0, "a", 40, 9), call(130.0, "a", 10, 9, since_s=100.0))] == ["since"] * 2


def test_the_same_output_twice_counts_once() -> None:
    assert len(rates(call(20.0, "jtan", 40, 9), call(20.0, "jtan", 40, 9, line=7))) == 1


def test_an_output_at_the_begin_of_its_period_has_no_rate() -> None:
    assert rates(call(20.0, "jtan", 40, 9, since_s=20.0)) == []


def node(reason: str, user: str | None = "slurm", **more: Any) -> dict[str, Any]:
    return {"source": 0, "line": 3, "host": "gpu-a1", "block": 0, "reason": reason, "reason_user": user} | more


def reasons(*rows: dict[str, Any]) -> pl.DataFrame:
    return slurm_reasons.derive({"slurm_nodes": table(SLURM_NODES, rows)})


def test_a_reason_is_split_and_its_numbers_are_read() -> None:
    text = "Low RealMemory (reported:24105 < 90.00% of configured:515000), gres/gpu count too low (7 < 8), Low CPUs"

    assert reasons(node(text, reason_cut=False)).select("kind", "reported", "configured").rows() == [
        ("Low RealMemory", 24_105.0, 515_000.0),
        ("gres/gpu count too low", 7.0, 8.0),
        ("Low CPUs", None, None),
    ]


def test_who_set_the_reason_tells_slurm_from_people() -> None:
    found = reasons(
        node("Not responding", host="a"),
        node("Kill task failed", "root", host="b"),
        node("dimm swap", "root", host="c"),
        node("Prolog error", None, host="d"),
    )

    assert found["automatic"].to_list() == [True, True, False, None]


def test_only_the_last_part_can_be_cut() -> None:
    assert reasons(node("Low CPUs, gres/gpu c", reason_cut=True))["cut"].to_list() == [False, True]


def test_a_node_in_two_partitions_has_its_reason_once() -> None:
    assert reasons(node("Prolog error", line=3), node("Prolog error", line=4))["line"].to_list() == [3]


def skews(encoded: str, decoded: str, *, decoded_line: int = 2, message_line: int = 4) -> list[tuple[Any, ...]]:
    found = credential_skew.derive(
        {
            "slurm.credential_encoded": events(("at",), [{"source": 0, "line": 1, "at": encoded}]),
            "slurm.credential_decoded": events(("at",), [{"source": 0, "line": decoded_line, "at": decoded}]),
            "slurm.authentication_error": events(
                ("peer", "rpc"), [{"source": 0, "line": message_line, "peer": "gpu-d03", "rpc": "REQUEST_PING"}]
            ),
        }
    )
    return found.select("line", "peer", "skew_s").rows()


def test_the_sender_is_behind() -> None:
    assert skews("Mon Jan 19 05:47:44 2026", "Mon Jan 19 06:02:44 2026") == [(1, "gpu-d03", 900.0)]


def test_the_sender_is_ahead() -> None:
    assert skews("Mon Jan 19 06:02:46 2026", "Mon Jan 19 05:47:46 2026") == [(1, "gpu-d03", -900.0)]


def test_times_that_munge_could_not_read_say_nothing() -> None:
    assert skews("Wed Dec 31 23:59:59 1969", "Wed Dec 31 23:59:59 1969") == []


def test_times_that_do_not_belong_together_are_no_pair() -> None:
    assert skews("Mon Jan 19 05:47:44 2026", "Mon Jan 19 06:02:44 2026", decoded_line=9) == []


def test_a_message_far_below_names_no_sender() -> None:
    assert skews("Mon Jan 19 05:47:44 2026", "Mon Jan 19 06:02:44 2026", message_line=40) == [(1, None, 900.0)]


def test_a_refused_credential_belongs_to_the_message_named_below_it() -> None:
    refused = [{"source": 0, "line": 5, "error": "Invalid"}, {"source": 0, "line": 40, "error": "Expired"}]
    message = {"source": 0, "line": 8, "peer": "gpu-d03", "rpc": "MESSAGE_NODE_REGISTRATION_STATUS"}

    found = credential_refusals.derive(
        {
            "slurm.credential_refused": events(("error",), refused),
            "slurm.authentication_error": events(("peer", "rpc"), [message]),
        }
    )

    assert found.select("line", "error", "peer").rows() == [(5, "Invalid", "gpu-d03"), (40, "Expired", None)]
