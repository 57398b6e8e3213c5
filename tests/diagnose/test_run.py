"""From observations to an answer: causes on top, what they explain beneath, in the order of rank."""

from __future__ import annotations

from typing import Any

from analyzer.diagnose.run import Outcome, diagnose
from analyzer.facts.store import Store
from analyzer.model.analysis import Diagnosis
from analyzer.rulebook.schema import Cause
from tests.diagnose.builders import cause, row, store, symptoms

DAY_S = 86_400.0


def rule(slug: str, frame: str, **changes: Any) -> Cause:
    """A rule that accuses the node on which something was seen."""
    return cause(slug, subject={"node": frame}, symptoms=symptoms(**{frame: "root"}), **changes)


LINK = rule("link-lost", "down", explains=[{"cause": "job-failed", "within": ["-5s", "10min"]}])
JOB = rule("job-failed", "failed", layer="application")


def told(facts: Store) -> list[str]:
    return [found.cause for found in diagnose(facts).diagnoses]


def first(facts: Store) -> Diagnosis:
    return diagnose(facts).diagnoses[0]


def test_a_consequence_stands_under_its_cause() -> None:
    found = first(store([LINK, JOB], down=[row(100)], failed=[row(160)]))
    assert (found.cause, [effect.cause for effect in found.consequences]) == ("link-lost", ["job-failed"])


def test_a_consequence_on_another_node_stands_alone() -> None:
    assert sorted(told(store([LINK, JOB], down=[row(100)], failed=[row(160, node="n2")]))) == [
        "job-failed",
        "link-lost",
    ]


def test_a_consequence_before_its_cause_stands_alone() -> None:
    assert "job-failed" in told(store([LINK, JOB], down=[row(5000)], failed=[row(160)]))


def test_a_chain_of_consequences_stands_under_the_first_cause() -> None:
    crash = rule("rank-crashed", "crash", explains=[{"cause": "job-failed", "within": ["0s", "10min"]}])
    link = rule("link-lost", "down", explains=[{"cause": "rank-crashed", "within": ["0s", "10min"]}])
    found = first(store([link, crash, JOB], down=[row(100)], crash=[row(130)], failed=[row(160)]))
    assert {effect.cause: effect.via for effect in found.consequences} == {
        "rank-crashed": "link-lost", "job-failed": "rank-crashed",
    }  # fmt: skip


def test_the_chain_is_told_in_order_of_time() -> None:
    crash = rule("rank-crashed", "crash")
    effects = [{"cause": slug, "within": ["0s", "1h"]} for slug in ("job-failed", "rank-crashed")]
    link = rule("link-lost", "down", explains=effects)
    found = first(store([link, crash, JOB], down=[row(100)], crash=[row(130)], failed=[row(160)]))
    assert [step.cause for step in found.chain] == ["rank-crashed", "job-failed"]


def test_rows_are_explained_under_the_slug_that_the_rule_gives_them() -> None:
    link = rule("link-lost", "down", explains=[{"table": "errors", "where": "code = 12", "as": "transport-error"}])
    facts = store(
        [link], consequences=["transport-error"], down=[row(100)], errors=[row(code=12), row(code=5, job="1")]
    )
    (effect,) = first(facts).consequences
    assert (effect.cause, effect.title, effect.count) == ("transport-error", "about transport-error", 1)


def test_a_row_that_two_explanations_claim_is_told_once() -> None:
    twice = [{"table": "errors", "where": f"code > {least}", "as": "transport-error"} for least in (1, 2)]
    facts = store([rule("link-lost", "down", explains=twice)], down=[row(100)], errors=[row(code=12)])
    assert [effect.count for effect in first(facts).consequences] == [1]


def test_a_candidate_that_rests_on_explained_rows_alone_is_explained() -> None:
    link = rule("link-lost", "down", explains=[{"table": "failed", "as": "job-failed"}])
    assert told(store([link, JOB], down=[row(100)], failed=[row(160)])) == ["link-lost"]


def test_of_two_that_explain_each_other_the_earlier_is_the_cause() -> None:
    one = rule("one", "a", explains=[{"cause": "two"}])
    two = rule("two", "b", explains=[{"cause": "one"}])
    assert told(store([one, two], a=[row(200)], b=[row(100)])) == ["two"]


def test_a_consequence_that_nothing_explains_is_called_so() -> None:
    found = first(store([JOB], consequences=["job-failed"], failed=[row(160)]))
    assert found.unexplained_consequence


def test_a_cause_stands_before_a_consequence_that_nothing_explains() -> None:
    facts = store([rule("link-lost", "down"), JOB], consequences=["job-failed"], down=[row(300)], failed=[row(160)])
    assert told(facts) == ["link-lost", "job-failed"]


def outcome() -> Outcome:
    """A link lost a week before a job fails."""
    link = rule("link-lost", "down", severity="critical")
    job = rule("job-failed", "failed", severity="critical")
    return diagnose(store([link, job], down=[row(0)], failed=[row(7 * DAY_S)]))


def test_what_lies_before_the_incident_is_kept_apart() -> None:
    assert [found.cause for found in outcome().earlier] == ["link-lost"]


def test_each_list_is_ranked_from_one() -> None:
    assert [found.rank for found in (*outcome().diagnoses, *outcome().earlier)] == [1, 1]
