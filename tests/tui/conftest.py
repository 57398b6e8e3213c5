"""The application with a prepared answer, and what stands on its screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from analyzer.model.analysis import Analysis
from analyzer.tui.app import FabtriageApp
from analyzer.tui.job import Run

_PATIENCE_S = 30

Size = tuple[int, int]
Shown = Callable[..., AbstractAsyncContextManager["Hand"]]


class Hand:
    """Presses keys and reads the screen."""

    def __init__(self, app: FabtriageApp, pilot: Pilot[None]) -> None:
        self.app = app
        self._pilot = pilot

    async def press(self, *keys: str) -> str:
        """Press keys one after the other and return the screen."""
        for key in keys:
            await self._pilot.press(key)
            await self.settle()
        return self.screen

    async def settle(self) -> None:
        """Wait until everything is painted."""
        await self._pilot.pause()
        await self._pilot.pause()

    async def until(self, kind: type[Screen[None]]) -> None:
        """Wait for a screen."""
        async with asyncio.timeout(_PATIENCE_S):
            while not isinstance(self.app.screen, kind):
                await self._pilot.pause()
        await self.settle()

    async def until_shown(self, text: str) -> None:
        """Wait for a text."""
        async with asyncio.timeout(_PATIENCE_S):
            while text not in self.screen:
                await self._pilot.pause()

    @property
    def screen(self) -> str:
        """The text on the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "".join(f"{strip.text.rstrip()}\n" for strip in strips)


@asynccontextmanager
async def opened(run: Run, size: Size = (80, 24)) -> AsyncIterator[Hand]:
    """The application with this run, on its first screen."""
    app = FabtriageApp(run, "bundle")
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Hand(app, pilot)


@pytest.fixture
def shown() -> Shown:
    """Opens the application on an answer and waits for the triage screen."""
    from analyzer.tui.screens.triage import TriageScreen

    @asynccontextmanager
    async def show(answer: Analysis, size: Size = (80, 24)) -> AsyncIterator[Hand]:
        async with opened(lambda _: answer, size) as hand:
            await hand.until(TriageScreen)
            yield hand

    return show
