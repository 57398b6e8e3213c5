"""The message of a log line without the stamp, host and program before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import parsers
from analyzer.model.analysis import Evidence, Input
from analyzer.model.stamps import Prefix
from analyzer.sources.identify import parser
from analyzer.tui.wording import shown

_READ_CHARACTERS = 2000


class Messages:
    """Knows the format of each input, and so where the messages of its lines begin.

    Args:
        inputs: What became of the inputs.
    """

    def __init__(self, inputs: Iterable[Input]) -> None:
        self._formats = {item.file: item.format for item in inputs}

    def of(self, evidence: Evidence) -> str:
        """The message of a cited line; the whole line where its format has no prefix."""
        prefix = self._prefix(evidence.file)
        head = evidence.text[:_READ_CHARACTERS].encode("utf-8", "replace")
        read = prefix(head) if prefix else None
        message = evidence.text if read is None else head[read.start :].decode("utf-8", "replace")
        return shown(message).strip()

    def _prefix(self, file: str) -> Callable[[bytes], Prefix | None] | None:
        name = self._formats.get(file, "").replace("-", "_")
        found: Callable[[bytes], Prefix | None] | None = None
        if name in parsers.names():
            found = getattr(parser(name), "prefix", None)
        return found
