"""Writes kernel messages in every form in which a kernel log arrives; each form says on which line a message stands."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

NODE = "gpu-017"
BOOT_S = 1_772_409_600
"""2 March 2026, 00:00:00 UTC."""
_CURSOR = "s=c48fba8f5c1d4f3b8a9e3e2d1c0b0a09;i={0:x};b=c48fba8f5c1d4f3b8a9e3e2d1c0b0a09;m={1:x};t={2:x};x=1"

Message = tuple[float, bytes]
"""Seconds since boot, text."""
Written = tuple[bytes, list[int]]
"""The file, and the line number of each message."""


def _wall(uptime_s: float) -> datetime:
    return datetime.fromtimestamp(BOOT_S + uptime_s, UTC)


def _strftime(pattern: str) -> Callable[[float], str]:
    return lambda uptime_s: _wall(uptime_s).strftime(pattern)


def _line_form(head: Callable[[float], str], tail: bytes = b"") -> Callable[[Sequence[Message]], Written]:
    def write(messages: Sequence[Message]) -> Written:
        lines = [head(uptime_s).encode() + text + tail for uptime_s, text in messages]
        return b"\n".join(lines) + b"\n", list(range(1, len(lines) + 1))

    return write


def _block_form(
    block: Callable[[int, float, bytes], tuple[bytes, int]], opening: bytes = b"", closing: bytes = b""
) -> Callable[[Sequence[Message]], Written]:
    """A form that spreads a record over lines; ``block`` gives them and where in them the message stands."""

    def write(messages: Sequence[Message]) -> Written:
        out, places = opening, []
        for number, (uptime_s, text) in enumerate(messages):
            data, place = block(number, uptime_s, text)
            places.append(out.count(b"\n") + 1 + place)
            out += data
        return out + closing, places

    return write


def _microseconds(uptime_s: float) -> int:
    return round((BOOT_S + uptime_s) * 1e6)


def _journal_fields(uptime_s: float) -> dict[str, str]:
    return {
        "__CURSOR": _CURSOR.format(1, int(uptime_s * 1e6), _microseconds(uptime_s)),
        "__REALTIME_TIMESTAMP": str(_microseconds(uptime_s)),
        "_TRANSPORT": "kernel",
        "SYSLOG_IDENTIFIER": "kernel",
        "PRIORITY": "4",
        "_HOSTNAME": NODE,
    }


def _text(text: bytes) -> str:
    return text.decode("utf-8", "replace")


def _json(_number: int, uptime_s: float, text: bytes) -> tuple[bytes, int]:
    return json.dumps(_journal_fields(uptime_s) | {"MESSAGE": _text(text)}).encode() + b"\n", 0


def _json_sequence(number: int, uptime_s: float, text: bytes) -> tuple[bytes, int]:
    return b"\x1e" + _json(number, uptime_s, text)[0], 0


def _json_bytes(_number: int, uptime_s: float, text: bytes) -> tuple[bytes, int]:
    return json.dumps({"MESSAGE": list(text)} | _journal_fields(uptime_s)).encode() + b"\n", 0


def _json_pretty(_number: int, uptime_s: float, text: bytes) -> tuple[bytes, int]:
    fields = _journal_fields(uptime_s) | {"MESSAGE": _text(text)}
    shown = json.dumps(fields, indent="\t", separators=(",", " : ")).encode() + b"\n"
    return shown, len(fields)


def _export(_number: int, uptime_s: float, text: bytes) -> tuple[bytes, int]:
    lines = [f"{name}={value}".encode() for name, value in _journal_fields(uptime_s).items()]
    return b"\n".join([*lines, b"MESSAGE=" + text, b"_PID=0", b"", b""]), len(lines)


def _export_binary(_number: int, uptime_s: float, text: bytes) -> tuple[bytes, int]:
    lines = [f"{name}={value}".encode() for name, value in _journal_fields(uptime_s).items()]
    size = struct.pack("<Q", len(text))
    return b"\n".join([*lines, b"MESSAGE", size + text, b"_PID=0", b"", b""]), len(lines) + 1


def _verbose(_number: int, uptime_s: float, text: bytes) -> tuple[bytes, int]:
    fields = _journal_fields(uptime_s)
    cursor = fields.pop("__CURSOR")
    stamp = _wall(uptime_s).strftime("%a %Y-%m-%d %H:%M:%S.%f UTC")
    lines = [f"    {name}={value}".encode() for name, value in fields.items() if not name.startswith("__")]
    return b"\n".join([f"{stamp} [{cursor}]".encode(), *lines, b"    MESSAGE=" + text, b""]), len(lines) + 1


def _dmesg_json(number: int, uptime_s: float, text: bytes) -> tuple[bytes, int]:
    opening = b"      {\n" if number == 0 else b"      },{\n"
    message = json.dumps(_text(text)).encode()
    return opening + f'         "pri": 4,\n         "time": {uptime_s:12.6f},\n'.encode() + (
        b'         "msg": ' + message + b"\n"
    ), 3


def _dmesg_relative(messages: Sequence[Message]) -> Written:
    lines: list[bytes] = []
    minute, last_s = "", 0.0
    for uptime_s, text in messages:
        stamp = _wall(uptime_s).strftime("%b%d %H:%M")
        head = f"[{stamp}]" if stamp != minute else f"[{uptime_s - last_s:+11.6f}]"
        minute, last_s = stamp, uptime_s
        lines.append(head.encode() + b" " + text)
    return b"\n".join(lines) + b"\n", list(range(1, len(lines) + 1))


def _kmsg(number: int, uptime_s: float, text: bytes) -> tuple[bytes, int]:
    return f"4,{number},{uptime_s * 1e6:.0f},-;".encode() + text + b"\n SUBSYSTEM=pci\n DEVICE=+pci:0000:3b:00.0\n", 0


def _raw(uptime_s: float) -> str:
    return f"[{uptime_s:12.6f}] "


REFERENCE = _line_form(_raw)
FORMS: dict[str, Callable[[Sequence[Message]], Written]] = {
    "dmesg -r": _line_form(lambda s: "<4>" + _raw(s)),
    "dmesg -x": _line_form(lambda s: "kern  :warn  : " + _raw(s)),
    "dmesg -T": _line_form(_strftime("[%a %b %e %H:%M:%S %Y] ")),
    "dmesg -T -x": _line_form(_strftime("kern  :warn  : [%a %b %e %H:%M:%S %Y] ")),
    "dmesg --time-format iso": _line_form(_strftime("%Y-%m-%dT%H:%M:%S,%f+00:00 ")),
    "dmesg -d": _line_form(lambda s: f"[{s:12.6f} <    0.000100>] "),
    "dmesg -e": _dmesg_relative,
    "dmesg -J": _block_form(_dmesg_json, b'{\n   "dmesg": [\n', b"      }\n   ]\n}\n"),
    "dmesg with caller ids": _line_form(lambda s: f"[{s:12.6f}][ T1234] "),
    "dmesg with colours": _line_form(lambda s: f"\x1b[32m[{s:12.6f}] \x1b[0m", b"\x1b[0m"),
    "/dev/kmsg": _block_form(_kmsg),
    "pstore": _block_form(lambda _, s, text: (b"<4>" + _raw(s).encode() + text + b"\n", 0), b"Panic#1 Part1\n"),
    "syslog RFC 3164": _line_form(_strftime(f"%b %e %H:%M:%S {NODE} kernel: ")),
    "syslog with uptimes": _line_form(lambda s: _strftime(f"%b %e %H:%M:%S {NODE} kernel: ")(s) + _raw(s)),
    "syslog with priority": _line_form(_strftime(f"<4>%b %e %H:%M:%S {NODE} kernel: ")),
    "syslog RFC 5424": _line_form(_strftime(f"<4>1 %Y-%m-%dT%H:%M:%S.%fZ {NODE} kernel - - - ")),
    "rsyslog ISO": _line_form(_strftime(f"%Y-%m-%dT%H:%M:%S.%f+00:00 {NODE} kernel: ")),
    "journalctl": _line_form(_strftime(f"%b %d %H:%M:%S {NODE} kernel: ")),
    "journalctl -o short-precise": _line_form(_strftime(f"%b %d %H:%M:%S.%f {NODE} kernel: ")),
    "journalctl -o short-iso": _line_form(_strftime(f"%Y-%m-%dT%H:%M:%S+0000 {NODE} kernel: ")),
    "journalctl -o short-iso-precise": _line_form(_strftime(f"%Y-%m-%dT%H:%M:%S.%f+0000 {NODE} kernel: ")),
    "journalctl -o short-full": _line_form(_strftime(f"%a %Y-%m-%d %H:%M:%S UTC {NODE} kernel: ")),
    "journalctl -o short-unix": _line_form(lambda s: f"{BOOT_S + s:.6f} {NODE} kernel: "),
    "journalctl -o short-monotonic": _line_form(lambda s: f"{_raw(s)}{NODE} kernel: "),
    "journalctl -o short-delta": _line_form(lambda s: f"[{s:12.6f} <    0.000100>] {NODE} kernel: "),
    "journalctl -o verbose": _block_form(_verbose),
    "journalctl -o json": _block_form(_json),
    "journalctl -o json-seq": _block_form(_json_sequence),
    "journalctl -o json, bytes": _block_form(_json_bytes),
    "journalctl -o json-pretty": _block_form(_json_pretty),
    "journalctl -o export": _block_form(_export),
    "journalctl -o export, binary": _block_form(_export_binary),
}
