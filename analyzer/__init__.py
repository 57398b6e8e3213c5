"""fabtriage: says what broke first in a GPU cluster, from its logs and dumps, offline."""

__version__ = "0.1.0"
