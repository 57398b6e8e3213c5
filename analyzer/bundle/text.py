"""Fetches single lines of members by number, in one further pass over a bundle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from analyzer.bundle.encoding import as_utf8
from analyzer.bundle.limits import Limits, StreamCutError
from analyzer.bundle.members import Member
from analyzer.bundle.open import open_bundle
from analyzer.bundle.streams import ByteStream

MAX_CHARACTERS = 1_000
BLOCK_BYTES = 1 << 20
_LONGEST_LINE_BYTES = 4 * MAX_CHARACTERS
_NEWLINE = 10


def read_lines(
    inputs: Sequence[str],
    wanted: Mapping[str, Iterable[int]],
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> dict[str, dict[int, str]]:
    """Fetch lines of members by number.

    Args:
        inputs: The inputs as given to ``open_bundle``.
        wanted: Line numbers, from 1, per member path.
        limits: Caps on what is read.

    Returns:
        Per path the text of each line that exists: decoded (byte order mark, else UTF-8 with replacement), without
        its end, cut at ``MAX_CHARACTERS``. Paths and lines that cannot be read are left out.

    Raises:
        InputError: An input does not exist.
    """
    missing = {path: sorted({line for line in lines if line > 0}) for path, lines in wanted.items()}
    missing = {path: lines for path, lines in missing.items() if lines}
    found: dict[str, dict[int, str]] = {}
    if not missing:
        return found
    with open_bundle(inputs, limits) as bundle:
        for item in bundle.members():
            if not isinstance(item, Member) or item.path not in missing:
                continue
            found[item.path] = lines_of(item, missing.pop(item.path))
            if not missing:
                break
    return found


def lines_of(member: Member, numbers: Sequence[int]) -> dict[int, str]:
    """Fetch lines of one member; ``numbers`` sorted, from 1."""
    found: dict[int, bytes] = {}
    waiting = list(reversed(numbers))
    line = 1
    with member.open() as opened:
        for block in _blocks(as_utf8(opened)):
            line = _collect(block, line, waiting, found)
            if not waiting:
                break
    return {number: _text(raw) for number, raw in found.items()}


def _blocks(stream: ByteStream) -> Iterator[memoryview]:
    buffer = bytearray(BLOCK_BYTES)
    view = memoryview(buffer)
    try:
        while size := stream.readinto(view):
            yield view[:size]
    except StreamCutError:
        return


def _collect(block: memoryview, line: int, waiting: list[int], found: dict[int, bytes]) -> int:
    """Add the parts of wanted lines that lie in the block; return the number of the line open at its end."""
    count = int(np.count_nonzero(np.frombuffer(block, np.uint8) == _NEWLINE))
    if waiting and waiting[-1] <= line + count:
        ends = np.flatnonzero(np.frombuffer(block, np.uint8) == _NEWLINE)
        while waiting and waiting[-1] <= line + count:
            number = waiting[-1]
            _append(block, ends, number - line, found, number)
            if number == line + count:
                break
            waiting.pop()
    return line + count


def _append(block: memoryview, ends: npt.NDArray[np.intp], index: int, found: dict[int, bytes], number: int) -> None:
    start = int(ends[index - 1]) + 1 if index else 0
    end = int(ends[index]) if index < len(ends) else len(block)
    if start == end == len(block):
        return
    have = found.get(number, b"")
    found[number] = have + bytes(block[start : min(end, start + _LONGEST_LINE_BYTES - len(have))])


def _text(raw: bytes) -> str:
    return raw.removesuffix(b"\r").decode("utf-8", "replace")[:MAX_CHARACTERS]
