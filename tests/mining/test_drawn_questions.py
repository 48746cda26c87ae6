"""The assumptions of estimates from drawn questions, and the effect of violating them."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from numpy.typing import NDArray

from benchmarks.simulation import simulate, study_design
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.simulation import true_rows
from privacy.estimation.counts import SupportCounts
from privacy.estimation.estimates import estimate
from privacy.estimation.required_counts import required_counts
from privacy.survey.design import Design
from tests.privacy.estimation.designs import design, protected, yes_no
from tests.statistics import FALSE_ALARM

Flags = NDArray[np.bool_]


def drawn(n: int, m: int, j: int, rng: np.random.Generator) -> Flags:
    """The questions each device draws; all sets of j are equally likely."""
    return np.asarray(rng.random((n, m)).argsort(axis=1).argsort(axis=1) < j)


def part(m: int, j: int, p: int, refusal: int | None = None) -> Design:
    questions = (yes_no(f"q{place}", 5000) for place in range(m))
    return design(protected("b", p, *questions, asks=j, refusal=refusal))


def sent(
    asked_design: Design, truth: Flags, asked: Flags, rng: np.random.Generator, skips: Flags | None = None
) -> BitMatrix:
    """Disguise rows of one part under fair decoys."""
    (block,) = asked_design.blocks
    n = len(truth)
    skips = np.zeros(n, dtype=bool) if skips is None else skips
    is_kept = rng.random(n) < float(block.truth)
    skipped = np.where(is_kept, skips, rng.random(n) < (block.refusal or 0) / 10_000)
    items = np.where(is_kept[:, None], truth, rng.random(truth.shape) < 0.5) & asked & ~skipped[:, None]
    return BitMatrix.from_booleans(
        asked_design, items, np.zeros(n, dtype=bool), is_asked=asked, answered=~skipped[:, None]
    )


def test_the_simulated_devices_draw_as_published() -> None:
    rng = np.random.default_rng(30)
    asked = study_design([4], truth_probability=7000, unrelated=5000, questions_per_person=2)
    truth = true_rows(3000, (0.3, 0.4, 0.5, 0.6), 0.3, rng)
    found = CountCache(simulate(asked, truth, np.zeros(3000, dtype=bool), rng))
    (test,) = found.draw_tests.tests
    assert (test.n, test.rejects) == (3000, False)


@pytest.mark.soak
def test_estimated_centres_change_the_estimate_to_second_order_only() -> None:
    """Triples of 3 of 6 in 400 surveys of 2,000: unbiased, and the error right."""
    asked_design, items, n, repetitions = part(6, 3, 6000), (0, 2, 4), 2_000, 400
    rng = np.random.default_rng(31)
    off, gain = np.empty(repetitions), np.empty(repetitions)
    for survey in range(repetitions):
        truth = true_rows(n, (0.3, 0.5, 0.4, 0.5, 0.5, 0.5), 0.4, rng)
        support = 0.4 * 0.3 + 0.6 * 0.3 * 0.4 * 0.5
        cache = CountCache(sent(asked_design, truth, drawn(n, 6, 3, rng), rng))
        counts = cache.need(required_counts([items], asked_design))
        table = {columns: counts[columns] for columns in counts}
        every = estimate(SupportCounts(table, all_rows=True), items, asked_design)
        complete = estimate(SupportCounts(table), items, asked_design)
        off[survey] = (every.value - support) / every.standard_error
        gain[survey] = (complete.standard_error / every.standard_error) ** 2
    # The mean of 400 standardised errors, and their squares: at most one false alarm in a million each.
    assert abs(off.mean()) < scipy.stats.norm.isf(FALSE_ALARM / 2) / np.sqrt(repetitions)
    low, high = scipy.stats.chi2.interval(1 - FALSE_ALARM, repetitions)
    assert low < (off**2).sum() < high
    assert gain.mean() > 2


def test_people_who_leave_when_they_see_a_question_bias_it_and_are_found() -> None:
    """Half of those who have the first item leave when asked about it: .4 becomes .2 / .8."""
    asked_design, n = part(5, 2, 6000), 40_000
    rng = np.random.default_rng(32)
    truth = true_rows(n, (0.4, 0.3, 0.5, 0.5, 0.5), 0.0, rng)
    asked = drawn(n, 5, 2, rng)
    stay = ~(asked[:, 0] & truth[:, 0] & (rng.random(n) < 0.5))
    cache = CountCache(sent(asked_design, truth[stay], asked[stay], rng))
    assert [test.about for test in cache.draw_tests.rejected] == ["draw"]
    found = estimate(cache.need(required_counts([(0,)], asked_design)), (0,), asked_design)
    assert not found.all_rows
    assert abs(found.value - 0.25) < 6 * found.standard_error
    assert 0.4 - found.value > 6 * found.standard_error


def test_skips_that_depend_on_what_was_drawn_bias_all_rows_and_leave_complete_ones() -> None:
    """Of those asked the first question half skip: of the asked, half as many have it and say so."""
    asked_design, n, items = part(5, 2, 6000, refusal=2000), 60_000, (0, 1)
    rng = np.random.default_rng(33)
    truth = true_rows(n, (0.6, 0.6, 0.5, 0.5, 0.5), 0.5, rng)
    asked = drawn(n, 5, 2, rng)
    skips = asked[:, 0] & (rng.random(n) < 0.5)
    cache = CountCache(sent(asked_design, truth, asked, rng, skips))
    assert [test.about for test in cache.draw_tests.rejected] == ["skip"]
    counts = cache.need(required_counts([items], asked_design))
    complete = estimate(counts, items, asked_design)
    half = (0.5 * 0.6 + 0.5 * 0.36) / 2
    assert not complete.all_rows
    assert abs(complete.value - half) < 6 * complete.standard_error
    table = {columns: counts[columns] for columns in counts}
    forced = estimate(SupportCounts(table, all_rows=True), items, asked_design)
    assert abs(forced.value - half) > 6 * forced.standard_error


@pytest.mark.parametrize("skipping", [0.0, 0.3])
def test_skips_that_depend_on_answers_only_are_no_reason_to_fall_back(skipping: float) -> None:
    asked_design, n = part(5, 2, 6000, refusal=2000), 20_000
    rng = np.random.default_rng(34)
    truth = true_rows(n, (0.6, 0.6, 0.5, 0.5, 0.5), 0.5, rng)
    skips = truth[:, 0] & (rng.random(n) < skipping)
    cache = CountCache(sent(asked_design, truth, drawn(n, 5, 2, rng), rng, skips))
    assert cache.all_rows
    found = estimate(cache.need(required_counts([(1, 2)], asked_design)), (1, 2), asked_design)
    wanted = (truth[:, [1, 2]].all(axis=1) & ~skips).mean()
    assert abs(found.value - wanted) < 6 * found.standard_error_respondents
