"""What a bundle consists of: members to be read, and what was refused and why."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Literal

import msgspec

from analyzer.bundle.streams import ByteStream


class Member(msgspec.Struct, frozen=True):
    """One file of the bundle, decompressed.

    Attributes:
        path: Path as reports cite it.
        opener: Makes a new stream over the bytes; use ``open``.
        size_bytes: Size after decompression, None if not known before reading.
        modified_s: Modification time in epoch seconds, None if unknown.
        file: The file on disk that holds exactly these bytes; None for anything compressed or inside an archive.
        streamed: True when it can be read only once and only before the next member is asked for.
    """

    path: str
    opener: Callable[[], ByteStream]
    size_bytes: int | None = None
    modified_s: float | None = None
    file: pathlib.Path | None = None
    streamed: bool = False

    def open(self) -> ByteStream:
        """Open the bytes: a context manager with ``readinto``, ``read`` and ``peek``.

        Its methods raise ``StreamCutError`` (an EOFError whose text is the reason) after the last byte of a member that
        is truncated, damaged or over a limit. Opening itself never fails: an unreadable file is a cut at byte 0.
        """
        return self.opener()


class Refused(msgspec.Struct, frozen=True):
    """Something in the bundle that is not read, or not to its end.

    Attributes:
        path: Path as reports cite it.
        reason: Why, in a few words.
        status: ``unreadable``: its content is missing; ``partial``: an archive of which earlier members were read;
            ``unrecognised``: nothing is missing (a link to something that is read under its own name).
    """

    path: str
    reason: str
    status: Literal["partial", "unrecognised", "unreadable"] = "unreadable"
