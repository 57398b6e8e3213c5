"""What could have been seen: absence counts only where an input that would show it was read."""

from __future__ import annotations

from analyzer.facts.store import Store


def visible(frame: str, store: Store) -> bool:
    """True when some input was read in which rows of this event or table would have appeared."""
    spec = store.rulebook.events.get(frame)
    if spec is not None:
        return not spec.formats or bool(store.families & set(spec.formats))
    return frame in store.seen_tables or store.has(frame)
