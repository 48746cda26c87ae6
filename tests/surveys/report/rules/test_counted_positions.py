from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from surveys.report.rules.itemset_query import ItemsetQuery
from surveys.report.rules.itemsets import itemset_page
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.rules.rule_query import SIDES, SORTS, RuleQuery
from tests.fixtures.counted_runs import SURVEYS, both, itemset_fields, judge
from tests.fixtures.runs import answered_version

pytestmark = pytest.mark.django_db


QUERIES = [
    *(RuleQuery(sort=sort) for sort in SORTS),
    *(RuleQuery(item=3, side=side) for side in ("either", "antecedent", "consequent", "not")),
    *(
        replace(RuleQuery(), **dict[str, Any]({name: choice}))
        for name in ("holds", "redundant", "maximal")
        for choice in ("yes", "no")
    ),
    RuleQuery(text="late"),
    RuleQuery(text="late drink"),
    *(RuleQuery(text=text, side=side) for text in ("late", "late drink") for side, _words in SIDES),
    RuleQuery(text="late", item=3, side="antecedent"),
    RuleQuery(text="nothing-of-the-kind"),
    RuleQuery(length=3, sort="-lift"),
    RuleQuery(limits=(("lift_from", 1.1), ("support_to", 0.2), ("p_adjusted_to", 0.9), ("flips_from", 1.0))),
    RuleQuery(limits=(("error_to", 0.02), ("conviction_from", 1.0))),
    *(RuleQuery(verdict=verdict) for verdict in ("none", "accepted", "rejected", "reviewed")),
]


@pytest.mark.parametrize("survey", ["groups", "rotating"])
@pytest.mark.few("rotating", why="it has itemsets that no one was asked")
def test_every_filter_and_order_selects_the_same_rules(survey: str) -> None:
    make, thresholds = SURVEYS[survey]
    rows, counts = both(make(), thresholds)
    judge(rows)
    judge(counts)
    for query in QUERIES:
        by_rows, by_counts = (
            [sides for _key, *sides in listing_of(run).sides(query)] for run in (rows, counts)
        )
        assert by_rows == by_counts, query
        assert listing_of(counts).count(query) == len(by_counts)
        assert [sides for _key, *sides in listing_of(counts).sides(query, 2)] == by_rows[:2]
    assert any(listing_of(rows).count(query) not in (0, rows.summary["rules"]) for query in QUERIES)
    first_tested = [
        [str(rule) for rule in listing.rules(listing.most_significant(20))]
        for listing in (listing_of(rows), listing_of(counts))
    ]
    assert first_tested[0] == first_tested[1]


def test_every_filter_and_order_selects_the_same_itemsets() -> None:
    rows, counts = both(answered_version())
    queries = [
        *(ItemsetQuery(sort=sign + name) for name in ("support", "size", "error", "n") for sign in ("", "-")),
        ItemsetQuery(text="late"),
        ItemsetQuery(item=2),
        ItemsetQuery(size=2),
        ItemsetQuery(least=0.2),
    ]
    for query in queries:
        pages = [itemset_page(run, query) for run in (rows, counts)]
        by_rows, by_counts = (
            [(itemset_fields(row), interval) for row, interval in page.lines] for page in pages
        )
        assert by_rows == by_counts, query
        assert pages[0].shows_groups == pages[1].shows_groups
        assert (pages[0].matching, pages[0].all) == (pages[1].matching, pages[1].all)
