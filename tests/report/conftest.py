"""One report with everything in it, hostile names included."""

from __future__ import annotations

import pytest

from analyzer.model.analysis import (
    Analysis,
    ChainLink,
    ConfidenceTerm,
    Consequence,
    Coverage,
    Diagnosis,
    Evidence,
    FixStep,
    Input,
    Missing,
    Tool,
    VerifyStep,
    Window,
)

ONSET = "2026-03-09T04:41:27.000Z"
NODE = {"node": ["cn012"]}


@pytest.fixture
def analysis() -> Analysis:
    """A bent fibre that took a link down, one earlier finding, one unreadable input."""
    proof = Evidence(
        file="optics/LK-0212.csv", line=27, text="LK-0212-F03;1550;3;Non-Reflective;41.5;0,500;---",
        context=("before", "LK-0212-F03;1550;3;Non-Reflective;41.5;0,500;---", "after"), context_line=26,
    )  # fmt: skip
    storm = Evidence(
        file="nodes/cn012/messages", line=4, node="cn012", time=ONSET, uncertainty_s=0.5, role="confirms",
        text="\x1b[31mlink\x1b[0m [bold]down[/bold] <script>", occurrences=11,
    )  # fmt: skip
    trace = Evidence(file="optics/LK-0212.sor", event=3, text="event 3 at 41.5 m", role="against")
    first = Diagnosis(
        rank=1, cause="fibre-macrobend", severity="critical", confidence=0.86, title="Fibre bent too tightly",
        explanation="LK-0212-F03 is bent 41.5 m from R12-PP2-05.", layer="fibre", unexplained_consequence=False,
        entities={**NODE, "fibre": ["LK-0212-F03"], "rank": ["1", "2", "3", "4", "5"]}, first_seen=ONSET,
        last_seen="2026-03-09T04:41:30.000Z", state="recovered", occurrences=12, evidence=(proof, storm, trace),
        chain=(ChainLink(cause="link-down", text="Link down", time=ONSET, entities=NODE),),
        consequences=(
            Consequence(cause="link-down", title="Link down", count=11, entities=NODE, evidence=(storm,), via="x"),
        ),
        alternatives=(), confidence_terms=(ConfidenceTerm(text="both wavelengths measured", value=0.86),),
        fix=(
            FixStep(text="Release the bend", risk="safe"),
            FixStep(text="Replace the cable", risk="disruptive", command="scontrol update nodename=cn012 state=drain"),
        ),
        verify=(VerifyStep(text="Measure again", command="iblinkinfo", expect="4X on both ends"),),
        not_proof_of=("A bad splice.",), sources=("EXFO manual; read 2026-11",),
    )  # fmt: skip
    consequence = Diagnosis(
        rank=2, cause="job-failed", severity="warning", confidence=0.5, title="Job failed",
        explanation="Job 7 failed.", layer="scheduler", unexplained_consequence=True, entities={"job": ["7"]},
        first_seen=None, last_seen=None, state="unknown", occurrences=1, evidence=(), chain=(), consequences=(),
        alternatives=(), confidence_terms=(), fix=(), verify=(), not_proof_of=(), sources=(),
    )  # fmt: skip
    inputs = (
        Input(file="nodes/cn012/messages", format="syslog", nodes=("cn012",), clock={"kind": "yearless"}, lines=1200,
              bytes=90_000, status="read", problem=""),
        Input(file="nodes/cn013/dmesg.gz", format="", nodes=(), clock={}, lines=0, bytes=0, status="unreadable",
              problem="damaged gzip data"),
    )  # fmt: skip
    missing = Missing(for_="fibre-macrobend", needs="port counters", how="ibqueryerrors > ibqueryerrors.txt")
    return Analysis(
        tool=Tool(name="fabtriage", version="1.0", rules="abc"), verdict="critical", diagnoses=(first, consequence),
        earlier=(consequence,), coverage=Coverage(inputs=inputs, missing=(missing,)),
        window=Window(from_=ONSET, to="2026-03-09T05:00:00.000Z", why="the last cluster of faults"),
    )  # fmt: skip
