"""Bounded reading of the integers and strings of a .sor block."""

from __future__ import annotations


class BlockEndError(Exception):
    """A block ends before the field that should follow."""


class Cursor:
    """Reads little-endian fields between two offsets and never beyond them."""

    def __init__(self, data: bytes, start: int, end: int, language: str = "") -> None:
        self.data = data
        self.at = start
        self.end = min(end, len(data))
        self.language = language

    def left(self) -> int:
        """Bytes left."""
        return max(0, self.end - self.at)

    def raw(self, size: int) -> bytes:
        """The next ``size`` bytes. Raises BlockEndError when fewer are left."""
        if size > self.left():
            raise BlockEndError(f"{size} bytes expected at offset {self.at}, the block ends at {self.end}")
        self.at += size
        return self.data[self.at - size : self.at]

    def unsigned(self, size: int) -> int:
        """An unsigned integer of ``size`` bytes."""
        return int.from_bytes(self.raw(size), "little")

    def signed(self, size: int) -> int:
        """A two's-complement integer of ``size`` bytes."""
        return int.from_bytes(self.raw(size), "little", signed=True)

    def fixed(self, size: int) -> str:
        """A string of fixed size, possibly padded with NUL."""
        return decode(self.raw(size), self.language)

    def string(self) -> str:
        """A string that ends with NUL."""
        stop = self.data.find(b"\0", self.at, self.end)
        if stop < 0:
            raise BlockEndError(f"string at offset {self.at} has no end")
        value = decode(self.data[self.at : stop], self.language)
        self.at = stop + 1
        return value


def decode(raw: bytes, language: str = "") -> str:
    """Text of a field whose encoding the file does not declare; control characters become blanks."""
    text = _decoded(raw.split(b"\0", 1)[0], language)
    return "".join(c if c.isprintable() else " " for c in text).strip()


def _decoded(raw: bytes, language: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    for encoding in _guesses(raw, language):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")


def _guesses(raw: bytes, language: str) -> tuple[str, ...]:
    """Code pages to try: Cyrillic words are all high bytes, Latin ones hold a few among ASCII letters."""
    if language == "CH":
        return ("gbk", "cp1252")
    high = sum(byte >= 0xC0 for byte in raw)
    plain = sum(65 <= byte <= 90 or 97 <= byte <= 122 for byte in raw)
    return ("cp1251", "cp1252") if high >= 2 and high > plain else ("cp1252", "cp1251")
