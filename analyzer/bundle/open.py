"""Opens what the user names - files, folders, archives, standard input - as one bundle of members."""

from __future__ import annotations

import os
import pathlib
import stat
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from analyzer.bundle import paths
from analyzer.bundle.expand import Expander, Place, link
from analyzer.bundle.limits import Limits, Meter
from analyzer.bundle.members import Member, Refused
from analyzer.bundle.streams import FileStream
from analyzer.errors import InputError
from analyzer.model.limits import raised_by

STDIN = "-"
STDIN_NAME = "stdin"
_SPECIAL = (
    (stat.S_ISFIFO, "named pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)


class Bundle:
    """All inputs of one run.

    A context manager; members can be opened until it is closed.

    Attributes:
        name: Name of the first input without archive suffix; may name a node. Empty for standard input.
    """

    def __init__(self, inputs: Sequence[pathlib.Path | None], limits: Limits) -> None:
        self._inputs = inputs
        self._limits = limits
        first = inputs[0] if inputs else None
        self.name = "" if first is None else paths.without_archive_suffix(paths.full_parts(first)[-1])

    def __enter__(self) -> Bundle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the use of the bundle; its members hold nothing open by themselves."""

    def members(self) -> Iterator[Member | Refused]:
        """Walk the inputs in the order given, folders sorted by name, archives in stored order.

        Paths are unique: a repeated one gets ``#2``, ``#3`` ... appended. May be called again for a second pass,
        except over standard input.
        """
        meter = Meter(self._limits)
        seen: Counter[str] = Counter()
        for count, item in enumerate(self._walk(Expander(meter))):
            if meter.exhausted:
                yield Refused(item.path, meter.reason)
                return
            if count >= self._limits.members:
                reason = f"more than {self._limits.members:,} members; the rest was not read"
                yield Refused(item.path, f"{reason} ({raised_by('members')})")
                return
            seen[item.path] += 1
            again = seen[item.path]
            yield item if again == 1 else msgspec.structs.replace(item, path=f"{item.path}#{again}")

    def _walk(self, expander: Expander) -> Iterator[Member | Refused]:
        named = [path for path in self._inputs if path is not None]
        labels = iter(paths.labels(named))
        alone = len(self._inputs) == 1
        for path in self._inputs:
            if path is None:
                raw = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
                with FileStream(raw, expander.meter, given=True) as stream:
                    yield from expander.stream(stream, Place(STDIN_NAME, "" if alone else f"{STDIN_NAME}!"))
            else:
                yield from self._input(expander, path, next(labels), alone=alone)

    @staticmethod
    def _input(expander: Expander, path: pathlib.Path, label: str, *, alone: bool) -> Iterator[Member | Refused]:
        try:
            status = path.stat()
        except OSError as error:
            yield Refused(label, (error.strerror or str(error)).lower())
            return
        if stat.S_ISDIR(status.st_mode):
            yield from _folder(expander, path, "" if alone else f"{label}/")
        elif stat.S_ISREG(status.st_mode):
            place = Place(label, "" if alone else f"{label}!", status.st_size, status.st_mtime)
            yield from expander.file(path, place)
        elif stat.S_ISFIFO(status.st_mode):
            with FileStream(path.open("rb", buffering=0), expander.meter, given=True) as stream:
                yield from expander.stream(stream, Place(label, "" if alone else f"{label}!"))
        else:
            yield Refused(label, f"{_special(status.st_mode)}, not a file")


def open_bundle(inputs: Sequence[str], limits: Limits = Limits()) -> Bundle:  # noqa: B008 - frozen
    """Open files, folders, archives and ``-`` (standard input) as one bundle.

    Args:
        inputs: Paths as the user gave them; one that is given twice counts once.
        limits: Caps on what is read.

    Raises:
        InputError: A path does not exist.
    """
    chosen: dict[str, pathlib.Path | None] = {}
    for text in inputs:
        if text == STDIN:
            chosen[STDIN] = None
            continue
        path = pathlib.Path(text)
        try:
            path.stat()
        except (FileNotFoundError, NotADirectoryError, ValueError) as error:
            raise InputError("no such file or folder", where=text, remedy="check the path") from error
        except OSError as error:
            raise InputError((error.strerror or str(error)).lower(), where=text, remedy="check permissions") from error
        chosen.setdefault(os.path.realpath(path), path)
    return Bundle(tuple(chosen.values()), limits)


def readable_again(inputs: Sequence[str]) -> bool:
    """Whether a second pass over the inputs gives the same: standard input and pipes give their bytes only once."""
    return STDIN not in inputs and not any(pathlib.Path(text).is_fifo() for text in inputs)


def _special(mode: int) -> str:
    return next((name for test, name in _SPECIAL if test(mode)), "special file")


def _folder(expander: Expander, root: pathlib.Path, prefix: str) -> Iterator[Member | Refused]:
    waiting = [(root, "")]
    while waiting:
        path, tree_path = waiting.pop()
        shown = prefix + paths.readable(tree_path)
        try:
            mode = path.lstat().st_mode if tree_path else path.stat().st_mode
            if stat.S_ISDIR(mode):
                names = sorted((child.name for child in path.iterdir()), key=os.fsencode, reverse=True)
                waiting += [(path / name, f"{tree_path}/{name}" if tree_path else name) for name in names]
                continue
        except OSError as error:
            yield Refused(shown.rstrip("/") or ".", (error.strerror or str(error)).lower())
            continue
        yield from _folder_entry(expander, path, mode, shown, tree_path)


def _folder_entry(
    expander: Expander, path: pathlib.Path, mode: int, shown: str, tree_path: str
) -> Iterator[Member | Refused]:
    if stat.S_ISLNK(mode):
        yield _folder_link(path, shown, tree_path)
    elif not stat.S_ISREG(mode):
        yield Refused(shown, f"{_special(mode)}, not a file")
    else:
        status = path.stat()
        yield from expander.file(path, Place(shown, f"{shown}!", status.st_size, status.st_mtime))


def _folder_link(path: pathlib.Path, shown: str, tree_path: str) -> Refused:
    try:
        target = paths.readable(str(path.readlink()))
    except OSError as error:
        return Refused(shown, (error.strerror or str(error)).lower())
    judged = link(shown, tree_path, target)
    if judged.status == "unrecognised" and not path.exists():
        return Refused(shown, f"link to {target}, which does not exist")
    return judged
