"""``python -m analyzer`` is ``fabtriage``."""

from __future__ import annotations

import sys

from analyzer.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
