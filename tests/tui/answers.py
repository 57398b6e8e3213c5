"""Answers to show: made-up incidents with every part that a screen can show."""

from __future__ import annotations

from typing import Any

import msgspec

from analyzer.model.analysis import (
    Alternative,
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
)

_KERN_LOG = tuple(f"Mar  3 04:05:{second:02} n07 kernel: e1000: link is quiet {second}" for second in range(9))
_DEAD = "Mar  3 04:05:09 n07 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=31, GPU has fallen off the bus."
_LOST = Evidence(
    file="n07/kern.log", text=_DEAD, line=10, node="n07", time="2026-03-03T04:05:09Z", context=(*_KERN_LOG, _DEAD),
    context_line=1, occurrences=3,
)  # fmt: skip
_PEER = Evidence(
    file="job/rank3.log", text="n08:12:99 [3] NCCL INFO peer closed", line=77, time="2026-03-03T04:05:40Z",
    context=("before", "n08:12:99 [3] NCCL INFO peer closed", "after"), context_line=76, role="confirms",
)  # fmt: skip
_TRACE = Evidence(file="L1.sor", text="event 2 at 9.10 m: loss 0.90 dB", event=2, role="against")


def diagnosis(**changes: Any) -> Diagnosis:
    """A GPU that fell off the bus, or what the changes make of it."""
    return msgspec.structs.replace(_OFF_BUS, **changes)


def analysis(*diagnoses: Diagnosis, **changes: Any) -> Analysis:
    """A report of these diagnoses on two inputs, one of which could not be read."""
    given = Analysis(
        tool=Tool(name="fabtriage", version="1", rules="r"),
        verdict="critical" if diagnoses else "ok",
        diagnoses=diagnoses,
        coverage=Coverage(
            inputs=(_input("n07/kern.log", "read"), _input("n08/dump.bin", "unreadable", "gzip data ends early")),
            missing=(Missing(for_="gpu-fallen-off-bus", needs="the BMC's event log", how="ipmitool sel elist"),),
        ),
    )
    return msgspec.structs.replace(given, **changes)


def incident() -> Analysis:
    """Two causes, the first with consequences, and an earlier one."""
    flap = diagnosis(
        rank=2, cause="link-flapping", severity="warning", explanation="Port n09/mlx5_0/1 goes down and up",
        consequences=(), chain=(), evidence=(_TRACE,), first_seen=None, last_seen=None, occurrences=1,
    )  # fmt: skip
    return analysis(_OFF_BUS, flap, earlier=(msgspec.structs.replace(flap, rank=1, severity="info"),))


def _input(file: str, status: Any, problem: str = "") -> Input:
    return Input(
        file=file, format="syslog", nodes=("n07",), clock={}, lines=1200, bytes=9, status=status, problem=problem
    )


_OFF_BUS = Diagnosis(
    rank=1,
    cause="gpu-fallen-off-bus",
    severity="critical",
    confidence=0.92,
    title="A GPU fell off the bus",
    explanation="GPU 0000:3b:00.0 of n07 stopped answering on PCIe (Xid 79)",
    layer="pcie",
    unexplained_consequence=False,
    entities={"node": ["n07"], "gpu": ["0000:3b:00.0"]},
    first_seen="2026-03-03T04:05:09Z",
    last_seen="2026-03-03T04:07:00Z",
    state="active",
    occurrences=3,
    evidence=(_LOST, _PEER),
    chain=(ChainLink(cause="nccl-peer-lost", text="Rank 3 lost its peer", time="2026-03-03T04:05:40Z", entities={}),),
    consequences=(
        Consequence(
            cause="nccl-peer-lost", title="A rank lost its peer", count=64, entities={"rank": ["3"]},
            evidence=(_PEER,), via="gpu-fallen-off-bus",
        ),
        Consequence(
            cause="node-drained", title="The scheduler drained the node", count=1, entities={"node": ["n07"]},
            evidence=(), via="nccl-peer-lost",
        ),
    ),
    alternatives=(Alternative(cause="power-lost", confidence=0.3, tell_apart="the BMC would show it"),),
    confidence_terms=(ConfidenceTerm(text="the driver says so", value=0.92),),
    fix=(
        FixStep(text="Drain the node", risk="safe", command="scontrol update nodename=n07 state=drain"),
        FixStep(text="Switch it off and on", risk="disruptive", command="ipmitool power cycle"),
        FixStep(text="Reseat the GPU", risk="disruptive"),
    ),
    verify=(VerifyStep(text="Count the GPUs", command="nvidia-smi -L", expect="eight"),),
    not_proof_of=("a broken GPU",),
    sources=("xid-catalogue",),
)  # fmt: skip
