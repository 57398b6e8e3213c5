"""Text from a log or a file's name cannot steer the screens."""

from __future__ import annotations

import pytest

from tests.hostile_text import MARKUP, STEERING, poisoned
from tests.tui.answers import incident
from tests.tui.conftest import Shown


@pytest.mark.parametrize("keys", ["", "n", "enter", "j", "f", "v", "i", "c"])
async def test_every_page_shows_it_as_plain_text(keys: str, shown: Shown) -> None:
    async with shown(poisoned(incident()), (240, 60)) as hand:
        screen = await hand.press(*([keys] if keys else []))
        assert STEERING.isdisjoint(screen)
        assert MARKUP in screen
