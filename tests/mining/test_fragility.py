"""The number of false rows is checked by sending them."""

import numpy as np

from benchmarks.simulation import study_design, true_rows
from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import CountCache
from mining.inference import NEVER, fragility
from privacy.estimation.intervals import p_values
from privacy.estimation.required_counts import required_counts
from tests.fixtures.vectorised import disguise_rows, draw_coins

PAIR_DESIGN = study_design([2, 2], truth_probability=5000, unrelated=4000)
RULES = [((0,), (1,)), ((0,), (2,)), ((1, 3), (2,)), ((3,), (0, 1)), ((2,), (3,))]
CUT_OFF = 0.05


def pair_sent(n: int, seed: int, dependence: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = true_rows(n, [0.3, 0.4, 0.5, 0.6], dependence, rng)
    direct = rng.random(n) < 0.2
    return disguise_rows(PAIR_DESIGN, truth, direct, draw_coins(PAIR_DESIGN, n, rng)), direct


def counts_of(rows: np.ndarray, direct: np.ndarray):
    count_cache = CountCache(BitMatrix.from_booleans(PAIR_DESIGN, rows, direct))
    return count_cache.need(required_counts(RULES, PAIR_DESIGN))


def injected(rows: np.ndarray, direct: np.ndarray, number: int):
    false = np.ones((number, rows.shape[1]), dtype=bool)
    return counts_of(np.concatenate([rows, false]), np.concatenate([direct, np.zeros(number, dtype=bool)]))


def test_the_stated_number_of_false_rows_flips_a_failing_rule() -> None:
    rows, direct = pair_sent(900, seed=2, dependence=0.0)
    numbers = fragility(counts_of(rows, direct), RULES, PAIR_DESIGN, np.full(len(RULES), CUT_OFF))
    failing = np.flatnonzero(p_values(counts_of(rows, direct), RULES, PAIR_DESIGN) > CUT_OFF)
    assert len(failing) >= 4
    for place in failing:
        assert numbers[place] > 0
        for number, passes in ((numbers[place], True), (numbers[place] - 1, False)):
            found = p_values(injected(rows, direct, int(number)), RULES, PAIR_DESIGN)[place]
            assert (found <= CUT_OFF) == passes


def test_fragility_exposes_a_rule_made_by_false_rows() -> None:
    rows, direct = pair_sent(900, seed=2, dependence=0.0)
    cut = np.full(len(RULES), CUT_OFF)
    numbers = fragility(counts_of(rows, direct), RULES, PAIR_DESIGN, cut)
    for place, number in enumerate(numbers.tolist()):
        if p_values(counts_of(rows, direct), RULES, PAIR_DESIGN)[place] <= CUT_OFF:
            continue
        for more in (0, 7):
            after = fragility(injected(rows, direct, number + more), RULES, PAIR_DESIGN, cut)
            assert after[place] == more + 1


def test_false_rows_cannot_flip_a_rule_from_direct_answers_alone() -> None:
    rng = np.random.default_rng(1)
    a = rng.random(600) < 0.4
    rows = np.stack([a, a, rng.random(600) < 0.5, rng.random(600) < 0.5], axis=1)
    direct = np.ones(600, dtype=bool)
    found = fragility(counts_of(rows, direct), RULES[:1], PAIR_DESIGN, np.array([CUT_OFF]))
    assert found.tolist() == [NEVER]
