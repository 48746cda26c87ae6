"""Mixtures of what is true and what is shown: the channel of each group, and the most likely shares."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from privacy.estimation import Columns, pattern_terms
from privacy.estimation.design_index import index_of
from privacy.estimation.mixture import Mixture
from privacy.estimation.patterns import parts_of, pattern_rows
from privacy.survey import Design
from tests.privacy.estimation.designs import (
    CHOICES,
    ENUMERATED,
    SKIPPABLE,
    STRENGTHS,
    THREE_BLOCKS,
    TWO_BLOCKS,
    design,
    opened,
    protected,
    yes_no,
)
from tests.privacy.estimation.records import Row, count, disguises, sample, true_rows


def mixture_of(rows: Sequence[Row], itemset: Columns, questionnaire: Design, *, group: int) -> Mixture:
    index = index_of(questionnaire)
    parts = parts_of(itemset, index)
    counts = count(questionnaire, rows, pattern_terms(itemset, questionnaire))
    return Mixture(rows=pattern_rows(counts, parts, index)[..., group], parts=parts, group=group)


@pytest.mark.parametrize("name", ENUMERATED)
def test_the_channel_is_how_a_device_turns_true_patterns_into_shown_ones(name: str) -> None:
    questionnaire = ENUMERATED[name]
    items = tuple(range(len(questionnaire.items)))[:4]
    for group, direct in enumerate((True, False)):
        rows = true_rows(questionnaire, direct=direct)
        for row in rows[:: max(1, len(rows) // 12)]:
            expected = sum(
                float(chance) * mixture_of([sent], items, questionnaire, group=group).rows
                for sent, chance in disguises(questionnaire, row)
            )
            table = mixture_of([row], items, questionnaire, group=group)
            np.testing.assert_allclose(table.shown(table.rows.astype(float)), expected, atol=1e-12)


@pytest.mark.parametrize("group", [0, 1])
@pytest.mark.parametrize("questionnaire", [TWO_BLOCKS, SKIPPABLE, CHOICES, THREE_BLOCKS, STRENGTHS])
def test_no_other_shares_are_more_likely(questionnaire: Design, group: int) -> None:
    table = mixture_of(sample(questionnaire, 400, seed=3), (0, 1, 2), questionnaire, group=group)
    found = table.fit()
    possible = np.array(True)
    for part in table.parts:
        possible = np.logical_and.outer(possible, part.can_be)
    assert found.sum() == pytest.approx(1)
    assert (found[~possible] == 0).all()
    # Concave: at the maximum no direction to a corner of the simplex rises.
    shown = table.shown(found)
    gradient = table.back(np.divide(table.rows, shown, where=shown > 0, out=0 * shown))
    assert (gradient[possible] / table.rows.sum() - 1).max() < 1e-5


def test_a_row_that_cannot_be_is_infinitely_unlikely() -> None:
    asked = design(opened("o", yes_no("a")))
    parts = parts_of((0,), index_of(asked))
    table = Mixture(rows=np.array([5.0, 1.0]), parts=parts, group=1)
    assert table.log_likelihood(np.array([1.0, 0.0])) == -math.inf


def test_what_is_shown_went_through_the_channel_of_every_block() -> None:
    asked = design(
        protected("x", 6000, yes_no("a", 3000)),
        protected("y", 4500, yes_no("b", 5000), yes_no("c", 2000)),
        protected("z", 7000, yes_no("d", 6000), refusal=2500),
    )
    parts = parts_of((0, 1, 2, 3), index_of(asked))
    shares = np.random.default_rng(4).random((2, 4, 3))
    table = Mixture(rows=shares, parts=parts, group=1)
    channels = [
        p * np.eye(len(q)) + (1 - p) * np.outer(q, np.ones(len(q)))
        for p, q in (
            (0.6, [0.7, 0.3]),
            (0.45, [0.4, 0.1, 0.4, 0.1]),
            (0.7, [0.4 * 0.75, 0.6 * 0.75, 0.25]),
        )
    ]
    assert table.shown(shares) == pytest.approx(np.einsum("ai,bj,ck,ijk->abc", *channels, shares), rel=1e-13)
    assert table.back(shares) == pytest.approx(np.einsum("ai,bj,ck,abc->ijk", *channels, shares), rel=1e-13)


def test_of_rows_as_frequent_as_likely_the_most_likely_shares_are_the_true_ones() -> None:
    asked = design(protected("x", 6000, yes_no("a", 3000)), protected("y", 8000, yes_no("b", 6000)))
    parts = parts_of((0, 1), index_of(asked))
    shares = np.array([[0.4, 0.1], [0.2, 0.3]])
    first, second = (
        p * np.eye(2) + (1 - p) * np.outer(q, np.ones(2)) for p, q in ((0.6, [0.7, 0.3]), (0.8, [0.4, 0.6]))
    )
    shown = (np.kron(first, second) @ shares.ravel()).reshape(2, 2)
    assert Mixture(rows=1_000 * shown, parts=parts, group=1).fit() == pytest.approx(shares, abs=1e-6)
