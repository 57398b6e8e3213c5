"""Caps on what a stranger's bundle may cost."""

from __future__ import annotations

import msgspec

MIB = 1 << 20


class Limits(msgspec.Struct, frozen=True):
    """Caps on one bundle; whatever was read before one is reached stays.

    Attributes:
        total_bytes: Bytes of all members together, after decompression.
        members: Number of members.
        ratio: Decompressed bytes per compressed byte, of one stream and of the bundle.
        ratio_floor_bytes: Output up to which the ratio is not judged; repetitive logs compress well.
        nesting: Levels of archives: 3 is a log in a node's archive, in a day's, in the one that was handed over.
        buffered_bytes: Members of a streamed archive up to this size are handed over in memory.
        held_bytes: Such members held in memory at a time; further ones must be read before the next is asked for.
        nested_zip_bytes: Largest zip file that is read from inside another archive (it must be held in memory).
    """

    total_bytes: int = 256 * 1024 * MIB
    members: int = 1_000_000
    ratio: int = 250
    ratio_floor_bytes: int = 256 * MIB
    nesting: int = 3
    buffered_bytes: int = 8 * MIB
    held_bytes: int = 48 * MIB
    nested_zip_bytes: int = 64 * MIB


CHOSEN_BY_USERS = ("total_bytes", "members", "ratio", "nesting", "nested_zip_bytes")
"""Limits that an option may raise or lower; the others only decide what is held in memory."""


def raised_by(name: str) -> str:
    """How a user lifts a limit, as it is added to the message that names it."""
    return f"raise with --limit {name}=N"
