from __future__ import annotations

import pytest

from analyzer.sources.stated_zones import StatedZones, zone_of_head

SLURM = frozenset({"slurm"})


@pytest.mark.parametrize(
    ("head", "offset_s"),
    [
        (b"****\nsdiag output at Fri Jan 16 22:23:20 2026 (1768623800)\n", -21600.0),
        (b"2026-01-08T16:24:06,381782-06:00 Linux version\n", -21600.0),
        ("sdiag output at Fri Jan 16 22:23:20 2026 (1768623800)\n".encode("utf-16"), -21600.0),
        (b"[2026-01-08T16:25:38.153] slurmctld version 22.05.8 started\n", None),
        (b"", None),
    ],
)
def test_the_head_of_a_source_states_its_zone(head: bytes, offset_s: float | None) -> None:
    assert zone_of_head(head, SLURM) == offset_s


def test_the_nearest_statement_counts() -> None:
    zones = StatedZones()
    zones.add("nodes/n1/slurmd.log", "n1", 0.0)
    zones.add("nodes/n2/slurmd.log", "n2", 0.0)
    zones.add("slurm/sdiag.txt", None, 3600.0)
    assert zones.nearest("nodes/n1/messages", "n1") == (0.0, "other sources of n1 (nodes/n1/slurmd.log)")
    assert zones.nearest("slurm/slurmctld.log", None) == (3600.0, "the same folder (slurm/sdiag.txt)")
    assert zones.nearest("job/slurm-1.out", None) == (0.0, "most of the bundle (nodes/n1/slurmd.log)")


def test_without_statements_nothing_is_known() -> None:
    assert StatedZones().nearest("slurm/slurmctld.log", None) is None
