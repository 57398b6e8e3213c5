"""From the members of a bundle to readings: identified, cut into parts, parsed if dumps, scanned once."""

from analyzer.intake.members import readings
from analyzer.intake.sources import block_parsers

__all__ = ["block_parsers", "readings"]
