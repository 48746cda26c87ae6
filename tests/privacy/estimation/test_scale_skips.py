"""Supports and patterns of skippable numbers and places are exact, by enumeration."""

from fractions import Fraction
from itertools import product

import pytest

from privacy.estimation.estimates import estimate
from privacy.estimation.events import pattern_terms
from privacy.estimation.required_counts import required_counts
from privacy.estimation.skipped_share import skipped_interval, skipped_terms
from tests.privacy.estimation.pattern_table import patterns
from tests.privacy.estimation.scale_rows import Truth, counted, expected_rows, whole_rows
from tests.privacy.estimation.test_scale_items import KEEP, MAP
from tests.vectors.designs import live, opened, shielded, yes_no
from tests.vectors.scale_designs import may_skip, scale_block

DESIGN = live(
    may_skip(scale_block("age", KEEP, "young", "old")),
    may_skip(scale_block("home", MAP, "mine"), 500),
    shielded("a", 6000, yes_no("x", 3000)),
    opened("b", yes_no("city")),
)
"""Items: age=young, age=old, home=mine, x, city. Answer 4 to age or home is a skip."""

PEOPLE: dict[Truth, int] = {
    (age, home, x, city): 1 + age * x + 2 * (home == 1) * city + (age == 4) * (home >= 3) * 3
    for age, home, x, city in product(range(5), range(5), (0, 1), (0, 1))
}
ROWS = whole_rows(expected_rows(DESIGN, PEOPLE))
N = sum(PEOPLE.values())


def _has(truth: Truth, item: int) -> bool:
    age, home, x, city = truth
    return bool([age == 0, age in (2, 3), home < 2, x, city][item])


def _share(*items: int) -> float:
    return sum(count for truth, count in PEOPLE.items() if all(_has(truth, item) for item in items)) / N


@pytest.mark.parametrize("items", [(0,), (1,), (2,), (0, 2), (1, 3), (2, 4), (1, 2, 3), (0, 2, 3, 4)])
def test_supports_count_all_asked_respondents_and_skips_have_no_item(items: tuple[int, ...]) -> None:
    found = estimate(counted(DESIGN, ROWS, required_counts([items], DESIGN)), items, DESIGN)
    assert found.value == pytest.approx(_share(*items), abs=1e-12)
    second = Fraction(0)
    for row, count in ROWS.items():
        z = Fraction(1)
        for item in items:
            block = DESIGN.blocks[DESIGN.items[item].block]
            p = block.truth if block.protected else Fraction(1)
            answered = 1 - Fraction(block.refusal or 0, 10_000)
            q = answered * [Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(3, 10), Fraction(0)][item]
            z *= (_has(row, item) - (1 - p) * q) / p
        second += count * z**2
    n = sum(ROWS.values())
    assert found.standard_error**2 * n == pytest.approx(float(second / n) - _share(*items) ** 2, rel=1e-9)


@pytest.mark.parametrize(("block", "place"), [(0, 0), (1, 1)])
def test_the_skip_share_is_unbiased(block: int, place: int) -> None:
    found = skipped_interval(counted(DESIGN, ROWS, skipped_terms(block, DESIGN)), block, DESIGN)
    assert found.value == pytest.approx(
        sum(count for truth, count in PEOPLE.items() if truth[place] == 4) / N, abs=1e-12
    )


def test_patterns_without_an_item_count_only_respondents_who_answered() -> None:
    found = patterns(counted(DESIGN, ROWS, pattern_terms((0, 1, 3), DESIGN)), (0, 1, 3), DESIGN)
    for pattern in product((0, 1), repeat=3):
        wanted = dict(zip((0, 1, 3), map(bool, pattern), strict=True))
        truth = sum(
            count
            for person, count in PEOPLE.items()
            if person[0] < 4 and all(_has(person, item) == yes for item, yes in wanted.items())
        )
        assert found.value[pattern] == pytest.approx(truth / N, abs=1e-12)
