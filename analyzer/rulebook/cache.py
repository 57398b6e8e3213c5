"""The typed rulebook kept as msgpack in the user's cache, so that a start need not read YAML."""

from __future__ import annotations

import contextlib
import hashlib
import os

import msgspec

from analyzer import user_cache
from analyzer.rulebook.schema import Rulebook

_CODE = ("schema.py", "document.py", "typed.py", "files.py", "draft.py", "columns.py", "lint.py")
_MOST = 9
"""Rulebooks kept; each edit of a rule makes one."""


def name(revision: str, places: list[str]) -> str:
    """File name for one state of the rules, of where they are and of the code that reads them."""
    digest = hashlib.blake2b(revision.encode(), digest_size=12)
    for place in places:
        digest.update(place.encode(errors="surrogateescape") + b"\0")
    here = os.path.dirname(__file__)  # noqa: PTH120 - see files.py
    for module in _CODE:
        with contextlib.suppress(OSError), open(f"{here}/{module}", "rb") as stream:  # noqa: PTH123
            digest.update(stream.read())
    return f"rulebook-{digest.hexdigest()}.msgpack"


def get(key: str) -> Rulebook | None:
    """The rulebook stored under ``key``; None if there is none or it cannot be read."""
    try:
        data = (user_cache.folder() / key).read_bytes()
        return msgspec.msgpack.decode(data, type=Rulebook)
    except (OSError, RuntimeError, msgspec.MsgspecError):
        return None


def put(key: str, rulebook: Rulebook) -> None:
    """Store a rulebook; a cache that cannot be written is left alone."""
    with contextlib.suppress(OSError, RuntimeError):
        target = user_cache.folder()
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        user_cache.keep(target / key, msgspec.msgpack.encode(rulebook), _MOST)
