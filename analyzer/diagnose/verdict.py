"""The verdict in one word: the gravest diagnosis, or whether anything was read that could show one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analyzer.model.analysis import Diagnosis, Input, Verdict


def verdict(diagnoses: Iterable[Diagnosis], inputs: Sequence[Input]) -> Verdict:
    """``critical`` or ``warning`` by the gravest diagnosis, else ``ok``; ``unknown`` when no input was understood."""
    severities = {diagnosis.severity for diagnosis in diagnoses}
    if "critical" in severities:
        return "critical"
    if "warning" in severities:
        return "warning"
    understood = any(item.status in ("read", "partial") and item.bytes for item in inputs)
    return "ok" if understood else "unknown"
