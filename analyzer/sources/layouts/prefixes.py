"""One file of many nodes, ranks or containers: a prefix in front of every line says whose it is."""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import numpy as np

from analyzer.sources.layouts.knowledge import prefixes
from analyzer.sources.layouts.parts import Lines, Numbering, Part
from analyzer.sources.names import looks_like_node, usable, words

SAMPLE_LINES = 400
LEAST_SHARE = 0.9
FEW_LINES = 3
_DOCKER = (b'{"log":"', b'{"log": "')
_NOISE = re.compile(rb"(?:pdsh|clush|ssh|srun|dsh)(?:@[\w.-]{1,64})?: ")
_DOCKER_NAME = "docker json-file"


class Shape(NamedTuple):
    """A prefix that a text's lines begin with.

    Attributes:
        name: Its name for people.
        regex: Its expression; None for Docker's JSON lines.
        node: Whether its key names a node.
    """

    name: str
    regex: re.Pattern[bytes] | None
    node: bool


class Sample(NamedTuple):
    """The lines behind the prefixes of a text's head, of the key that has most of them, and of all keys."""

    fullest: bytes
    every: bytes


class _Entry(msgspec.Struct):
    log: str = ""


def shapes(head: bytes) -> list[tuple[Shape, Sample]]:
    """Prefixes that almost all lines of a head begin with, with what stands behind them."""
    lines = [line.rstrip(b"\r") for line in head.split(b"\n", SAMPLE_LINES)[:SAMPLE_LINES]]
    if len(head) >= 4096 and len(lines) > 1 and not head.endswith(b"\n"):
        lines.pop()
    lines = [line for line in lines if line.strip() and not _NOISE.match(line)]
    if not lines:
        return []
    if sum(line.startswith(_DOCKER) for line in lines) >= LEAST_SHARE * len(lines):
        inner = b"".join(text for line in lines if (text := _docker(line)) is not None)
        return [(Shape(_DOCKER_NAME, None, False), Sample(inner, inner))]
    found = []
    for name, regex in prefixes():
        first = regex.match(lines[0]) or (regex.match(lines[1]) if len(lines) > 1 else None)
        if first is not None and (sample := _sample(regex, lines)) is not None:
            found.append((Shape(name, regex, "host" in regex.groupindex), sample))
    return found


def _sample(regex: re.Pattern[bytes], lines: list[bytes]) -> Sample | None:
    by_key: dict[bytes, list[bytes]] = defaultdict(list)
    every: list[bytes] = []
    for line in lines:
        match = regex.match(line)
        if match is not None:
            by_key[_key(match)].append(line[match.end() :])
            every.append(line[match.end() :])
    if len(every) < LEAST_SHARE * len(lines) or not _plausible(regex, by_key):
        return None
    fullest = max(by_key.values(), key=len)
    return Sample(b"\n".join(fullest) + b"\n", b"\n".join(every) + b"\n")


def _plausible(regex: re.Pattern[bytes], by_key: dict[bytes, list[bytes]]) -> bool:
    """A key that is to be a node looks like one, or has many lines and is no word of programs.

    A file's name has a folder, or several lines: a list of settings has a new key on every line.
    """
    if "file" in regex.groupindex:
        return any(b"/" in key or len(lines) > 1 for key, lines in by_key.items())
    if "host" not in regex.groupindex:
        return True
    keys = Counter({key: len(lines) for key, lines in by_key.items()})
    good = sum(count for key, count in keys.items() if _node(key) is not None and _is_node(key.decode(), count))
    return good >= LEAST_SHARE * keys.total()


def _is_node(key: str, count: int) -> bool:
    if looks_like_node(key.lower()) or re.fullmatch(r"\d{1,3}(?:\.\d{1,3}){3}", key):
        return True
    return count >= FEW_LINES and key.lower() not in words().words and not key.isdigit()


def _key(match: re.Match[bytes]) -> bytes:
    groups = match.groupdict()
    for name in ("host", "rank", "source", "file"):
        if groups.get(name):
            return bytes(groups[name])
    return b""


@functools.lru_cache(maxsize=4096)
def _node(key: bytes) -> str | None:
    text = key.decode("utf-8", "replace").lower()
    return usable(text) or (text if re.fullmatch(r"\d{1,3}(?:\.\d{1,3}){3}", text) else None)


def separate(data: bytes, shape: Shape) -> list[Part]:
    """Take the prefixes off and put the lines of each key together, in the order of the file.

    Lines without the prefix follow the line before them; those before the first prefix are left out.
    """
    lines = Lines(data)
    return _unpacked(lines) if shape.regex is None else _by_key(lines, shape, shape.regex)


def _by_key(lines: Lines, shape: Shape, regex: re.Pattern[bytes]) -> list[Part]:
    texts: dict[bytes, list[bytes]] = defaultdict(list)
    numbers: dict[bytes, list[int]] = defaultdict(list)
    key: bytes | None = None
    open_line = False
    for index in range(len(lines)):
        line = lines.text(index)
        match = regex.match(line)
        if match is not None:
            key = _key(match)
            text = line[match.end() :]
        elif key is None or _NOISE.match(line):
            continue
        else:
            text = line
        if open_line and match is not None:
            texts[key][-1] += text
        else:
            texts[key].append(text)
            numbers[key].append(index)
        open_line = match is not None and match.groupdict().get("part") == b"P"
    return [_part(lines, shape, key, texts[key], numbers[key]) for key in texts]


def _part(lines: Lines, shape: Shape, key: bytes, texts: list[bytes], numbers: list[int]) -> Part:
    places = np.asarray(numbers, dtype=np.int64)
    numbering = Numbering(places + 1, lines.starts[places])
    node = _node(key) if shape.node else None
    title = key.decode("utf-8", "replace").rsplit("/", 1)[-1] if shape.name == "grep" else ""
    return Part(b"\n".join(texts) + b"\n", numbering, title, node, f"prefix {shape.name}" if node else "")


def _unpacked(lines: Lines) -> list[Part]:
    texts: list[bytes] = []
    numbers: list[int] = []
    open_line = False
    for index in range(len(lines)):
        text = _docker(lines.text(index))
        if text is None:
            continue
        if open_line:
            texts[-1] += text
        else:
            texts.append(text)
            numbers.append(index)
        open_line = not text.endswith(b"\n")
    whole = [text if text.endswith(b"\n") else text + b"\n" for text in texts]
    flat = [text[:-1].replace(b"\n", b" ") + b"\n" for text in whole]
    places = np.asarray(numbers, dtype=np.int64)
    return [Part(b"".join(flat), Numbering(places + 1, lines.starts[places]))] if flat else []


def _docker(line: bytes) -> bytes | None:
    """The text of one of Docker's JSON lines."""
    try:
        return _decoder()(line).log.encode("utf-8", "replace")
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError):
        return None


@functools.cache
def _decoder() -> Callable[[bytes], _Entry]:
    return msgspec.json.Decoder(_Entry).decode
