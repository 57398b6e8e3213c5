"""Forms of ``dmesg`` whose time stands elsewhere than on the message's line, read into lines with a stamp each.

One line is given for each line of the input, so that line numbers stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from parsers import _lines, _time
from parsers._journal_entry import folded

JSON_HEAD: Final = re.compile(
    rb'\s{0,20}\{\s{0,20}(?:"dmesg"\s{0,4}:\s{0,4}\[|"(?:pri|fac)"\s{0,4}:.{0,80}?"time"\s{0,4}:)'
)
RELATIVE: Final = re.compile(rb"\[ *\+(\d{1,8})\.(\d{1,9})\](?= |$)")
MINUTE: Final = re.compile(
    rb"\[(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ?(\d{1,2}) (\d\d:\d\d)(?::(\d\d\.\d{6}))?\]"
)
ESCAPED_END: Final = rb"\x0a"
_LONGEST_RECORD_LINES: Final = 40
_BRACKETS: Final = frozenset({b"", b"{", b"}", b"},{", b"},", b"]", b"]}", b"}]}", b"["})
_OPENING: Final = re.compile(rb'\s*\{?\s*"dmesg"\s*:\s*\[\s*')
_MESSAGE_KEY: Final = re.compile(rb'\s*"msg"\s*:')
_NEXT_RECORD: Final = re.compile(r"\n<\d{1,3}>\[")
_MINUTE_S: Final = 59.999999
_decode = msgspec.json.Decoder(dict[str, Any]).decode
_decode_all = msgspec.json.Decoder(list[dict[str, Any]]).decode


def from_json(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Read ``dmesg -J``, its records indented over several lines or one a line."""
    record: list[bytes] = []
    for line in lines:
        text = line.strip()
        if text.startswith(b'"') and not _OPENING.fullmatch(text) and len(record) < _LONGEST_RECORD_LINES:
            record.append(line)
            continue
        yield from _record(record)
        record = []
        yield b"" if text in _BRACKETS or _OPENING.fullmatch(text) else _on_one_line(line)
    yield from _record(record)


def _record(lines: list[bytes]) -> list[bytes]:
    """Lines of one record; those of a record that is no JSON are left as they are."""
    fields = _fields(b"{" + b"\n".join(lines).rstrip(b", \r\n") + b"}") if lines else None
    if fields is None:
        return lines
    return [_line(fields) if _MESSAGE_KEY.match(line) else b"" for line in lines]


def _on_one_line(line: bytes) -> bytes:
    start = _OPENING.match(line)
    text = line[start.end() if start else 0 :].strip().rstrip(b",").removesuffix(b"]}")
    if not text.startswith(b"{"):
        return line
    try:
        records = _decode_all(b"[" + text + b"]")
    except (msgspec.DecodeError, UnicodeDecodeError):
        return line
    return b"#012".join(_line(record) for record in records)


def _fields(body: bytes) -> dict[str, Any] | None:
    try:
        return _decode(body.decode("utf-8", "replace"))
    except msgspec.DecodeError:
        return None


def _line(fields: dict[str, Any]) -> bytes:
    message = fields.get("msg")
    time, priority = fields.get("time"), fields.get("pri")
    if not isinstance(message, str):
        return b""
    stamp = f"[{time:12.6f}] " if isinstance(time, int | float) and 0 <= time < 1e9 else ""
    level = f"<{priority}>" if isinstance(priority, int) and stamp else ""
    # dmesg -J -F of util-linux 2.38 gives each record the rest of the file.
    text = _NEXT_RECORD.split(message, maxsplit=1)[0]
    return f"{level}{stamp}".encode() + folded(text.encode("utf-8", "replace"))


def from_relative(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Read ``dmesg -e``: the differences since the last line that states a minute are added up."""
    minute: tuple[bytes, bytes, bytes] | None = None
    since_s = 0.0
    for line in lines:
        stated = MINUTE.search(line, 0, 200)
        relative = None if stated else RELATIVE.search(line, 0, 200)
        if stated is not None:
            minute, since_s = (stated[1], stated[2], stated[3]), 0.0
        elif relative is not None and minute is not None:
            since_s = min(since_s + int(relative[1]) + _time.fraction_s(relative[2]), _MINUTE_S)
            stamp = b"[%s%2d %s:%09.6f]" % (minute[0], int(minute[1]), minute[2], since_s)
            line = line[: relative.start()] + stamp + line[relative.end() :]
        yield line


def from_coloured(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Read ``dmesg -L=always``: colours may stand around any part of a line, and end on the next one."""
    for line in lines:
        yield _lines.ANSI.sub(b"", line) if b"\x1b" in line else line


def from_records(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Read ``/dev/kmsg``: line ends inside a record are printed as an escape, others follow the record."""
    for line in lines:
        yield line.replace(ESCAPED_END, b"#012") if ESCAPED_END in line else line
