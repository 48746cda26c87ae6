"""Strata with several designs: weighted, pooled by likelihood, by row, and for means."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from privacy.library import (
    Quantity,
    crosswise,
    design_shares,
    item_sum,
    list_experiment,
    stratified,
    triangular,
    truthful,
    unrelated_question,
    warner,
)
from privacy.library.strata import _variance
from tests.fixtures.refusals import refused

NORTH, SOUTH = {"yes": 60, "no": 40}, {"yes": 100, "no": 100}
STUDIES = {"north": design_shares(NORTH, warner(p=0.7)), "south": design_shares(SOUTH, warner(p=0.8))}


def test_strata_are_weighted_by_size_or_by_known_shares() -> None:
    errors = math.sqrt(0.24 / 99) / 0.4, math.sqrt(0.25 / 199) / 0.6
    share = stratified(STUDIES)["share"]
    assert share.value == pytest.approx((0.75 + 2 * 0.5) / 3)
    assert share.standard_error == pytest.approx(math.hypot(errors[0] / 3, errors[1] * 2 / 3))
    known = stratified(STUDIES, shares={"north": "9/10", "south": 0.1})["share"]
    assert known.value == pytest.approx(0.9 * 0.75 + 0.1 * 0.5)
    assert known.standard_error == pytest.approx(math.hypot(0.9 * errors[0], 0.1 * errors[1]))
    for end in known.interval():
        # Shift both shares equally, and use the variance there.
        north, south = 0.3 + 0.4 * (0.75 + end - known.value), 0.2 + 0.6 * (0.5 + end - known.value)
        variance = 0.81 * north * (1 - north) / 16 + 0.01 * south * (1 - south) / 72
        assert abs(known.value - end) == pytest.approx(1.959964 * math.sqrt(variance), abs=1e-6)


def test_the_pooled_share_maximises_the_likelihood_over_all_strata() -> None:
    n, yes, start, rise = np.array([[100, 60, 0.3, 0.4], [200, 100, 0.2, 0.6]]).T

    def score(t: float) -> tuple[float, float]:
        """Return the derivative of the log-likelihood at t, and its variance."""
        shown = start + rise * t
        spread = shown * (1 - shown)
        return (rise * (yes - n * shown) / spread).sum(), (n * rise**2 / spread).sum()

    study = stratified(STUDIES)
    pooled = study["share, pooled"]
    t = brentq(lambda tried: score(tried)[0], 0.01, 0.99)
    assert pooled.value == pytest.approx(t, abs=1e-6)
    assert pooled.standard_error == pytest.approx(score(t)[1] ** -0.5, rel=1e-6)
    # At the ends of a score interval, the score is 1.96 standard errors.
    for end in pooled.interval():
        derivative, variance = score(end)
        assert abs(derivative) / math.sqrt(variance) == pytest.approx(1.959964, abs=1e-4)
    assert 1 < study.tests[0].statistic < 4
    assert study.tests[0].p_value == pytest.approx(
        math.erfc(math.sqrt(study.tests[0].statistic / 2)), rel=1e-6
    )


def test_strata_of_different_designs_lists_and_sums_can_be_combined() -> None:
    mixed = stratified(
        {
            "cards": design_shares(NORTH, unrelated_question(p=0.7, theta="1/12")),
            "birthdays": design_shares({"same": 150, "different": 50}, crosswise(p="1/4")),
            "shapes": design_shares({"a yes": 80, "both no": 120}, triangular(p="1/4")),
        }
    )
    values = [(0.6 - 0.3 / 12) / 0.7, (0.75 - 0.75) / -0.5, 1 - 0.6 / 0.75]
    assert [mixed.quantities[position].value for position in (2, 3, 4)] == pytest.approx(values)
    assert mixed["share"].value == pytest.approx(np.average(values, weights=[100, 200, 200]))
    lists = {"a": list_experiment([50, 50], [40, 50, 10]), "b": list_experiment([20, 30], [20, 20, 10])}
    together = stratified(lists)
    assert together["share"].value == pytest.approx((200 * 0.2 + 100 * 0.2) / 300)
    precision = [lists[name]["share"].standard_error ** -2 for name in lists]
    assert together["share, pooled"].standard_error == pytest.approx(sum(precision) ** -0.5)
    lists["b"] = list_experiment([50, 0], [50, 0, 0])  # Everyone gave the same answer, so the error is 0.
    assert stratified(lists)["share, pooled"].value == pytest.approx(0, abs=1e-9)
    sums = {"a": item_sum([1, 2, 3], [2, 3, 4]), "b": item_sum([1, 2, 3, 4], [3, 4, 5, 6])}
    assert stratified(sums).quantities[0].value == pytest.approx((6 * 1 + 8 * 2) / 14)


def test_one_stratum_has_no_test_of_equal_strata() -> None:
    (alone,), (both,) = (stratified(studies).tests for studies in ({"north": STUDIES["north"]}, STUDIES))
    assert not alone.test.estimable
    assert math.isnan(alone.test.value)
    assert both.test.estimable


def test_a_pooled_quantity_has_the_widest_range_of_its_strata_if_all_have_a_test() -> None:
    low, high = (
        replace(study["share"], within=ends)
        for study, ends in zip(STUDIES.values(), ((-0.2, 1), (0, 1.3)), strict=True)
    )
    studies = {
        name: replace(study, quantities=(part,))
        for (name, study), part in zip(STUDIES.items(), (low, high), strict=True)
    }
    assert stratified(studies)["share"].within == (-0.2, 1.3)
    studies["south"] = replace(studies["south"], quantities=(replace(high, hypothesis=None, within=None),))
    assert stratified(studies)["share"].within is None


def test_strata_where_all_answer_alike_are_pooled_as_one_sample() -> None:
    for first, second in (((0, 50), (30, 20)), ((0, 10), (45, 55)), ((50, 0), (20, 30))):
        counts = [{"yes": yes, "no": no} for yes, no in (first, second, np.add(first, second).tolist())]
        for design in (truthful(), warner(p=0.9)):
            one, other, whole = (design_shares(own, design) for own in counts)
            pooled = stratified({"one": one, "other": other})["share, pooled"]
            assert pooled.interval() == pytest.approx(whole["share"].interval())


def test_unknown_or_missing_strata_are_refused() -> None:
    with refused("paper"):
        stratified({})
    with refused("paper", "cheaters", "north"):
        stratified(STUDIES, quantity="cheaters")
    with refused("paper", "west"):
        stratified(STUDIES, shares={"west": 1})
    with refused("paper", 0.9):
        stratified(STUDIES, shares={"north": 0.5, "south": 0.4})


def test_a_variance_is_that_of_the_test_in_the_unit_of_the_share() -> None:
    """The test compares .6 with .1 + .5 t, of variance .24 / 100; per unit of t it is four times as much."""

    def test_of(guess: float) -> tuple[float, float]:
        return 0.6 - (0.1 + 0.5 * guess), 0.0024

    of = _variance(Quantity(name="share", value=1.0, standard_error=0.1, hypothesis=test_of))
    assert of(0.3) == pytest.approx(4 * 0.0024)
    plain = _variance(Quantity(name="share", value=1.0, standard_error=0.1))
    assert plain(0.3) == pytest.approx(0.01)
