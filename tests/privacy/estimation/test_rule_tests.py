"""One-sided tests of many rules."""

import numpy as np
import pytest

from benchmarks.simulation import study_design, true_rows
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from privacy.estimation.counts import SupportCounts
from privacy.estimation.intervals import measure_rules
from privacy.estimation.required_counts import required_counts
from privacy.estimation.rule_tests import Hypothesis, p_values
from tests.fixtures.refusals import refused
from tests.fixtures.vectorised import disguise_rows, draw_coins

DESIGN = study_design([2, 2], truth_probability=5000, unrelated=5000)


ONE_SIDED_TESTS_RULES = [
    ((0,), (1,)),
    ((1,), (0,)),
    ((0,), (2,)),
    ((1, 3), (2,)),
    ((3,), (0, 1)),
    ((2,), (3,)),
]


def counts(n: int, seed: int, dependence: float = 0.1) -> SupportCounts:
    rng = np.random.default_rng(seed)
    truth = true_rows(n, [0.3, 0.4, 0.5, 0.6], dependence, rng)
    direct = rng.random(n) < 0.2
    rows = disguise_rows(DESIGN, truth, direct, draw_coins(DESIGN, n, rng))
    return CountCache(BitMatrix.from_booleans(DESIGN, rows, direct)).need(
        required_counts(ONE_SIDED_TESTS_RULES, DESIGN)
    )


@pytest.mark.parametrize(
    ("hypothesis", "above", "measure", "tested"),
    [("lift", 1.0, "leverage", 0.0), ("lift", 1.05, "lift", 1.05), ("confidence", 0.45, "confidence", 0.45)],
)
def test_one_sided_tests_agree_with_intervals_at_twice_the_level(
    hypothesis: Hypothesis, above: float, measure: str, tested: float
) -> None:
    some = counts(1500, seed=3)
    found = p_values(some, ONE_SIDED_TESTS_RULES, DESIGN, hypothesis=hypothesis, above=above)
    assert found.min() < 0.05 < found.max()
    for rule, p in zip(ONE_SIDED_TESTS_RULES, found.tolist(), strict=True):
        measured = getattr(measure_rules(some, [rule], DESIGN, level=abs(1 - 2 * p))[0], measure)
        assert (measured.low if p < 0.5 else measured.high) == pytest.approx(tested, abs=1e-7)


def test_untestable_hypotheses_are_refused_with_their_value() -> None:
    some = counts(100, seed=1)
    with refused("hypothesis", "'support' is unknown"):
        p_values(some, ONE_SIDED_TESTS_RULES, DESIGN, hypothesis="support")  # type: ignore[arg-type]
    for hypothesis, above in (("confidence", 1.5), ("lift", -1.0)):
        with refused("above", f"value tested = {above} is outside"):
            p_values(some, ONE_SIDED_TESTS_RULES, DESIGN, hypothesis=hypothesis, above=above)
