"""``show_gids``: GID tables of a host's ports."""

from __future__ import annotations

from parsers import show_gids

TABLE = b"""DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV
---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---
mlx5_0\t1\t0\tfe80:0000:0000:0000:0e42:a1ff:fe00:0210\t\t\tv1\tens1f0np0
mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:0a28:000b\t10.40.0.11  \tv2\tens1f0np0
mlx5_4\t1\t0\tfe80:0000:0000:0000:02aa:0003:00c0:0001\t\t\tv1
n_gids_found=3
"""


def test_an_address_mapped_entry_is_read_whole() -> None:
    row = show_gids.parse(TABLE, "x").rows[1]
    assert (row.line, dict(row.values)) == (
        4,
        {
            "device": "mlx5_0",
            "port": 1,
            "port_id": "mlx5_0/1",
            "index": 3,
            "gid": "0000:0000:0000:0000:0000:ffff:0a28:000b",
            "ipv4": "10.40.0.11",
            "version": "v2",
            "link_local": False,
            "netdev": "ens1f0np0",
        },
    )


def test_link_local_entries_are_marked_and_have_no_address() -> None:
    row = show_gids.parse(TABLE, "x").rows[0]
    assert (row.values["link_local"], "ipv4" in row.values, row.values["version"]) == (True, False, "v1")


def test_an_infiniband_entry_has_no_interface() -> None:
    assert "netdev" not in show_gids.parse(TABLE, "x").rows[2].values


def test_blanks_instead_of_tabs_change_nothing() -> None:
    pasted = TABLE.replace(b"\t", b"    ")
    assert [row.values for row in show_gids.parse(pasted, "x").rows] == [
        row.values for row in show_gids.parse(TABLE, "x").rows
    ]


def test_missing_entries_are_noticed() -> None:
    (problem,) = show_gids.parse(TABLE.replace(b"found=3", b"found=4"), "x").problems
    assert problem.line == 6


def test_the_titles_decide_the_format() -> None:
    assert show_gids.sniff(TABLE, "x") is not None
    assert show_gids.sniff(b"mlx5_0 1 0 fe80::1 v1\n", "show_gids.txt") is None
