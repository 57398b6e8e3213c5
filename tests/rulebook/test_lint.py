"""Each refusal of ``rules check``, by one change to a folder without problems."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import user_cache
from analyzer.rulebook.check import check
from tests.rulebook.folder import ACTIONS, CAUSE, EVENTS, SOURCES, write, write_files


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(user_cache.VARIABLE, str(tmp_path / "cache"))


def problems(rules: Path) -> list[str]:
    return [text.removeprefix(f"{rules}/") for text in check([rules])]


def test_a_right_folder_has_no_problem(tmp_path: Path) -> None:
    assert problems(write(tmp_path)) == []


COLD = 'cold: {role: root, event: kitchen.cup, where: "celsius < 40"}'
EXPLAINS = "{event: kitchen.sigh, on: {host: node}, within: [0s, 5min], as: sad-operator}"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("cause: cold-coffee", "cause: hot-tea", "2: slug `hot-tea` is not in causes.toml"),
        ("cause: cold-coffee", "cause: hot-tea", "2: the file of this cause is named hot-tea.yaml"),
        ("layer: host", "layer: gpu", "5: layer is `host` in causes.toml"),
        ("{cup} cup", "{mug} cup", "7: nothing fills the placeholder {mug}"),
        ("subject: {node: node}", "subject: {node: cellar}", "8: `cellar` is no symptom"),
        ("subject: {node: node}", "subject: {node: node, gpu: node}", "8: the subject has exactly one entity kind"),
        ("event: kitchen.cup", "event: kitchen.mug", "10: unknown event `kitchen.mug`"),
        ("event: kitchen.cup", "table: mugs", "10: unknown table `mugs`"),
        ("event: kitchen.cup, ", "", "10: give exactly one of event, table, line"),
        ("celsius < 40", "warmth < 40", '10: where: unable to find column "warmth"'),
        ("celsius < 40", "celsius", "10: where: gives Int64, not true or false"),
        ("celsius < 40", "celsius < AVG(celsius)", "10: where: function AVG() is not among the row-local ones"),
        ("celsius < 40", "celsius < (SELECT 1)", "10: where: SELECT looks beyond the row"),
        ("celsius < 40", "SUM(celsius) OVER () < 1", "10: where: OVER looks beyond the row"),
        ("celsius < 40", "celsius < '40'", "10: where: cannot compare string with numeric type"),
        ("celsius < 40", "1 = 1", "10: where: no column is used"),
        ("celsius < 40", "celsius <", "10: where: "),
        (COLD, COLD[:-1] + ", count: {min: 2, per: [mug]}}", "10: `mug` is neither a column nor an entity kind"),
        (COLD, COLD[:-1] + ", count: {min: 2, within: soon}}", "10: not a duration: 'soon'"),
        (COLD, COLD[:-1] + ", lasts: {min: 5min, ended_by: gone}}", "10: unknown symptom `gone`"),
        (COLD, COLD[:-1] + ", odd: {value: mug}}", "10: unknown column `mug`"),
        (COLD, COLD[:-1] + ", odd: {value: celsius, among: [mug]}}", "10: unknown column `mug`"),
        (COLD, COLD[:-1] + ", lookup: {catalogue: menu, key: celsius}}", "10: unknown or unreadable catalogue `menu`"),
        (COLD, COLD[:-1] + ", within: [5s, 1s]}", "10: the window ends before it begins"),
        (COLD, COLD[:-1] + ", on: {mug: node}}", "10: `mug` is neither a column nor an entity kind"),
        (COLD, COLD[:-1] + ", on: {node: gone.node}}", "10: unknown symptom `gone`"),
        ("role: root", "role: confirms", "9: no root symptom"),
        (COLD, COLD + "\n  late: {role: against, event: kitchen.sigh}", "11: `late` is used by nothing"),
        ("explains:", "logic: {all: [cold, gone]}\nexplains:", "11: unknown symptom `gone`"),
        ("explains:", "recovers: gone\nexplains:", "11: unknown symptom `gone`"),
        (EXPLAINS, "{cause: sad-operator, event: kitchen.sigh}", "12: give exactly one of cause, event, table"),
        (EXPLAINS, "{event: kitchen.sigh}", "12: `as` is missing"),
        (EXPLAINS, "{use: gloom}", "12: unknown list of consequences `gloom`"),
        (EXPLAINS, "{use: gloom, cause: sad-operator}", "12: unknown list of consequences `gloom`"),
        (EXPLAINS, "{event: kitchen.sigh, as: glad-operator}", "12: unknown slug `glad-operator`"),
        (EXPLAINS, "{cause: glad-operator}", "12: unknown slug `glad-operator`"),
        (EXPLAINS, "{event: kitchen.yawn, as: sad-operator}", "12: unknown event `kitchen.yawn`"),
        ("on: {host: node}", "on: {host: cold.node}", "12: `cold.node` is neither an entity kind nor a column"),
        ("on: {host: node}", "on: {desk: node}", "12: `desk` is neither a column nor an entity kind"),
        ("within: [0s, 5min]", "within: [0s, later]", "12: not a duration: 'later'"),
        ("{base: 0.9}", "{base: 0.9, terms: [{add: 0.1, text: x, present: gone}]}", "13: unknown symptom `gone`"),
        ("{base: 0.9}", "{base: 0.9, terms: [{add: 0.1, text: x}]}", "13: give exactly one of present, absent"),
        ("use: warm_up", "use: cool_down", "15: unknown action `cool_down`"),
        ("use: warm_up", "use: warm_up, text: x", "15: give exactly one of use, text"),
        ("use: warm_up", "use: warm_up, command: x", "15: an action brings its own command"),
        ("expect: it is hot", "expect: '{mug}'", "17: nothing fills the placeholder {mug}"),
        ("[house_rules]", "[grapevine]", "18: unknown source `grapevine`"),
        ("[house_rules]", "[hearsay]", "18: no primary source"),
        ("kind: negative", "kind: positive", "19: no negative example"),
        ('["kitchen.log:2"]', "[]", "20: a positive example states its evidence"),
        ("kitchen.log:2", "kitchen.log:3", "20: `kitchen.log:3`: the file has no such line"),
        ("kitchen.log:2", "cellar.log:1", "20: `cellar.log:1`: the example has no such file"),
        ("kitchen.log:2", "kitchen.log", "20: `kitchen.log` is not path:line or path:eventN"),
        ("files: {kitchen.log", "files: {../kitchen.log", "27: `../kitchen.log` is not a path inside the bundle"),
        ("why: it is hot", "why: it is hot\n    root: sad-operator", "27: a consequence, and only it, states the root"),
    ],
)
def test_a_cause_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in CAUSE
    found = problems(write(tmp_path, kitchen__cold_coffee__yaml=CAUSE.replace(old, new)))

    assert any(text.startswith(f"kitchen/cold-coffee.yaml:{problem}") for text in found), found


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("cup (?P<cup>", "(?=cup)cup (?P<cup>", "3: look-ahead (?= is outside the common subset"),
        ("cup (?P<cup>", "cup (", "3: a group without a name"),
        ("(?P<cup>", "(?P<line>", "4: group `line` has the name of a column that every event has"),
        ("celsius: {type: int}", "kelvin: {type: int}", "4: field `kelvin` is captured by no pattern"),
        ("lines: ['cup", "formats: [cutlery]\n  lines: ['cup", "3: no format carries the family `cutlery`"),
        ("samples: ['cup blue at 21 degrees']", "samples: ['mug at rest']", "6: sample is not matched: 'mug at rest'"),
        ("degrees']\n  fields", "degrees', 'never']\n  fields", "6: no sample for 'never'"),
        ("near_misses: ['cup blue at rest']", "near_misses: ['cup red at 3 degrees']", "6: near miss is matched"),
    ],
)
def test_an_event_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in EVENTS
    found = problems(write(tmp_path, kitchen__events__yaml=EVENTS.replace(old, new, 1)))

    assert any(text.startswith(f"kitchen/events.yaml:{problem}") for text in found), found


BENIGN = """\
steam:
  title: Steam over a cup
  why: hot coffee steams
  event: kitchen.cup
  where: celsius > 60
  sources: [house_rules]
  samples: [cup red at 80 degrees]
"""


def test_a_benign_signature_is_accepted(tmp_path: Path) -> None:
    assert problems(write_files(write(tmp_path), {"kitchen/benign.yaml": BENIGN})) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("steam:", "cold-coffee:", "1: `cold-coffee` is not a benign slug"),
        ("kitchen.cup", "kitchen.mug", "1: unknown event `kitchen.mug`"),
        ("celsius > 60", "kelvin > 300", "5: where: unable to find column"),
        ("house_rules", "grapevine", "6: unknown source `grapevine`"),
        ("cup red at 80 degrees", "mug red", "7: sample is not matched"),
    ],
)
def test_a_benign_signature_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    found = problems(write_files(write(tmp_path), {"kitchen/benign.yaml": BENIGN.replace(old, new)}))

    assert any(text.startswith(f"kitchen/benign.yaml:{problem}") for text in found), found


def test_a_shared_action_knows_only_kinds_of_parts(tmp_path: Path) -> None:
    found = problems(write(tmp_path, actions__yaml=ACTIONS.replace("{node}", "{celsius}")))

    assert found == ["actions.yaml:3: nothing fills the placeholder {celsius}"]


def test_what_is_collected_is_a_family_or_a_table(tmp_path: Path) -> None:
    rules = write_files(write(tmp_path), {"collect.yaml": "ib_links: {what: x, how: y}\ncups: {what: x, how: y}\n"})

    assert problems(rules) == ["collect.yaml:2: `cups` is no family of messages and no table"]


GLOOM = """\
gloom:
  title: gloom
  explains:
    - {cause: sad-operator, within: [0s, 5min]}
"""


def test_a_list_of_consequences_may_be_used(tmp_path: Path) -> None:
    rules = write(tmp_path, kitchen__cold_coffee__yaml=CAUSE.replace(EXPLAINS, "{use: gloom}"))

    assert problems(write_files(rules, {"consequences.yaml": GLOOM})) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("sad-operator", "glad-operator", "4: unknown slug `glad-operator`"),
        ("within: [0s, 5min]", "on: {node: cup}", "4: `cup` is neither an entity kind nor a column"),
        ("cause: sad-operator", "use: gloom", "4: give exactly one of cause, event, table"),
    ],
)
def test_a_list_of_consequences_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    found = problems(write_files(write(tmp_path), {"consequences.yaml": GLOOM.replace(old, new)}))

    assert any(text.startswith(f"consequences.yaml:{problem}") for text in found), found


def test_a_lookup_adds_the_catalogues_columns(tmp_path: Path) -> None:
    looked_up = 'cold: {role: root, event: kitchen.cup, lookup: {catalogue: menu, key: cup}, where: "menu_price > 2"}'
    rules = write(tmp_path, kitchen__cold_coffee__yaml=CAUSE.replace(COLD, looked_up))
    write_files(rules, {"kitchen/menu.csv": "name,price\nblue,3\n"})

    assert problems(rules) == []


def test_every_problem_of_every_file_is_reported_in_order(tmp_path: Path) -> None:
    rules = write(
        tmp_path,
        kitchen__cold_coffee__yaml=CAUSE.replace("{cup}", "{mug}").replace("use: warm_up", "use: cool_down"),
        kitchen__events__yaml=EVENTS.replace("'cup blue at rest'", "'cup red at 3 degrees'"),
        sources__yaml=SOURCES.replace("primary: true", "primary: maybe"),
    )

    assert [text.split(": ")[0] for text in problems(rules)] == [
        "sources.yaml:6", "kitchen/cold-coffee.yaml:7", "kitchen/cold-coffee.yaml:15", "kitchen/cold-coffee.yaml:18",
        "kitchen/cold-coffee.yaml:18", "kitchen/events.yaml:6",
    ]  # fmt: skip
