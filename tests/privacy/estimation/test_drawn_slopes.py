"""Variances at a hypothesis where devices draw the questions: enumerated, by hand, simulated."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.equations import inversion_intervals, square_slopes, variances_at_hypothesis
from privacy.estimation.intervals import support_intervals
from privacy.estimation.moments import DrawnTables, Estimator, Scores
from privacy.estimation.required_counts import contingency_tables, required_counts
from privacy.estimation.shapes import Axis, Chances, Shape
from privacy.levels import chi_square_quantile
from privacy.survey.design import Design
from tests.privacy.estimation.designs import ROTATING, design, protected, yes_no
from tests.privacy.estimation.drawn_rows import a_law, counted, has, influences, sent, share_of, units
from tests.privacy.estimation.records import Row, disguises, drawings, true_rows
from tests.statistics import POWER, binomial_power, binomial_range

CASES: dict[str, tuple[Design, list[Columns]]] = {
    "two of three": (ROTATING["two of three"], [(0,), (0, 1)]),
    "with a skip": (ROTATING["with a skip"], [(0,), (0, 2)]),
    "choices": (ROTATING["choices"], [(1,), (0, 3), (3, 4)]),
    "two strengths": (ROTATING["two strengths"], [(1,), (0, 1)]),
    "beside others": (ROTATING["beside others"], [(0, 1), (1, 3), (1, 3, 4)]),
    "two parts": (ROTATING["two parts"], [(0, 3), (0, 1, 4)]),
}


def slope(design: Design, h: dict[Row, Fraction], items: Columns, *, direct: bool) -> Fraction:
    """Mean square of what a row counts for, of who has all, minus that of others; one case has one voice."""
    fixed, parts = units(design, items)
    # Questions that every device asks: a part together.
    of_block: dict[int, list[int]] = defaultdict(list)
    for item in fixed:
        block = design.items[item].block
        of_block[block if design.blocks[block].protected else -1].append(item)
    parts = [*parts, *(tuple(own) for own in of_block.values())]
    means: dict[tuple[bool, ...], Fraction] = {}
    for row in true_rows(design, direct=direct):
        case = tuple(has(design, row, part) for part in parts)
        if case not in means:
            means[case] = sum(
                (
                    share * coin * h[disguised] ** 2
                    for drawn, share in drawings(design, row)
                    for disguised, coin in disguises(design, drawn)
                ),
                Fraction(0),
            )
    everything = (True,) * len(parts)
    assert len(means) == 2 ** len(parts)
    return means[everything] - sum(mean for case, mean in means.items() if case != everything) / (
        len(means) - 1
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_variance_moves_as_people_move_into_the_itemset(name: str) -> None:
    rotating, itemsets = CASES[name]
    direct = Fraction(0) if name == "with a skip" else Fraction(1, 4)
    law = a_law(rotating, seed=29, direct=direct)
    rows = sent(rotating, law)
    for items in itemsets:
        _, parts = units(rotating, items)
        h = influences(rotating, rows, items, {part: share_of(rotating, law, part) for part in parts})
        counts = counted(rotating, rows, required_counts([items], rotating), all_rows=True)
        (cells,) = contingency_tables(counts, [items], rotating)
        assert isinstance(cells, DrawnTables)
        scores = Scores.of(cells, "stratified")
        groups = [(True, direct), (False, 1 - direct)]
        moved = sum(share * slope(rotating, h, items, direct=own) for own, share in groups if share)
        _, linear, squared = variances_at_hypothesis(scores, cells)
        assert 2 * linear[0] * scores.n[0] == pytest.approx(float(moved - 1), rel=1e-7)
        assert squared[0] == 0


@pytest.mark.parametrize("estimator", ["stratified", "pooled"])
def test_at_the_estimate_the_variance_is_the_one_that_is_printed(estimator: Estimator) -> None:
    rotating = ROTATING["two strengths"]
    rows = sent(rotating, a_law(rotating, seed=31, direct=Fraction(1, 4)))
    counts = counted(rotating, rows, required_counts([(0, 1)], rotating), all_rows=True)
    (cells,) = contingency_tables(counts, [(0, 1)], rotating)
    assert isinstance(cells, DrawnTables)
    scores = Scores.of(cells, estimator)
    at_zero, linear, squared = variances_at_hypothesis(scores, cells)
    t = scores.value[0]
    printed = scores.respondents_covariance[0, 0]
    assert at_zero + 2 * t * linear + t**2 * squared == pytest.approx(printed, rel=1e-9)
    # Groups of different weights differ by lot: the curve is that of a share's variance.
    assert (squared[0] < 0) == (estimator == "pooled")


def test_an_interval_about_these_respondents_ends_where_the_variance_there_puts_it() -> None:
    """One of two questions each, p = 1/2: 100 people, 40 were asked it and 13 of them say yes.

    z is 3/2 or -1/2, P = (13 * 3/2 - 27 * 1/2) / 40 = .15, and h = P + (z - P) / .4 of the asked, else P.
    From who has not to who has, the probability of a yes grows by 1/2, the mean of h^2 by
    .4 (h1^2 - h0^2) / 2 = h1 + h0.
    """
    one_of_two = design(protected("b", 5000, yes_no("a", 5000), yes_no("b", 5000), asks=1))
    requests = required_counts([(0,)], one_of_two)
    table = {request: (0, {0: 100, 1: 13 if request == (0,) else 40}[len(request)]) for request in requests}
    found = support_intervals(SupportCounts(table, all_rows=True), [(0,)], one_of_two, target="respondents")[
        0
    ]
    p = 0.15
    h1, h0 = p + (1.5 - p) / 0.4, p + (-0.5 - p) / 0.4
    variance = 0.13 * h1**2 + 0.27 * h0**2 + 0.6 * p**2 - p
    assert found.value == pytest.approx(p)
    for end in (found.low, found.high):
        at_end = variance + (h1 + h0 - 1) * (end - p)
        assert 100 * (end - p) ** 2 == pytest.approx(chi_square_quantile(0.95) * at_end, rel=1e-9)


TRIPLE = Shape(
    axes=tuple(Axis(block=0, positions=(place,), sides=(0,), drawn=True) for place in range(3)),
    n_sides=1,
    n_blocks=1,
    excluded=frozenset(),
)
ANSWERS = list(itertools.product((0, 1), repeat=3))
SETS, REPETITIONS = 120, 1000
SEED = 20_261_123
LEAST, MOST = 0.94, 0.96


def channel(m: int, j: int, p: float) -> np.ndarray:
    """Probability of each cell of a triple of m questions, j a person, fair decoys; by true answers."""
    chances = np.zeros((len(ANSWERS), 27))
    for row, truth in enumerate(ANSWERS):
        for column, states in enumerate(itertools.product(range(3), repeat=3)):
            asked = [place for place in range(3) if states[place]]
            drawn = math.comb(m - 3, j - len(asked)) / math.comb(m, j)
            is_true = all(states[place] - 1 == truth[place] for place in asked)
            chances[row, column] = drawn * (p * is_true + (1 - p) / 2 ** len(asked))
    return chances


def made_up(rng: np.random.Generator) -> np.ndarray:
    """Shares of the true answers to three questions that one trait moves together."""
    base, load, trait = rng.normal(-0.6, 0.8, 3), rng.uniform(0.3, 1.2, 3), np.linspace(-3, 3, 61)
    density = np.exp(-(trait**2) / 2)
    yes = 1 / (1 + np.exp(-(base + load * trait[:, None])))
    each = np.stack([np.where(answers, yes, 1 - yes).prod(axis=1) for answers in ANSWERS])
    return each @ density / density.sum()


def test_the_simulation_finds_the_coverage_of_a_variance_held_at_the_estimate() -> None:
    """It was .932 (4 of 10) and .929 (p = .77) with 1,000 people."""
    assert binomial_power(SETS * REPETITIONS, LEAST, 0.934 - LEAST) > POWER


@pytest.mark.soak
@pytest.mark.parametrize(
    ("m", "j", "p", "n"),
    [(10, 4, 0.544, 1000), (10, 4, 0.544, 3000), (10, 4, 0.77, 1000), (6, 3, 0.7, 1000), (6, 3, 0.7, 2000)],
)
def test_intervals_of_triples_hold_the_truth_of_these_respondents(m: int, j: int, p: float, n: int) -> None:
    """Over 120 surveys. A false alarm once in a million runs if the coverage is between .94 and .96."""
    rng, sent_as, holding = np.random.default_rng(SEED), channel(m, j, p), 0
    law = Chances(
        p=np.stack([np.ones((REPETITIONS, 1)), np.full((REPETITIONS, 1), p)]),
        answering=np.ones((REPETITIONS, 1)),
        q=np.full((REPETITIONS, 3), 0.5),
    )
    for _ in range(SETS):
        true = rng.multinomial(n, made_up(rng))
        rows = sum(
            rng.multinomial(people, own, REPETITIONS) for people, own in zip(true, sent_as, strict=True)
        )
        cells = DrawnTables.of(
            TRIPLE, law, (np.zeros_like(rows), rows), np.arange(REPETITIONS), is_drawn=True
        )
        scores, truth = Scores.of(cells, "stratified"), true[-1] / n
        found = inversion_intervals(("support",), scores, "respondents", chi_square_quantile(0.95))["support"]
        holding += int(((found.low <= truth) & (truth <= found.high)).sum())
    least = binomial_range(SETS * REPETITIONS, LEAST)[0]
    most = binomial_range(SETS * REPETITIONS, MOST)[1]
    assert least <= holding <= most, f"{holding} of {SETS * REPETITIONS} hold the truth, seed {SEED}"


def test_a_group_without_rows_has_no_slope() -> None:
    law = Chances(
        p=np.ones((2, 1, 1)), answering=np.ones((1, 1)), q=np.full((1, 3), 0.5),
    )  # fmt: skip
    nobody = np.zeros((1, 27), dtype=np.int64)
    assert square_slopes(TRIPLE, law, 0, nobody, np.ones((1, 27))) == 0
