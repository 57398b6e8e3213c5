"""Which expression stands for which pattern."""

from __future__ import annotations

from analyzer.scan.plan import MAX_SHARED, make_plan, without


def test_a_rare_literal_stands_for_all_patterns_that_need_it() -> None:
    plan = make_plan([(3, r"zebra quagga (\d+)"), (5, r"zebra quagga (\w)")], "hyperscan")
    assert (plan.expressions, plan.regex, plan.targets) == ((b"zebra quagga ",), (False,), ((3, 5),))


def test_a_literal_shared_by_many_gives_way_to_their_expressions() -> None:
    plan = make_plan([(number, rf"zebra quagga {number}\d") for number in range(MAX_SHARED + 1)], "hyperscan")
    assert all(not regex for regex in plan.regex)
    plan = make_plan([(number, rf"zebra quagga \d{number}") for number in range(MAX_SHARED + 1)], "hyperscan")
    assert all(plan.regex)


def test_a_common_literal_is_searched_only_by_the_engine_that_knows_nothing_else() -> None:
    wanted = [(0, r"kernel: (?P<what>\d+)")]
    assert make_plan(wanted, "hyperscan").regex == (True,)
    assert make_plan(wanted, "ahocorasick").expressions == (b"kernel: ",)


def test_alternatives_each_stand_for_the_pattern() -> None:
    plan = make_plan([(0, r"(?:zebra|quagga)s \d")], "ahocorasick")
    assert (plan.expressions, plan.targets) == ((b"quagga", b"zebra"), ((0,), (0,)))


def test_a_pattern_that_no_expression_stands_for_is_tried_on_every_line() -> None:
    assert make_plan([(0, r"\d"), (1, r"\p{Lu}")], "ahocorasick").every_line == (0, 1)
    assert make_plan([(0, r"x*"), (1, r"\p{Lu}")], "hyperscan").every_line == (0, 1)


def test_refused_expressions_leave_their_patterns_to_every_line() -> None:
    plan = make_plan([(0, "zebra a"), (1, "zebra b"), (2, "x*")], "hyperscan")
    reduced = without(plan, [0])
    assert (reduced.expressions, reduced.targets, reduced.every_line) == (plan.expressions[1:], ((1,),), (0, 2))
