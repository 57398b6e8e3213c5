from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from analyzer import user_cache
from analyzer.errors import RuleError
from analyzer.rulebook.load import load
from tests.rulebook.folder import CAUSE, EVENTS, SOURCES, VOCABULARY, write, write_files


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(user_cache.VARIABLE, str(tmp_path / "cache"))


def problems(*folders: Path) -> list[str]:
    with pytest.raises(RuleError) as caught:
        load(folders, check=True)
    return caught.value.problems


def test_a_folder_becomes_one_rulebook(tmp_path: Path) -> None:
    rulebook = load([write(tmp_path / "rules")], check=True)

    assert list(rulebook.causes) == ["cold-coffee"]
    assert list(rulebook.events) == ["kitchen.cup", "kitchen.sigh"]
    assert set(rulebook.references) == {"house_rules", "hearsay"}
    assert rulebook.vocabulary["steam"].kind == "benign"
    assert rulebook.untrusted == ()


def test_a_list_of_consequences_is_put_in_where_it_is_used(tmp_path: Path) -> None:
    used = CAUSE.replace("explains:", "explains:\n  - {use: gloom}")
    rules = write(tmp_path / "rules", kitchen__cold_coffee__yaml=used)
    write_files(rules, {"consequences.yaml": "gloom: {title: gloom, explains: [{cause: sad-operator}]}\n"})

    assert [edge.cause or edge.as_ for edge in load([rules]).causes["cold-coffee"].explains] == [
        "sad-operator", "sad-operator",
    ]  # fmt: skip


def test_groups_that_no_field_declares_are_text(tmp_path: Path) -> None:
    rulebook = load([write(tmp_path / "rules")])

    assert {name: field.type for name, field in rulebook.events["kitchen.cup"].fields.items()} == {
        "celsius": "int", "cup": "str",
    }  # fmt: skip


def test_the_first_type_error_of_every_file_is_raised_at_once(tmp_path: Path) -> None:
    rules = write(
        tmp_path / "rules",
        kitchen__cold_coffee__yaml=CAUSE.replace("rev: 1", "rev: one"),
        kitchen__events__yaml=EVENTS.replace("{type: int}", "{type: whole}"),
        sources__yaml=SOURCES.replace("read: 2026-11", "read: lately", 1),
    )

    assert [text.removeprefix(str(rules)) for text in problems(rules)][:3] == [
        "/kitchen/cold-coffee.yaml:3: expected a whole number, got text at `rev`",
        "/kitchen/events.yaml:5: invalid enum value 'whole' at `fields.celsius.type`",
        "/sources.yaml:5: expected text matching regex '^20\\\\d\\\\d-\\\\d\\\\d(-\\\\d\\\\d)?$' at `read`",
    ]


def test_an_unknown_key_is_named_at_its_own_line(tmp_path: Path) -> None:
    rules = write(tmp_path / "rules", kitchen__cold_coffee__yaml=CAUSE.replace("fix:", "remedy: []\nfix:"))

    assert f"{rules}/kitchen/cold-coffee.yaml:14: unknown key `remedy`" in problems(rules)


def test_a_wrong_key_of_a_mapping_is_found(tmp_path: Path) -> None:
    text = CAUSE.replace("symptoms:\n", "symptoms:\n  Warm: {role: root, event: kitchen.cup}\n")
    rules = write(tmp_path / "rules", kitchen__cold_coffee__yaml=text)

    assert any("cold-coffee.yaml:10: expected text matching" in text for text in problems(rules))


def test_a_name_given_twice_in_one_folder_is_refused(tmp_path: Path) -> None:
    rules = write_files(write(tmp_path / "rules"), {"garden/events.yaml": EVENTS})

    assert any("`kitchen.cup` is already given in" in text for text in problems(rules))


def test_inline_patterns_become_events_named_after_cause_and_symptom(tmp_path: Path) -> None:
    text = CAUSE.replace(
        "symptoms:\n", "symptoms:\n  open: {role: confirms, line: ['door (?P<state>open)']}\n"
    ).replace('["kitchen.log:2"]', '["kitchen.log:1", "kitchen.log:2"]')
    rulebook = load([write(tmp_path / "rules", kitchen__cold_coffee__yaml=text)], check=True)

    event = rulebook.events["cold_coffee.open"]
    assert event.lines == ("door (?P<state>open)",)
    assert event.samples == ("door open", "cup blue at 21 degrees")
    assert list(event.fields) == ["state"]


def test_a_later_folder_replaces_by_name_and_is_untrusted(tmp_path: Path) -> None:
    shipped = write(tmp_path / "rules")
    own = write_files(
        tmp_path / "own",
        {"events.yaml": EVENTS.split("kitchen.sigh")[0], "cold-coffee.yaml": CAUSE.replace("rev: 1", "rev: 2")},
    )
    rulebook = load([shipped, own])

    assert rulebook.causes["cold-coffee"].rev == 2
    assert rulebook.untrusted == ("kitchen.cup",)


def test_a_users_rules_are_checked_without_being_asked(tmp_path: Path) -> None:
    own = write_files(tmp_path / "own", {"cold-coffee.yaml": CAUSE.replace("celsius < 40", "warmth < 40")})

    with pytest.raises(RuleError, match=r"cold-coffee\.yaml:10: where: .*warmth"):
        load([write(tmp_path / "rules"), own])


def test_other_toml_files_and_notes_are_left_alone(tmp_path: Path) -> None:
    rules = write_files(write(tmp_path / "rules"), {"nodes.toml": "x = 1", "README.md": "read me"})

    assert load([rules], check=True).causes


def test_broken_vocabulary_is_a_problem_with_its_line(tmp_path: Path) -> None:
    rules = write(tmp_path / "rules", causes__toml=VOCABULARY + "\n[[cause\n")

    assert any(text.startswith(f"{rules}/causes.toml:19:") for text in problems(rules))


def test_a_folder_that_is_none_is_a_problem(tmp_path: Path) -> None:
    assert problems(tmp_path / "gone") == [f"{tmp_path}/gone:1: no such rule folder"]


def test_the_revision_depends_on_contents_and_not_on_the_place(tmp_path: Path) -> None:
    first, second = load([write(tmp_path / "a")]), load([write(tmp_path / "b")])
    third = load([write(tmp_path / "c", kitchen__cold_coffee__yaml=CAUSE.replace("rev: 1", "rev: 2"))])

    assert first.revision == second.revision != third.revision


def test_the_cache_answers_until_a_file_changes(tmp_path: Path) -> None:
    rules = write(tmp_path / "rules")
    cold = load([rules])
    (stored,) = (tmp_path / "cache").glob("rulebook-*.msgpack")
    warm = load([rules])
    write(rules, kitchen__cold_coffee__yaml=CAUSE.replace("rev: 1", "rev: 2"))

    assert warm == cold
    assert stored.parent.stat().st_mode & 0o777 == 0o700
    assert load([rules]).causes["cold-coffee"].rev == 2


@pytest.mark.parametrize("damage", [b"", b"\x00" * 40, b"\x81\xa1a\x01"])
def test_a_damaged_cache_is_ignored(tmp_path: Path, damage: bytes) -> None:
    rules = write(tmp_path / "rules")
    cold = load([rules])
    (stored,) = (tmp_path / "cache").glob("rulebook-*.msgpack")
    stored.write_bytes(damage)

    assert load([rules]) == cold


def test_a_cache_that_cannot_be_written_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(user_cache.VARIABLE, str(tmp_path / "file"))

    assert load([write(tmp_path / "rules")]).causes


def test_a_warm_start_imports_neither_yaml_nor_polars(tmp_path: Path) -> None:
    rules = write(tmp_path / "rules")
    load([rules])
    code = (
        "import sys, pathlib; from analyzer.rulebook.load import load;"
        f"load([pathlib.Path({str(rules)!r})]);"
        "print(sorted({'yaml', 'polars', 'regex', 'hyperscan'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
