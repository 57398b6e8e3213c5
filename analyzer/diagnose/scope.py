"""Only what concerns the job or node that was asked about."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from analyzer.model.analysis import Diagnosis


def scoped(diagnoses: Sequence[Diagnosis], job: str | None, node: str | None) -> tuple[Diagnosis, ...]:
    """Diagnoses that name the job and the node, themselves or in a consequence, ranked anew.

    Args:
        diagnoses: In order of rank.
        job: The job asked about; None for any.
        node: The node asked about; None for any.
    """
    wanted = [(kind, name) for kind, name in (("job", job), ("node", node)) if name]
    chosen = [diagnosis for diagnosis in diagnoses if all(_names(diagnosis, kind, name) for kind, name in wanted)]
    return tuple(msgspec.structs.replace(diagnosis, rank=rank) for rank, diagnosis in enumerate(chosen, 1))


def _names(diagnosis: Diagnosis, kind: str, name: str) -> bool:
    stated = [diagnosis.entities, *(effect.entities for effect in diagnosis.consequences)]
    return any(name in entities.get(kind, []) for entities in stated)
