"""Typed polars frames of everything that was found, with nodes and times resolved, and the inventory of parts."""
