"""Bands of numbers and regions of places in itemsets and rules are exact, by enumeration."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from privacy.estimation.counts import Columns
from privacy.estimation.estimates import estimate, estimates_of
from privacy.estimation.events import pattern_terms
from privacy.estimation.intervals import measure_rules
from privacy.estimation.required_counts import Plan, required_counts
from privacy.scales.area import Area
from privacy.scales.number_range import NumberRange
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.window import WindowChannel
from tests.privacy.estimation.pattern_table import patterns
from tests.privacy.estimation.scale_rows import Truth, counted, expected_rows, whole_rows
from tests.vectors.designs import live, opened, shielded, yes_no
from tests.vectors.scale_designs import scale_block

KEEP = WindowChannel(
    mechanism="keep", range=NumberRange(low=0, high=3), window=1, floor=2, peak=3, spans=((0, 0), (2, 3))
)
WAVE = replace(KEEP, mechanism="square_wave", window=2, spans=())
MAP = PlanarWindowChannel(
    mechanism="usm",
    area=Area(west=0, south=0, east=40_000, north=10_000, columns=4, rows=1),
    levels=(
        PlanarLevel(numerator=4, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),)),
    ),
    regions=(((0, 0, 2, 1),),),
)
DESIGN = live(
    scale_block("age", KEEP, "young", "old"),
    scale_block("home", MAP, "mine"),
    shielded("a", 6000, yes_no("x", 3000)),
    opened("b", yes_no("city")),
)
"""Items: age=young, age=old, home=mine, x, city."""


def _people() -> dict[Truth, int]:
    """Return a population in which all answers depend on each other."""
    return {
        (age, home, x, city): 1 + age * x + 2 * (home == 1) * city + (age == 3) * (home == 3) * 3
        for age in range(4)
        for home in range(4)
        for x in (0, 1)
        for city in (0, 1)
    }


PEOPLE = _people()
ROWS = whole_rows(expected_rows(DESIGN, PEOPLE))
N = sum(PEOPLE.values())


def _has(truth: Truth, item: int) -> bool:
    age, home, x, city = truth
    return bool([age == 0, age >= 2, home < 2, x, city][item])


def _share(items: Columns) -> Fraction:
    having = sum(count for truth, count in PEOPLE.items() if all(_has(truth, item) for item in items))
    return Fraction(having, N)


def _itemsets() -> list[Columns]:
    return [
        items for size in (1, 2, 3, 4) for items in combinations(range(5), size) if not {0, 1} <= set(items)
    ]


def test_bands_regions_and_answers_are_the_items() -> None:
    assert [item.key for item in DESIGN.items] == ["age=young", "age=old", "home=mine", "x", "city"]


@pytest.mark.parametrize("items", _itemsets())
def test_estimates_are_unbiased_with_exact_errors(items: Columns) -> None:
    found = estimate(counted(DESIGN, ROWS, required_counts([items], DESIGN)), items, DESIGN)
    assert found.value == pytest.approx(float(_share(items)), abs=1e-12)
    # The sum of z^2 over all rows, with z computed from the channels.
    p = {0: KEEP.retention_probability, 2: MAP.retention_probability, 3: Fraction(6, 10), 4: Fraction(1)}
    q = {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1), 3: Fraction(3, 10), 4: Fraction(0)}
    second = Fraction(0)
    for row, count in ROWS.items():
        z = Fraction(1)
        for item in items:
            own = p[0 if item == 1 else item]
            assert own is not None
            z *= (_has(row, item) - (1 - own) * q[item]) / own
        second += count * z**2
    n = sum(ROWS.values())
    variance = (second / n - _share(items) ** 2) / n
    assert found.standard_error == pytest.approx(float(variance) ** 0.5, rel=1e-9)


def test_many_itemsets_get_the_same_estimates_as_single_ones() -> None:
    pairs = [items for items in _itemsets() if len(items) == 2]
    plan = Plan.of_itemsets(DESIGN, np.array(pairs))
    counts = counted(DESIGN, ROWS, plan.keys).at(plan.requests)
    assert estimates_of(plan, counts).value == pytest.approx(
        [float(_share(items)) for items in pairs], abs=1e-12
    )


def test_a_design_without_items_gives_no_estimates() -> None:
    plan = Plan.of_itemsets(live(scale_block("age", WAVE)), np.empty((0, 1), dtype=np.int64))
    assert estimates_of(plan, np.empty((0, 2), dtype=np.int64)).value.tolist() == []


def test_rules_across_bands_regions_and_answers_have_exact_measures() -> None:
    antecedent, consequent = (1, 2), (3,)
    counts = counted(DESIGN, ROWS, required_counts([(antecedent, consequent)], DESIGN))
    found = measure_rules(counts, [(antecedent, consequent)], DESIGN)[0]
    confidence = _share((1, 2, 3)) / _share((1, 2))
    assert found.confidence.value == pytest.approx(float(confidence), abs=1e-10)
    assert found.lift.value == pytest.approx(float(confidence / _share((3,))), abs=1e-10)
    assert found.confidence.low <= float(confidence) <= found.confidence.high


def test_patterns_also_count_people_outside_all_bands() -> None:
    counts = counted(DESIGN, ROWS, pattern_terms((0, 1, 3), DESIGN))
    found = patterns(counts, (0, 1, 3), DESIGN)
    for pattern in product((0, 1), repeat=3):
        wanted = dict(zip((0, 1, 3), map(bool, pattern), strict=True))
        truth = sum(
            count
            for person, count in PEOPLE.items()
            if all(_has(person, item) == yes for item, yes in wanted.items())
        )
        assert found.value[pattern] == pytest.approx(truth / N, abs=1e-12)
        # No one is both young and old, but people can be neither, because the bands do not cover all bins.
