"""Turns an example of a rule into a bundle, runs the analysis on it, and says what came out."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from analyzer.model.analysis import Diagnosis
from analyzer.pipeline import Options, run
from analyzer.rulebook.schema import Cause, Example, Rulebook, Symptom
from tests.parsers.sor_writer import sor

GENERATORS: dict[str, Callable[..., bytes]] = {"sor": sor}
"""What ``generate`` may call, by its ``kind``; ``events`` goes first, the rest by name."""

Bundle = dict[str, bytes]
Place = tuple[str, int | None, int | None]
"""File, line, event."""


class Answer(msgspec.Struct, frozen=True):
    """What the analysis says of one bundle."""

    diagnoses: tuple[Diagnosis, ...]

    def first(self) -> str | None:
        """Slug of the first diagnosis."""
        return self.diagnoses[0].cause if self.diagnoses else None

    def of(self, slug: str) -> list[Diagnosis]:
        """Diagnoses of a cause that ask for action."""
        return [d for d in self.diagnoses if d.cause == slug and d.severity != "info"]

    def places(self) -> set[Place]:
        """What the first diagnosis rests on."""
        cited = self.diagnoses[0].evidence if self.diagnoses else ()
        return {(e.file, e.line, e.event) for e in cited if e.role in ("root", "confirms")}

    def names(self) -> set[str]:
        """Every part that the first diagnosis names."""
        return {name for names in self.diagnoses[0].entities.values() for name in names} if self.diagnoses else set()


def bundle_of(example: Example) -> Bundle:
    """Files of an example: written text, and binaries made by their generator."""
    files = {name: text.encode() for name, text in example.files.items()}
    for name, call in example.generate.items():
        arguments: dict[str, Any] = {key: value for key, value in call.items() if key != "kind"}
        files[name] = GENERATORS[str(call["kind"])](arguments.pop("events"), **arguments)
    return files


def answer(bundle: Bundle, folder: Path) -> Answer:
    """Write a bundle below a folder and diagnose it."""
    for name, data in bundle.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    result = run([str(folder)], Options(anomaly=False, context_lines=0))
    return Answer(result.analysis.diagnoses)


def stated(example: Example) -> set[Place]:
    """The evidence that an example states."""
    return {_place(text) for text in example.evidence}


def _place(text: str) -> Place:
    file, _, number = text.rpartition(":")
    if number.startswith("event"):
        return file, None, int(number.removeprefix("event"))
    return file, int(number), None


def without(bundle: Bundle, places: set[Place]) -> Bundle:
    """The bundle without the cited lines; a file cited by event is left out."""
    left = dict(bundle)
    for file in {file for file, _, _ in places}:
        numbers = {line for name, line, _ in places if name == file}
        if None in numbers:
            del left[file]
        else:
            lines = left[file].split(b"\n")
            left[file] = b"\n".join(line for number, line in enumerate(lines, 1) if number not in numbers)
    return left


def with_crlf(bundle: Bundle) -> Bundle:
    """Text files with Windows line ends."""
    return {name: data if b"\0" in data else data.replace(b"\n", b"\r\n") for name, data in bundle.items()}


def with_gzip(bundle: Bundle) -> Bundle:
    """Every file compressed, under its name and ``.gz``."""
    return {f"{name}.gz": gzip.compress(data, mtime=0) for name, data in bundle.items()}


# ---- forms of the kernel log

_UPTIME = re.compile(rb"\[ *(\d+)\.(\d{6})\] (.*)")
_NODE = re.compile(r"(?:^|/)nodes/([^/]+)/")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def is_kernel_log(bundle: Bundle) -> bool:
    """True when every line of every file begins with an uptime, and every file is in a node's folder."""
    return all(
        _NODE.search(name) and all(_UPTIME.fullmatch(line) for line in data.rstrip(b"\n").split(b"\n"))
        for name, data in bundle.items()
    )


def _clock(seconds: int) -> tuple[int, int, int, int]:
    """Day of March, hour, minute, second; a boot on 2 March 2026 at midnight is assumed."""
    day, rest = divmod(seconds, 86_400)
    return 2 + day, rest // 3_600, rest // 60 % 60, rest % 60


def _dmesg_t(seconds: int, _micros: int, _node: str, message: bytes) -> bytes:
    day, hour, minute, second = _clock(seconds)
    name = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")[(day - 1) % 7]
    return f"[{name} Mar {day:2} {hour:02}:{minute:02}:{second:02} 2026] ".encode() + message


def _syslog(seconds: int, micros: int, node: str, message: bytes) -> bytes:
    day, hour, minute, second = _clock(seconds)
    return f"Mar {day:2} {hour:02}:{minute:02}:{second:02} {node} kernel: [{seconds:5}.{micros:06}] ".encode() + message


def _journal(seconds: int, micros: int, node: str, message: bytes) -> bytes:
    day, hour, minute, second = _clock(seconds)
    stamp = f"2026-03-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}+00:00"
    return f"{stamp} {node} kernel: ".encode() + message


KERNEL_FORMS: dict[str, Callable[[int, int, str, bytes], bytes]] = {
    "dmesg -T": _dmesg_t,
    "syslog": _syslog,
    "journal": _journal,
}


def in_form(bundle: Bundle, form: str) -> Bundle:
    """A kernel-log bundle with all its lines in another form, in the same places."""
    return {name: _converted(name, data, KERNEL_FORMS[form]) for name, data in bundle.items()}


def _converted(name: str, data: bytes, write: Callable[[int, int, str, bytes], bytes]) -> bytes:
    node = _NODE.search(name)
    lines = []
    for line in data.rstrip(b"\n").split(b"\n"):
        stamp = _UPTIME.fullmatch(line)
        assert stamp
        assert node
        # uptimes of weeks are folded into one: only differences matter, and March has 31 days
        lines.append(write(int(stamp[1]) % 604_800, int(stamp[2]), node[1], stamp[3]))
    return b"\n".join(lines) + b"\n"


# ---- lines that the logic needs


def needed_lines(cause: Cause, example: Example, rulebook: Rulebook) -> dict[str, Place]:
    """Per symptom of ``logic.all`` or ``sequence`` the cited line that alone shows it."""
    found: dict[str, Place] = {}
    for name in dict.fromkeys((*cause.logic.all, *cause.logic.sequence)):
        lines = _shown_by(cause, name, cause.symptoms[name], example, rulebook)
        if len(lines) == 1:
            found[name] = lines[0]
    return found


def _shown_by(cause: Cause, name: str, symptom: Symptom, example: Example, rulebook: Rulebook) -> list[Place]:
    if symptom.table is not None:
        return []
    event = symptom.event or f"{cause.cause.replace('-', '_')}.{name}"
    patterns = [re.compile(line.encode()) for line in rulebook.events[event].lines]
    return [
        (file, number, None)
        for file, number, _ in sorted(stated(example), key=str)
        if number is not None
        and file in example.files
        and any(p.search(example.files[file].split("\n")[number - 1].encode()) for p in patterns)
    ]


def moved(bundle: Bundle, file: str, node: str, other: str) -> Bundle:
    """The bundle with one file taken from another node, its lines included."""
    renamed = file.replace(f"nodes/{node}/", f"nodes/{other}/")
    left = {name: data for name, data in bundle.items() if name != file}
    return left | {renamed: bundle[file].replace(node.encode(), other.encode())}


def node_of(file: str) -> str | None:
    """Node whose folder a file is in."""
    found = _NODE.search(file)
    return found[1] if found else None
