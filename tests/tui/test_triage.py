"""What the keys of the triage screen do."""

from __future__ import annotations

import pytest

from analyzer.model.analysis import Evidence
from tests.tui.answers import analysis, diagnosis, incident
from tests.tui.conftest import Hand, Shown


def _place(screen: str) -> str:
    """The heading of the evidence."""
    return next(line.strip() for line in screen.splitlines() if line.startswith(" Evidence"))


async def test_first_cause_and_its_proof_need_no_key(shown: Shown) -> None:
    async with shown(incident()) as hand:
        assert "GPU 0000:3b:00.0 of n07 stopped answering on PCIe (Xid 79)" in hand.screen
        assert "> 10 Mar  3 04:05:09 n07 kernel: NVRM: Xid (PCI:0000:3b:00): 79" in hand.screen


async def test_proof_is_listed_by_its_messages(shown: Shown) -> None:
    async with shown(incident()) as hand:
        assert "> 1 04:05:09 kern.log:10 ×3  NVRM: Xid (PCI:0000:3b:00): 79" in hand.screen


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ("", "Evidence 1/2 · proof · one of 3 alike  n07/kern.log:10"),
        ("n", "Evidence 2/2 · confirms  job/rank3.log:77"),
        ("nn", "Evidence 1/2 · proof · one of 3 alike  n07/kern.log:10"),
        ("N", "Evidence 2/2 · confirms  job/rank3.log:77"),
        ("nj", "Evidence 1/1 · speaks against  L1.sor:event 2"),
    ],
)
async def test_evidence_is_walked_across_files(keys: str, place: str, shown: Shown) -> None:
    async with shown(incident()) as hand:
        assert _place(await hand.press(*keys)) == place


async def test_consequences_are_folded_until_opened(shown: Shown) -> None:
    async with shown(incident()) as hand:
        assert "└" not in hand.screen
        assert (await hand.press("enter")).count("└") == 2
        assert "└" not in await hand.press("enter")


async def test_closing_from_a_consequence_goes_back_to_its_cause(shown: Shown) -> None:
    async with shown(incident()) as hand:
        screen = await hand.press("l", "j", "j", "h")
        assert "└" not in screen
        assert _place(screen).endswith("n07/kern.log:10")


async def test_consequence_shows_its_own_evidence_and_the_repair_of_its_cause(shown: Shown) -> None:
    async with shown(incident()) as hand:
        assert _place(await hand.press("l", "j")).endswith("job/rank3.log:77")
        assert "The repair is that of its cause:" in await hand.press("f")


async def test_consequence_without_a_line_says_so(shown: Shown) -> None:
    async with shown(incident()) as hand:
        assert _place(await hand.press("l", "j", "j")) == "Evidence: none"


async def test_earlier_diagnoses_are_a_folded_group(shown: Shown) -> None:
    async with shown(incident(), (124, 26)) as hand:
        assert (hand.screen.count("1 INFO"), hand.screen.count("▸ earlier")) == (0, 1)
        assert (await hand.press("G", "enter")).count("1 INFO") == 1


async def test_pages_turn_in_a_circle(shown: Shown) -> None:
    async with shown(incident()) as hand:
        for key, page in zip("]]]][", ("Fix", "Verify", "Inputs", "Why", "Inputs"), strict=True):
            name = "right_square_bracket" if key == "]" else "left_square_bracket"
            assert f"[{page}]" in await hand.press(name)


async def test_tab_goes_through_the_panes_and_escape_back_to_the_causes(shown: Shown) -> None:
    async with shown(incident()) as hand:
        seen = []
        for key in ("tab", "tab", "escape"):
            await hand.press(key)
            seen.append(hand.app.focused.id if hand.app.focused else None)
        assert seen == ["page", "evidence", "causes"]


async def test_enter_reads_on_where_nothing_is_folded(shown: Shown) -> None:
    async with shown(incident()) as hand:
        await hand.press("j", "enter")
        assert hand.app.focused is not None
        assert hand.app.focused.id == "page"


async def test_zoom_shows_all_the_context_and_escape_ends_it(shown: Shown) -> None:
    async with shown(incident()) as hand:
        zoomed = await hand.press("z")
        assert ("1 Mar  3 04:05:00" in zoomed, "[Why]" in zoomed) == (True, False)
        assert "[Why]" in await hand.press("escape")


async def test_opening_a_page_ends_the_zoom_of_the_evidence(shown: Shown) -> None:
    async with shown(incident()) as hand:
        assert "[Fix]" in await hand.press("z", "f")


async def _copies(hand: Hand, *keys: str) -> list[str]:
    found = []
    for key in keys:
        await hand.press(key)
        if key == "c":
            found.append(hand.app.clipboard)
    return found


async def test_copy_takes_the_evidence_with_its_place(shown: Shown) -> None:
    async with shown(incident()) as hand:
        assert await _copies(hand, "n", "c") == ["job/rank3.log:77: n08:12:99 [3] NCCL INFO peer closed"]
        await hand.until_shown("OSC 52")


async def test_copy_takes_the_commands_of_a_page_one_by_one(shown: Shown) -> None:
    async with shown(incident()) as hand:
        drain, cycle = "scontrol update nodename=n07 state=drain", "ipmitool power cycle"
        assert await _copies(hand, "f", "c", "c", "c") == [drain, cycle, drain]


async def test_help_is_made_of_the_bindings(shown: Shown) -> None:
    async with shown(incident(), (124, 60)) as hand:
        screen = await hand.press("question_mark")
        assert all(text in screen for text in ("Next line of evidence", "Wrap the lines around", "j, ↓"))
        assert "Wrap the lines around" not in await hand.press("escape")


async def test_keys_of_the_footer_fit_80_columns(shown: Shown) -> None:
    async with shown(incident()) as hand:
        assert hand.screen.splitlines()[-1].endswith("? Help  q Quit")


async def test_q_quits(shown: Shown) -> None:
    async with shown(incident()) as hand:
        await hand.press("q")
        assert not hand.app.is_running


async def test_theme_can_be_light(shown: Shown) -> None:
    async with shown(incident()) as hand:
        await hand.press("t")
        assert hand.app.current_theme.dark is False


async def test_a_unique_key_per_action(shown: Shown) -> None:
    async with shown(incident()) as hand:
        keys = [getattr(binding, "key", "") for binding in type(hand.app.screen).BINDINGS]
        assert len(keys) == len(set(keys))


async def test_nothing_found_says_what_was_read_and_what_not(shown: Shown) -> None:
    async with shown(analysis()) as hand:
        assert "Nothing wrong found in what was read." in hand.screen
        assert "n08/dump.bin unreadable: gzip data ends early" in hand.screen
        assert "Fix" not in hand.screen


async def test_no_verdict_is_not_called_healthy(shown: Shown) -> None:
    async with shown(analysis(verdict="unknown")) as hand:
        assert "No verdict: too little could be read." in hand.screen


@pytest.mark.parametrize("size", [(80, 24), (124, 26), (20, 6), (300, 80)])
async def test_hostile_text_is_shown_as_it_stands(size: tuple[int, int], shown: Shown) -> None:
    hostile = "\x1b[31m[red]a[/red]\x1b]0;t\x07 [link=x]\u202eb\u0000 \udcff $error" + "x" * 9000
    evil = diagnosis(
        explanation=hostile,
        title=hostile,
        entities={"node": [hostile] * 20},
        evidence=(Evidence(file=f"n07/{hostile}", text=hostile, line=5, context=(hostile,) * 9, context_line=1),) * 3,
        not_proof_of=(hostile,),
    )
    async with shown(analysis(evil), size) as hand:
        screen = await hand.press("n", "f", "w", "c")
        assert not {"\x1b", "\u202e", "\u0000", "\x07"} & set(screen)
        if size == (124, 26):
            assert "[red]a[/red] [link=x]b" in screen
