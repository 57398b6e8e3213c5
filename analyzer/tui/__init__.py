"""The terminal user interface: the only package that imports Textual."""
