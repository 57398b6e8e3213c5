"""Derived tables: one module each, pure functions of frames, with declared columns and no thresholds."""
