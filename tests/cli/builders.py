"""Small reports for tests of what the command line does with them."""

from __future__ import annotations

from typing import Literal

from analyzer.model.analysis import Analysis, Coverage, Diagnosis, Input, Severity, Tool

Status = Literal["read", "partial", "unrecognised", "unreadable"]


def diagnosis(severity: Severity) -> Diagnosis:
    """A diagnosis of that severity with as little else as possible."""
    return Diagnosis(
        rank=1,
        cause="port-flaps",
        severity=severity,
        confidence=0.8,
        title="A port goes down and comes back",
        explanation="Port mlx5_0/1 of n1 goes down and up.",
        layer="link",
        unexplained_consequence=False,
        entities={},
        first_seen=None,
        last_seen=None,
        state="unknown",
        occurrences=1,
        evidence=(),
        chain=(),
        consequences=(),
        alternatives=(),
        confidence_terms=(),
        fix=(),
        verify=(),
        not_proof_of=(),
        sources=(),
    )


def analysis(*severities: Severity, status: Status = "read", file: str = "a.log") -> Analysis:
    """A report with a diagnosis of each severity on one input of that status."""
    given = Input(file=file, format="dmesg", nodes=(), clock={}, lines=1, bytes=1, status=status, problem="")
    return Analysis(
        tool=Tool(name="fabtriage", version="1", rules="r"),
        verdict="ok",
        diagnoses=tuple(map(diagnosis, severities)),
        coverage=Coverage(inputs=(given,)),
    )
