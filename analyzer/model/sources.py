"""Inputs as the analysis knows them: sources, their segments and what became of them."""

from __future__ import annotations

from typing import Literal

import msgspec

from analyzer.model.formats import Problem

Status = Literal["read", "partial", "unrecognised", "unreadable"]


class Segment(msgspec.Struct, frozen=True):
    """A run of lines of one source that share node, boot and clock.

    Attributes:
        index: Position among the source's segments.
        first_line: First line, from 1, in the numbering of the file the user sees.
        node: Node the lines belong to unless a line names its own host; None if unattributed.
        node_why: Why, e.g. ``folder nodes/cn012``, ``file name``, ``header line``.
        boot: Which boot of the node, from 0 in file order.
    """

    index: int
    first_line: int
    node: str | None = None
    node_why: str = ""
    boot: int = 0


class Source(msgspec.Struct, frozen=True):
    """One input: a file, or a member of an archive.

    Attributes:
        index: Position in the bundle; frames refer to it.
        path: Path relative to the input; inside an archive the path inside it; ``a.tar.gz!path`` for an archive
            nested in a folder.
        format: Name of the identified format, ``text`` for plain text of no known format, empty if unreadable.
        why: Why that format.
        families: Families of messages it may carry.
        lines: Lines read.
        size_bytes: Bytes read, after decompression.
        status: What became of it.
        problems: Damage met.
        modified_s: Modification time (epoch seconds) from the file system or archive, None if unknown.
        segments: At least one for every source that was read.
        layout: Kind of layout of a file that holds several sources (``transcript``, ``interleaved``); such sources
            share a path. Empty for a file that is one source.
        layout_why: What tells the layout.
        part: What the file calls this part of it, e.g. ``dmesg_-T``; empty if nothing.
        first_line: First line of the part in the file.
        last_line: Last line of the part; 0 for a file that is one source.
        file_lines: Lines of the whole file, 0 for a file that is one source.
        file_bytes: Bytes of the whole file, 0 for a file that is one source.
    """

    index: int
    path: str
    format: str
    why: str
    families: frozenset[str]
    lines: int = 0
    size_bytes: int = 0
    status: Status = "read"
    problems: tuple[Problem, ...] = ()
    modified_s: float | None = None
    segments: tuple[Segment, ...] = ()
    layout: str = ""
    layout_why: str = ""
    part: str = ""
    first_line: int = 1
    last_line: int = 0
    file_lines: int = 0
    file_bytes: int = 0
