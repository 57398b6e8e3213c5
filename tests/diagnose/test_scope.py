"""The question "why did job 90417 die" leaves the diagnoses that concern the job."""

from __future__ import annotations

from analyzer.diagnose.scope import scoped
from tests.diagnose.builders import diagnosis

FOUND = (
    diagnosis(1, {"node": ["n1"]}),
    diagnosis(2, {"node": ["n2"]}, {"job": ["7"]}),
    diagnosis(3, {"node": ["n2"], "job": ["8"]}),
)


def nodes_and_jobs(job: str | None, node: str | None) -> list[tuple[int, str]]:
    return [(found.rank, found.entities["node"][0]) for found in scoped(FOUND, job, node)]


def test_without_a_question_everything_stays() -> None:
    assert scoped(FOUND, None, None) == FOUND


def test_a_node_is_asked_for_by_name() -> None:
    assert nodes_and_jobs(None, "n1") == [(1, "n1")]


def test_a_cause_concerns_a_job_through_its_consequences() -> None:
    assert nodes_and_jobs("7", None) == [(1, "n2")]


def test_job_and_node_must_both_be_concerned() -> None:
    assert nodes_and_jobs("7", "n1") == []


def test_what_is_left_is_ranked_anew() -> None:
    assert nodes_and_jobs(None, "n2") == [(1, "n2"), (2, "n2")]
