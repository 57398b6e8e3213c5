"""The error tree. Every error says what, where and what to do about it, in one line.

    FabtriageError
    ├── UsageError       the command line or an option is wrong
    ├── InputError       a path cannot be read at all
    │   └── LimitError   an input exceeds a stated limit (size, members, ratio, nesting)
    ├── RuleError        a rule file is wrong; carries every problem found
    ├── ProfileError     a site profile is wrong
    └── OutputError      the answer cannot be written where it was asked for

Damaged lines and members are not errors: they are counted and shown in the report's coverage.
"""

from __future__ import annotations


class FabtriageError(Exception):
    """Base of all errors the user may see.

    Attributes:
        what: What is wrong, without a trailing full stop.
        where: File, ``file:line`` or option concerned; empty if none.
        remedy: What the user can do about it.
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        hint = f" ({self.remedy})" if self.remedy else ""
        return f"{place}{self.what}{hint}"


class UsageError(FabtriageError):
    """The command line or an option is wrong."""


class InputError(FabtriageError):
    """A path cannot be read at all."""


class LimitError(InputError):
    """An input exceeds a stated limit."""


class RuleError(FabtriageError):
    """A rule file is wrong.

    Attributes:
        problems: Every problem found, each as one ``file:line: text`` line.
    """

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class ProfileError(FabtriageError):
    """A site profile is wrong."""


class OutputError(FabtriageError):
    """The answer cannot be written where it was asked for."""
