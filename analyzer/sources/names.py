"""Node names: what looks like one, what never is one, and which spellings mean the same node."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

import msgspec

from analyzer.rules_folder import table

MAX_NAME = 253
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_ADDRESS = re.compile(r"\d+(?:\.\d+){3}|[0-9a-f]*:[0-9a-f:.]*")
_PART = re.compile(r"[-_. @+,()\[\]]+")
_SUFFIX = re.compile(
    r"(?i)(?:\.(?:txt|log|out|err|json|jsonl|csv|tsv|conf|cfg|xml|html|dat|dump|old|bak|tar|tgz|tbz2?|txz|tzst|zip"
    r"|gz|zst|xz|bz2|md|sor|sbatch|sh|\d{1,3}))+$"
)
MAX_PARTS = 24

# A number with letters behind it is a count or a size (8gpu, 4xa100), never a part of a name.
_COUNT = re.compile(r"\d+[a-z]")


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of ``rules/nodes.toml``; see the comments there."""

    never: frozenset[str]
    node_folders: frozenset[str]
    local_folders: frozenset[str]
    words: frozenset[str]
    not_nodes: tuple[str, ...]
    always: tuple[str, ...]
    collections: tuple[str, ...]
    header_lines: tuple[str, ...]
    prompts: tuple[str, ...]


@functools.cache
def words() -> Words:
    """The shipped word lists."""
    return table("nodes.toml", Words)


@functools.cache
def _not_node() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in words().not_nodes))


@functools.cache
def _always() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in words().always))


def usable(name: str) -> str | None:
    """A name as stated by a log or dump, in lower case; None if it cannot be a node's (address, ``localhost``)."""
    lower = name.strip().rstrip(".").lower()
    if not lower or len(lower) > MAX_NAME or _ADDRESS.fullmatch(lower) or not _NAME.fullmatch(lower):
        return None
    if lower.split(".")[0] in words().never or lower.isdigit():
        return None
    return lower


@functools.lru_cache(maxsize=16384)
def looks_like_node(name: str) -> bool:
    """Judge a folder's or file's name: lower case, ends in a numbered part, no word of formats or collections."""
    if not _NAME.fullmatch(name) or not name[0].isalpha():
        return False
    short = name.partition(".")[0]
    if _always().fullmatch(short):
        return True
    parts = _PART.split(short)
    if any(part in words().words or _COUNT.match(part) for part in parts) or _long_number(parts):
        return False
    if not any(character.isdigit() for character in parts[-1]):
        return False
    if short in words().never or _not_node().fullmatch(short):
        return False
    return any(part[:1].isalpha() and not _not_node().fullmatch(part) for part in parts)


def in_file_name(name: str) -> str | None:
    """The node that a file's name states beside its format: ``ibstat-gpu025.txt`` names ``gpu025``."""
    stem = _SUFFIX.sub("", name)
    found = [node for run in _runs(stem) if (node := _trimmed(run)) is not None]
    return found[0] if len(found) == 1 else None


def known_in(name: str, known: Iterable[str]) -> str | None:
    """The longest of the known nodes that stands in a file or folder name as a whole part; None if there are two."""
    lower = name.lower()
    hits = [node for node in known if node in lower and _stands_alone(lower, node)]
    longest = [node for node in hits if not any(node != other and node in other for other in hits)]
    return longest[0] if len(longest) == 1 else None


def _stands_alone(text: str, node: str) -> bool:
    return re.search(rf"(?<![a-z0-9]){re.escape(node)}(?![a-z0-9])", text) is not None


def _runs(stem: str) -> Iterator[list[str]]:
    """Parts joined by ``-`` or ``.``, one list per run between other separators."""
    for run in re.split(r"[_ @+,()\[\]]+", stem[:MAX_NAME]):
        parts = re.split(r"([-.])", run)
        if len(parts) <= 2 * MAX_PARTS:
            yield parts


def _trimmed(run: list[str]) -> str | None:
    """Drop words, dates and indices from both ends; what remains is a node if it looks like one.

    A product or device in front is left: it may be the node's own first part (``a100-node-03``).
    """
    first, last = 0, len(run) - 1
    while first <= last and _is_word(run[first]):
        if found := _always().match("".join(run[first:])):
            return found[0]
        first += 2
    while last > first and _droppable(run[last]) and not _is_index(run, last):
        last -= 2
    name = "".join(run[first : last + 1])
    return name if first <= last and looks_like_node(name) else None


def _is_word(part: str) -> bool:
    return not part or not part[0].isalpha() or part.lower() in words().words


def _droppable(part: str) -> bool:
    return _is_word(part) or _not_node().fullmatch(part.lower()) is not None


def _is_index(run: list[str], position: int) -> bool:
    """A short number that ends a name such as ``hgx-06``."""
    return run[position].isdigit() and len(run[position]) <= 4 and not _droppable(run[position - 2])


def _long_number(parts: list[str]) -> bool:
    return any(part.isdigit() and len(part) > 5 for part in parts)


class NodeNames:
    """Spellings of node names seen in one bundle: a short name and its only fully qualified form are one node."""

    def __init__(self, seen: Iterable[str]) -> None:
        self._domains: dict[str, set[str]] = {}
        for name in seen:
            short, _, domain = name.lower().rstrip(".").partition(".")
            self._domains.setdefault(short, set()).update({domain} if domain else ())

    def canonical(self, name: str) -> str:
        """The short name, unless two nodes share it in different domains; then the name as it is, in lower case."""
        lower = name.lower().rstrip(".")
        if _ADDRESS.fullmatch(lower):
            return lower
        short, _, domain = lower.partition(".")
        others = self._domains.get(short, set()) | ({domain} if domain else set())
        return lower if len(others) > 1 else short
