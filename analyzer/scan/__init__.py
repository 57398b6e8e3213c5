"""One pass over the bytes of a source for every pattern of every rule.

Reading: ``blocks``. What to search for: ``syntax``, ``expression``, ``literals``, ``plan``. Searching: ``matcher``
(Hyperscan), ``fallback`` (Aho-Corasick), ``database`` (the cache of both). Around a hit: ``candidates``, ``verify``,
``kept``, ``bulk``, ``records``. Besides rules: ``counts``, ``lineindex``. All of it together: ``engine``.
"""
