"""The knowledge under ``rules/`` as typed, checked records: causes, events, benign signatures, catalogues, sources."""
