"""Estimating equations of the measures of a rule, and errors by the delta method."""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.estimates import covariance, estimate
from privacy.estimation.estimating_equation import Equation
from privacy.estimation.intervals import measure_rules
from privacy.estimation.moments import Scores
from privacy.estimation.required_counts import contingency_tables, required_counts
from privacy.estimation.rule_sides import Rule
from tests.privacy.estimation.designs import ONE_BLOCK, TWO_BLOCKS
from tests.privacy.estimation.records import count, sample


def test_delta_errors_match_the_covariances() -> None:
    rows = sample(TWO_BLOCKS, 3000, seed=33)
    rule: Rule = ((0,), (2,))
    union = (0, 2)
    parts: list[Columns] = [union, *rule]
    needed = {key for pair in itertools.product(parts, parts) for key in required_counts([pair], TWO_BLOCKS)}
    counts = count(TWO_BLOCKS, rows, sorted(needed))
    both, a, b = (estimate(counts, part, TWO_BLOCKS).value for part in parts)
    matrix = np.array([[covariance(counts, one, other, TWO_BLOCKS) for other in parts] for one in parts])
    functions: dict[str, Callable[[float, float, float], float]] = {
        "support": lambda s, a, b: s,
        "confidence": lambda s, a, b: s / a,
        "lift": lambda s, a, b: s / (a * b),
        "leverage": lambda s, a, b: s - a * b,
        "conviction": lambda s, a, b: a * (1 - b) / (a - s),
    }
    found = measure_rules(counts, [rule], TWO_BLOCKS)[0]
    for measure, function in functions.items():
        step = 1e-6
        gradient = []
        for place in range(3):
            up, down = [both, a, b], [both, a, b]
            up[place] += step
            down[place] -= step
            gradient.append((function(*up) - function(*down)) / (2 * step))
        measured = getattr(found, measure)
        assert measured.value == pytest.approx(function(both, a, b), rel=1e-12)
        assert measured.standard_error == pytest.approx(
            math.sqrt(np.array(gradient) @ matrix @ gradient), rel=1e-6
        )


def test_a_weak_denominator_gives_no_delta_error() -> None:
    # P(A) = .1 with SE sqrt(.45 * .55 / n) / .3, so 3.8 errors at n = 4,000 and 6.0 at n = 10,000.
    for n, shown in ((4000, False), (10_000, True)):
        shares = {(): 1.0, (0,): 0.45, (1,): 0.51, (0, 1): 0.282}
        counts = SupportCounts({columns: (0, round(share * n)) for columns, share in shares.items()})
        found = measure_rules(counts, [((0,), (1,))], ONE_BLOCK)[0]
        assert (found.confidence.standard_error is not None) == shown
        assert found.leverage.standard_error is not None


def test_a_group_without_rows_has_no_possible_cells() -> None:
    for counts, is_empty in (
        ((0, 400), [True, False]),
        ((400, 0), [False, True]),
        ((9, 400), [False, False]),
    ):
        table = SupportCounts({(): counts, (0,): (counts[0] // 2, counts[1] // 2)})
        (part,) = contingency_tables(table, [(0,)], ONE_BLOCK)
        constant, _slope = Equation(measure="support", scores=Scores.of(part)).cells
        groups = np.split(constant[0], [part.groups[0].rows.shape[1]])
        assert [not own.any() for own in groups] == is_empty
