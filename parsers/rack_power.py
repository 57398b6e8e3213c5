"""Power of racks and feeds as site plans, PDUs and acceptance runs export it."""

from __future__ import annotations

from typing import Final

from analyzer.model.formats import Dump, Format, Sniff
from analyzer.model.tables import MAX_TEXT, Column, Row, TableSpec
from parsers import _fabric_text, _site
from parsers._fabric_text import Line

FORMAT: Final = Format("rack_power", "table", frozenset({"site"}), "power of racks (CSV)")

RACK_POWER: Final = TableSpec(
    "rack_power",
    "One line of an export of rack or feed power",
    (
        Column("rack", "str", "rack", "rack"),
        Column("feed", "str", "feed or power strip, e.g. A"),
        Column("sampled_s", "float", "time by the writer's clock, seconds as if it were UTC; null in a summary"),
        Column("servers", "float", "servers in the rack"),
        Column("continuous_kw", "float", "highest continuous power"),
        Column("peak_kw", "float", "highest power of short duration"),
        Column("power_kw", "float", "power of a single reading"),
        Column("feed_a_kw", "float", "rating of feed A"),
        Column("feed_b_kw", "float", "rating of feed B"),
        Column("current_a", "float", "current of a single reading"),
        Column("rating_a", "float", "rated current"),
        Column("smaller_feed_kw", "float", "rating of the smaller of two feeds"),
    ),
    snapshot=False,
)
TABLES: Final = (RACK_POWER,)

_NAMES: Final = {
    "time": frozenset({"time", "timestamp", "date", "datetime"}),
    "rack": frozenset({"rack", "cabinet", "\u673a\u67dc", "\u6a5f\u6ac3"}),
    "feed": frozenset({"feed", "pdu", "strip", "outlet"}),
}
_KILO: Final = {"kw": 1.0, "kva": 1.0, "w": 0.001, "watt": 0.001, "watts": 0.001}
_POWER: Final = frozenset({"power", "kw", "kva", "w", "watt", "watts", "load"})
_QUANTITIES: Final = (
    _site.Quantity("feed_a_kw", frozenset({"feed a", "a rating", "a feed", "rating a"}), scales=_KILO),
    _site.Quantity("feed_b_kw", frozenset({"feed b", "b rating", "b feed", "rating b"}), scales=_KILO),
    _site.Quantity("rating_a", frozenset({"rating", "rated", "breaker"}), frozenset({"kw", "kva", "w"})),
    _site.Quantity("continuous_kw", frozenset({"continuous", "sustained", "max continuous"}), scales=_KILO),
    _site.Quantity("peak_kw", frozenset({"peak"}), frozenset({"time", "current"}), _KILO),
    _site.Quantity("current_a", frozenset({"current", "amps", "ampere", "amperes"}), frozenset({"peak"})),
    _site.Quantity("servers", frozenset({"servers", "nodes", "server count"}), frozenset({"model"})),
    _site.Quantity("power_kw", _POWER, frozenset({"gpu", "limit", "factor", "budget", "energy"}), _KILO),
)
_TELLING: Final = frozenset({"continuous_kw", "peak_kw", "power_kw", "current_a"})


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise a header line that names a rack or feed and a power or current."""
    del path
    return _site.sniff(head, _header, 87, "names the power of racks")


def parse(data: bytes, path: str) -> Dump:
    """Read ``rack_power``, one row a line; ``path`` is not used."""
    del path
    return _site.read(data, _header, _row)


def _header(line: Line) -> _site.Header | None:
    found = _site.header(line, _NAMES, _QUANTITIES)
    if found is None:
        return None
    columns = set(found.columns.values())
    return found if columns & _TELLING and columns & {"rack", "feed"} else None


def _row(line: Line, head: _site.Header, values: dict[str, str | float], unread: _fabric_text.Unread) -> Row:
    del unread
    sampled_s, stamp_s = _site.stamp(str(values.pop("time", "")), utc=head.utc)
    if sampled_s is not None:
        values["sampled_s"] = sampled_s
    feeds = [item for name in ("feed_a_kw", "feed_b_kw") if isinstance(item := values.get(name), float)]
    if len(feeds) > 1:
        values["smaller_feed_kw"] = min(feeds)
    return Row("rack_power", values, line.number, line.text[:MAX_TEXT], stamp_s=stamp_s)
