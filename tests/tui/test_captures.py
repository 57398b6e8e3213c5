"""Screens as text against their captures; set ``UPDATE_GOLDENS=1`` to write them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tui.answers import analysis, incident
from tests.tui.conftest import Shown, Size

CAPTURES = Path(__file__).parent / "captures"
SIZES = ((80, 24), (124, 26))
KEYS = {"why": (), "consequence": ("enter", "j"), "fix": ("f",), "verify": ("v",), "inputs": ("i",)}


def captured(name: str, size: Size, text: str) -> str:
    """The capture, written first when asked for."""
    file = CAPTURES / f"{name}-{size[0]}x{size[1]}.txt"
    if os.environ.get("UPDATE_GOLDENS"):
        file.write_text(text, encoding="utf-8", newline="\n")
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", KEYS)
async def test_incident(name: str, size: Size, shown: Shown) -> None:
    async with shown(incident(), size) as hand:
        screen = await hand.press(*KEYS[name])
        assert screen == captured(name, size, screen)


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_found(size: Size, shown: Shown) -> None:
    async with shown(analysis(), size) as hand:
        assert hand.screen == captured("nothing", size, hand.screen)
