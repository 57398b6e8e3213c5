"""Argument parsing whose errors are one line."""

from __future__ import annotations

import argparse
from typing import NoReturn

from analyzer.errors import UsageError

STDIN = "-"


class Parser(argparse.ArgumentParser):
    """An argument parser that raises ``UsageError`` instead of printing the usage and leaving."""

    def error(self, message: str) -> NoReturn:
        """Report a wrong command line."""
        raise UsageError(message, remedy=f"see {self.prog} --help")
