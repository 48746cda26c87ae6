"""Measures of many rules without their intervals."""

import numpy as np
import pytest

from privacy.estimation.counts import SupportCounts
from privacy.estimation.intervals import measure_rules
from privacy.estimation.rule_sides import Rule
from privacy.estimation.rule_values import rule_values
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import ONE_BLOCK, OPEN


def test_values_of_open_answers_are_their_shares() -> None:
    """Of 100 rows 40 have a, 50 have b and 30 have both, in two groups whose rows count alike."""
    counts = SupportCounts({(3, 4): (50, 50), (0, 4): (20, 20), (1, 3): (25, 25), (0, 1): (10, 20)})
    values = rule_values(counts, [((0,), (1,)), ((1,), (0,))], OPEN)
    assert len(values) == 2
    assert values.n.tolist() == [100, 100]
    np.testing.assert_allclose(values.support, [0.3, 0.3], rtol=1e-12)
    np.testing.assert_allclose(values.support_se, [(0.3 * 0.7 / 100) ** 0.5] * 2, rtol=1e-12)
    np.testing.assert_allclose(values.confidence, [0.75, 0.6], rtol=1e-12)
    np.testing.assert_allclose(values.lift, [1.5, 1.5], rtol=1e-12)
    np.testing.assert_allclose(values.measure("leverage"), [0.1, 0.1], rtol=1e-12)
    np.testing.assert_allclose(values.measure("conviction"), [0.4 * 0.5 / 0.1, 0.5 * 0.6 / 0.2], rtol=1e-12)


def test_values_of_disguised_answers_equal_those_with_intervals_to_the_last_bit() -> None:
    counts = SupportCounts({(): (100, 400), (0,): (30, 200), (1,): (40, 210), (0, 1): (25, 120)})
    rule = ((0,), (1,))
    values = rule_values(counts, [rule], ONE_BLOCK)
    measured = measure_rules(counts, [rule], ONE_BLOCK)[0]
    assert values.support[0] == measured.support.value
    assert values.support_se[0] == measured.support.standard_error
    assert values.confidence[0] == measured.confidence.value
    assert values.lift[0] == measured.lift.value


@pytest.mark.parametrize(
    ("rule", "said"), [(((), (1,)), "empty side"), (((0,), ()), "empty side"), (((0, 1), (1,)), "both sides")]
)
def test_rules_without_two_separate_sides_are_refused(rule: Rule, said: str) -> None:
    with refused("rule", said):
        rule_values(SupportCounts({(): (10, 40)}), [rule], ONE_BLOCK)
