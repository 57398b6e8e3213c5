"""Node descriptions, GUIDs and states as the fabric tools spell them."""

from __future__ import annotations

import pytest

from parsers import _fabric_text


@pytest.mark.parametrize(
    ("desc", "host", "hca", "switch"),
    [
        ("cn012 mlx5_0", "cn012", "mlx5_0", None),
        ("cn012 HCA-1", "cn012", "HCA-1", None),
        ("cn012.example.com mlx5_0", "cn012.example.com", "mlx5_0", None),
        ("rack7n3 ibp11s0f0", "rack7n3", "ibp11s0f0", None),
        ("cn012", "cn012", None, None),
        ("MF0;leaf-02:MQM8700/U1", None, None, "leaf-02"),
        ("MF0;core-a:MCS8500/L01/U1", None, None, "core-a/L01"),
        ("MF0;leaf-09:MQM9700/U4", None, None, "leaf-09"),
        ("Mellanox Technologies Aggregation Node", None, None, None),
        ("MT4129 ConnectX7   Mellanox Technologies", None, None, None),
        ("Quantum Mellanox Technologies", None, None, None),
        ("gp     :x mlx5_0", None, None, None),
        ("", None, None, None),
    ],
)
def test_a_description_names_a_host_with_its_adapter_or_a_switch(
    desc: str, host: str | None, hca: str | None, switch: str | None
) -> None:
    assert _fabric_text.node_name(desc) == (host, hca, switch)


def test_a_bare_name_of_a_switch_names_the_switch() -> None:
    assert _fabric_text.named("ib-i1l1s01", "switch").switch == "ib-i1l1s01"


@pytest.mark.parametrize("text", ["0x2aa00031f8a1c01", "0x02aa00031f8a1c01", "02AA00031F8A1C01"])
def test_guids_are_equal_whatever_their_padding(text: str) -> None:
    assert _fabric_text.guid(text) == "0x02aa00031f8a1c01"


@pytest.mark.parametrize("text", ["unknown", "", "0x", None, "0x11112222333344445"])
def test_what_is_no_guid_is_none(text: str | None) -> None:
    assert _fabric_text.guid(text) is None


@pytest.mark.parametrize("text", ["Initializing", "Initialize", "2: INIT", "PORT_INIT (2)", "INIT"])
def test_logical_states_have_one_spelling(text: str) -> None:
    assert _fabric_text.state(text) == "Initializing"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LinkUp", "LinkUp"),
        ("5: LinkUp", "LinkUp"),
        ("LINK_UP (5)", "LinkUp"),
        ("PORT_CONFIGURATION TRAINNING (4)", "Training"),
        ("PortConfigurationTraining", "Training"),
        ("LinkErrorRecovery", "ErrorRecovery"),
        ("???", "???"),
    ],
)
def test_physical_states_have_one_spelling(text: str, expected: str) -> None:
    assert _fabric_text.phys_state(text) == expected


def test_a_link_has_the_same_name_from_both_ends() -> None:
    assert _fabric_text.link_id("a/1", "b/2") == _fabric_text.link_id("b/2", "a/1") == "a/1 <-> b/2"


@pytest.mark.parametrize(
    "text",
    [
        "ibwarn: [7212] mad_rpc: _do_madrpc failed; dport (Lid 1)",
        "ibpanic: [1400444] main: stat of IB device 'mlx5_8' failed: No such file or directory",
        "./libibnetdisc/ibnetdisc.c:667; Duplicate Port: Port with guid 0x02aa000341d82b01 already exists in ports DB",
        "sminfo: iberror: failed: query",
        "bash: mlxlink: command not found",
        "[root@cn012 ~]# ibstat",
        "admin@cn012:~$ ibstat",
        "$ ibstat",
        "# taken before the reseat",
    ],
)
def test_messages_of_tools_and_shells_are_no_damage(text: str) -> None:
    assert _fabric_text.is_noise(text)


@pytest.mark.parametrize("text", ["rubbish", "rack 7 # 12", "price: $ 5", "State Active"])
def test_other_lines_are_not_explained_away(text: str) -> None:
    assert not _fabric_text.is_noise(text)


def test_numbers_beyond_64_bits_stop_at_the_largest() -> None:
    assert _fabric_text.whole("18446744073709551615") == _fabric_text.MAX_INT


def test_a_claim_is_weak_when_other_content_stands_first() -> None:
    strange = b"some other output\n" * 20
    assert _fabric_text.claim(97, "is known", strange + b"CA 'mlx5_0'\n", 21).score == 60
    assert _fabric_text.claim(97, "is known", b"[root@cn001 ~]# ibstat\n\nCA 'mlx5_0'\n", 3).score == 97
