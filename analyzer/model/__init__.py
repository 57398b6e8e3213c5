"""Frozen records shared by all stages. Imports nothing else of the project."""
