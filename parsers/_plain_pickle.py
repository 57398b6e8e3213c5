"""Python pickles read without Python's unpickler: plain values only, so that no byte of a file can run or import code.

The opcodes that name a class, call something or refer to something outside the file are not implemented at all; a
pickle that uses one is refused. Work and memory are limited by counts, whatever sizes the file states. (The standard
unpickler, even with ``find_class`` overridden, lets a few bytes ask for gigabytes of memo, or for a dictionary whose
keys all collide.)
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Final

MAX_BYTES: Final = 64 << 20
MAX_OPCODES: Final = 8_000_000
MAX_CONTAINERS: Final = 1_000_000
_MAX_INTEGER_BYTES: Final = 16
_NEWEST_PROTOCOL: Final = 5
_STOP: Final = ord(".")
_FLOAT: Final = struct.Struct(">d")


class PlainPickleError(ValueError):
    """The bytes are no pickle of plain values, or exceed a limit."""


def load(data: bytes) -> Any:
    """Read one pickle (protocols 2 to 5) of None, booleans, numbers, texts, bytes, lists, tuples and dictionaries.

    Keys of dictionaries become texts.

    Raises:
        PlainPickleError: Anything else stands in it, it is damaged, or it is larger than the limits.
    """
    if len(data) > MAX_BYTES:
        raise PlainPickleError(f"larger than {MAX_BYTES >> 20} MiB")
    try:
        return _Machine(data).run()
    except (IndexError, KeyError, struct.error) as error:
        raise PlainPickleError("damaged or cut off") from error


class _Machine:
    """The stack machine that a pickle's opcodes drive."""

    __slots__ = ("_at", "_below", "_containers", "_data", "_memo", "_stack")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._stack: list[Any] = []
        self._below: list[list[Any]] = []
        self._memo: dict[int, Any] = {}
        self._containers = 0

    def run(self) -> Any:
        """Execute until the stop opcode, and return what then lies on top."""
        data, steps = self._data, _STEPS
        for _ in range(MAX_OPCODES):
            code = data[self._at]
            self._at += 1
            if code == _STOP:
                return self._stack.pop()
            step = steps[code]
            if step is None:
                raise PlainPickleError(f"opcode 0x{code:02x} is not one of plain values")
            step(self)
        raise PlainPickleError("too many steps")

    def protocol(self) -> None:
        number = self._slice(1)[0]
        if number > _NEWEST_PROTOCOL:
            raise PlainPickleError(f"protocol {number}")

    def frame(self) -> None:
        self._slice(8)

    def none(self) -> None:
        self._stack.append(None)

    def true(self) -> None:
        self._stack.append(True)

    def false(self) -> None:
        self._stack.append(False)

    def byte(self) -> None:
        at = self._at
        self._stack.append(self._data[at])
        self._at = at + 1

    def short(self) -> None:
        self._stack.append(self._number(2))

    def integer(self) -> None:
        self._stack.append(int.from_bytes(self._slice(4), "little", signed=True))

    def long(self) -> None:
        self._stack.append(self._long(1))

    def wide_long(self) -> None:
        self._stack.append(self._long(4))

    def double(self) -> None:
        self._stack.append(_FLOAT.unpack(self._slice(8))[0])

    def short_text(self) -> None:
        self._stack.append(self._slice(self._number(1)).decode("utf-8", "replace"))

    def text(self) -> None:
        self._stack.append(self._slice(self._number(4)).decode("utf-8", "replace"))

    def wide_text(self) -> None:
        self._stack.append(self._slice(self._number(8)).decode("utf-8", "replace"))

    def short_bytes(self) -> None:
        self._stack.append(self._slice(self._number(1)))

    def long_bytes(self) -> None:
        self._stack.append(self._slice(self._number(4)))

    def wide_bytes(self) -> None:
        self._stack.append(self._slice(self._number(8)))

    def get(self) -> None:
        at = self._at
        self._stack.append(self._memo[self._data[at]])
        self._at = at + 1

    def wide_get(self) -> None:
        self._stack.append(self._memo[self._number(4)])

    def put(self) -> None:
        at = self._at
        self._memo[self._data[at]] = self._stack[-1]
        self._at = at + 1

    def wide_put(self) -> None:
        self._memo[self._number(4)] = self._stack[-1]

    def memoize(self) -> None:
        self._memo[len(self._memo)] = self._stack[-1]

    def mark(self) -> None:
        self._below.append(self._stack)
        self._stack = []

    def empty_list(self) -> None:
        self._push([])

    def empty_dict(self) -> None:
        self._push({})

    def empty_tuple(self) -> None:
        self._push(())

    def tuple1(self) -> None:
        self._push((self._stack.pop(),))

    def tuple2(self) -> None:
        second, first = self._stack.pop(), self._stack.pop()
        self._push((first, second))

    def tuple3(self) -> None:
        third, second, first = self._stack.pop(), self._stack.pop(), self._stack.pop()
        self._push((first, second, third))

    def tuple(self) -> None:
        self._push(tuple(self._marked()))

    def append(self) -> None:
        item = self._stack.pop()
        self._top(list).append(item)

    def appends(self) -> None:
        items = self._marked()
        self._top(list).extend(items)

    def set_item(self) -> None:
        value, key = self._stack.pop(), self._stack.pop()
        self._set([key, value])

    def set_items(self) -> None:
        self._set(self._marked())

    def _set(self, items: list[Any]) -> None:
        target = self._top(dict)
        for key, value in zip(items[::2], items[1::2], strict=False):
            if type(key) is str:
                target[key] = value
            elif type(key) is int:
                target[str(key)] = value
            else:
                raise PlainPickleError("key that is neither text nor integer")

    def _push(self, container: Any) -> None:
        self._containers += 1
        if self._containers > MAX_CONTAINERS:
            raise PlainPickleError("too many lists and dictionaries")
        self._stack.append(container)

    def _marked(self) -> list[Any]:
        """Everything above the last mark."""
        items, self._stack = self._stack, self._below.pop()
        return items

    def _top(self, kind: type) -> Any:
        if type(self._stack[-1]) is not kind:
            raise PlainPickleError("items for something that holds none")
        return self._stack[-1]

    def _number(self, size: int) -> int:
        return int.from_bytes(self._slice(size), "little")

    def _long(self, width: int) -> int:
        size = self._number(width)
        if size > _MAX_INTEGER_BYTES:
            raise PlainPickleError("integer too long")
        return int.from_bytes(self._slice(size), "little", signed=True)

    def _slice(self, size: int) -> bytes:
        at = self._at
        end = at + size
        if end > len(self._data):
            raise IndexError
        self._at = end
        return self._data[at:end]


_Step = Callable[[_Machine], None]
_OPCODES: Final[dict[bytes, _Step]] = {
    b"\x80": _Machine.protocol, b"\x95": _Machine.frame,
    b"N": _Machine.none, b"\x88": _Machine.true, b"\x89": _Machine.false,
    b"K": _Machine.byte, b"M": _Machine.short, b"J": _Machine.integer, b"\x8a": _Machine.long,
    b"\x8b": _Machine.wide_long, b"G": _Machine.double,
    b"\x8c": _Machine.short_text, b"X": _Machine.text, b"\x8d": _Machine.wide_text,
    b"C": _Machine.short_bytes, b"B": _Machine.long_bytes, b"\x8e": _Machine.wide_bytes,
    b"h": _Machine.get, b"j": _Machine.wide_get, b"q": _Machine.put, b"r": _Machine.wide_put,
    b"\x94": _Machine.memoize, b"(": _Machine.mark,
    b"]": _Machine.empty_list, b"}": _Machine.empty_dict, b")": _Machine.empty_tuple,
    b"\x85": _Machine.tuple1, b"\x86": _Machine.tuple2, b"\x87": _Machine.tuple3, b"t": _Machine.tuple,
    b"a": _Machine.append, b"e": _Machine.appends, b"s": _Machine.set_item, b"u": _Machine.set_items,
}  # fmt: skip
_STEPS: Final[list[_Step | None]] = [_OPCODES.get(bytes([code])) for code in range(256)]
