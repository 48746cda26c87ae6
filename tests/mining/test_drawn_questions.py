"""The assumptions of estimates from drawn questions, and the effect of violating them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.simulation import true_rows
from privacy.estimation.counts import SupportCounts
from privacy.estimation.estimates import estimate
from privacy.estimation.required_counts import required_counts
from privacy.survey.design import Design
from tests.privacy.estimation.designs import design, protected, yes_no

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
