"""Entries of the systemd journal that a form spreads over several fields, written as one line each.

A reader of such a form gives one line for each line of its input: the entry's message, with time, host and program
in front as ``journalctl -o short-iso-precise`` prints them, stands where the form holds the message, and every other
line is empty. So patterns, records of several lines and line numbers work as in any other log.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

FOLD: Final = b"#012"
"""Stands for a line end inside a message, as rsyslog writes it."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST_US: Final = 4_102_444_800_000_000
_MAX_BYTE: Final = 255


def short_line(fields: dict[str, Any], message: bytes) -> bytes:
    """One line of an entry.

    Args:
        fields: Values by the journal's own names, text or bytes; ``__REALTIME_TIMESTAMP`` in microseconds.
        message: Its message.
    """
    program = _name(fields.get("SYSLOG_IDENTIFIER") or fields.get("_COMM"))
    if not program:
        program = "kernel" if _name(fields.get("_TRANSPORT")) == "kernel" else "unknown"
    pid = _name(fields.get("_PID") or fields.get("SYSLOG_PID"))
    host = _name(fields.get("_HOSTNAME")) or "-"
    stamp = _stamp(_name(fields.get("__REALTIME_TIMESTAMP")))
    if stamp is None:
        return folded(message)
    process = f"{program}[{pid}]" if pid.isdigit() and program != "kernel" else program
    return f"{stamp} {host} {process}: ".encode("utf-8", "replace") + folded(message)


def message_bytes(value: Any) -> bytes:
    """A message as JSON holds it: text, an array of byte values where it is no valid text, or null."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    if isinstance(value, list):
        if all(isinstance(item, int) and 0 <= item <= _MAX_BYTE for item in value):
            return bytes(value)
        return FOLD.join(message_bytes(item) for item in value if not isinstance(item, int))
    return b""


def folded(message: bytes) -> bytes:
    """A message on one line."""
    return message.rstrip(b"\r\n").replace(b"\r\n", b"\n").replace(b"\n", FOLD)


def _name(value: Any) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value) if value is not None else ""
    return "" if any(char.isspace() for char in text.strip()) else text.strip()


def _stamp(microseconds: str) -> str | None:
    if not microseconds.isascii() or not microseconds.isdigit() or int(microseconds) > _LATEST_US:
        return None
    moment = _EPOCH + timedelta(microseconds=int(microseconds))
    return moment.isoformat(timespec="microseconds")
