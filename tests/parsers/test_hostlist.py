"""Host lists as Slurm prints them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.formats import Problem
from parsers._hostlist import MAX_HOSTS, Expander, expand


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("gpu-a[01-03,7]", ("gpu-a01", "gpu-a02", "gpu-a03", "gpu-a7")),
        ("cn[099-101]", ("cn099", "cn100", "cn101")),
        ("login1,cn[1-2],db01", ("login1", "cn1", "cn2", "db01")),
        ("r[1-2]n[1-2]", ("r1n1", "r1n2", "r2n1", "r2n2")),
        ("rack[1-2]-node.cluster.example", ("rack1-node.cluster.example", "rack2-node.cluster.example")),
        ("cn1,cn1", ("cn1",)),
        ("", ()),
        ("(null)", ()),
        ("None assigned", ()),
        ("cn[2-1]", ()),
        ("cn[a-b]", ()),
        ("cn[001-00", ()),
    ],
)
def test_expands_like_scontrol_show_hostnames(text: str, hosts: tuple[str, ...]) -> None:
    assert expand(text) == hosts


def test_a_huge_list_is_cut() -> None:
    assert len(expand("n[1-999999999]")) == MAX_HOSTS
    assert len(expand("a[1-999]b[1-999]c[1-999]")) == MAX_HOSTS


@given(st.text(alphabet="an1,[]- ", max_size=60))
def test_any_text_names_at_most_so_many_hosts(text: str) -> None:
    assert len(expand(text)) <= MAX_HOSTS


def test_all_lists_of_a_dump_share_a_limit() -> None:
    hosts = Expander(room=5)

    assert len(hosts.expand("n[1-3]")) == 3
    assert hosts.expand("m[1-3]") == ()
    assert hosts.problems() == (Problem("node lists left out, too many names", 0, 1),)
