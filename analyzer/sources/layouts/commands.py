"""What a typed command says about the output that follows: the program, the file it prints, the node it ran on."""

from __future__ import annotations

import functools
import re

import msgspec

from analyzer.sources.layouts.knowledge import layouts
from analyzer.sources.names import looks_like_node, usable

MAX_NAME = 80
_WORDS = re.compile(r"'[^']*'|\"[^\"]*\"|[^\s'\"]+")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w{0,60}=\S*")
_REMOTE = re.compile(r"(?:[\w.-]{1,40}@)?([A-Za-z0-9][\w.-]{0,63})")
_UNFIT = re.compile(r"[^\w.+@=,-]+")


class Command(msgspec.Struct, frozen=True):
    """A command.

    Attributes:
        program: Its name without folder.
        name: What a collector would call a file with its output: ``nvidia-smi_-q``, ``messages``.
        node: Node that it was sent to, None if it ran where it was typed.
        telling: Whether the program's name alone says what follows.
        known: Whether it is a known program at all.
    """

    program: str
    name: str
    node: str | None = None
    telling: bool = False
    known: bool = False


def read_command(text: str) -> Command:
    """Read a command line; the first command of a pipe or list counts."""
    words = [word.strip("'\"") for word in _WORDS.findall(text[:400])]
    node: str | None = None
    while words:
        head = words[0].rsplit("/", 1)[-1]
        if head in layouts().wrappers or _ASSIGNMENT.fullmatch(words[0]):
            words = _behind_options(words[1:])
        elif head == "ssh" and len(words) > 2:
            words = _behind_options(words[1:])
            remote = _REMOTE.fullmatch(words[0]) if words else None
            node = usable(remote[1]) if remote else None
            words = _WORDS.findall(" ".join(words[1:]))
        elif head == "srun" and (found := _after_srun(words)):
            node, words = found
        else:
            break
    if not words:
        return Command("", "")
    return _command(words, node)


def _command(words: list[str], node: str | None) -> Command:
    program = words[0].rsplit("/", 1)[-1].strip("`:;")
    own = _before_pipe(words[1:])
    printed = [word for word in own if "/" in word and not word.startswith("-")]
    if program in layouts().printers and (printed or own):
        name = (printed or own)[-1].rsplit("/", 1)[-1]
    else:
        name = "_".join([program, *own])
    known = _known()
    return Command(program, _UNFIT.sub("_", name)[:MAX_NAME], node, program in layouts().commands, program in known)


@functools.cache
def _known() -> frozenset[str]:
    return layouts().commands | layouts().other_commands


def _before_pipe(words: list[str]) -> list[str]:
    for index, word in enumerate(words):
        if word in ("|", ";", "&&", "||", ">", ">>", "2>&1", "2>/dev/null") or word.startswith("|"):
            return words[:index]
    return words


def _behind_options(words: list[str]) -> list[str]:
    while words and (words[0].startswith("-") or words[0].isdigit() or _ASSIGNMENT.fullmatch(words[0])):
        words = words[1:]
    return words


def _after_srun(words: list[str]) -> tuple[str | None, list[str]] | None:
    """Node and command of an ``srun`` that runs a telling program on one node."""
    node: str | None = None
    for index, word in enumerate(words[1:], start=1):
        if word in ("-w", "--nodelist") and index + 1 < len(words):
            node = words[index + 1]
        elif word.startswith("--nodelist="):
            node = word.partition("=")[2]
        elif word.rsplit("/", 1)[-1] in layouts().commands:
            return (node if node and looks_like_node(node) else None), words[index:]
    return None
