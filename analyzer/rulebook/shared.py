"""What causes refer to by name, put in: the actions behind steps, the references behind citations."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from analyzer.rulebook.schema import Action, Cite, Reference, Step


def completed(step: Step, actions: Mapping[str, Action]) -> Step:
    """A step with what its action brings; it is disruptive if either says so."""
    if step.use is None:
        return step
    action = actions[step.use]
    return msgspec.structs.replace(
        step,
        text=step.text or action.text,
        command=step.command or action.command,
        risk=action.risk if step.risk == "safe" else step.risk,
        expect=step.expect or action.expect,
    )


def spelt(cite: Cite | str, references: Mapping[str, Reference]) -> str:
    """A citation for people: title, place in it, where to find it, revision, date read."""
    name, place = (cite, "") if isinstance(cite, str) else (cite.id, cite.at)
    reference = references[name]
    parts = (reference.title, place, reference.ref, reference.revision, f"read {reference.read}")
    return "; ".join(part for part in parts if part)
