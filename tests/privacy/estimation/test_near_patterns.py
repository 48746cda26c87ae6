"""Patterns, expressions and likelihoods of parts that send rows near the true one, against enumeration."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from privacy.estimation.design_index import index_of
from privacy.estimation.isotonic import consistent_patterns
from privacy.estimation.patterns import pattern_terms, patterns_of_block
from privacy.survey import Design
from tests.privacy.estimation.drawn_rows import a_law, counted, covariance_of, sent
from tests.privacy.estimation.pattern_table import patterns
from tests.privacy.estimation.records import Row, disguises, matches, score, true_rows
from tests.privacy.estimation.test_near_shapes import WHOLE

DIRECT = Fraction(1, 4)
DESIGNS = {name: WHOLE[name] for name in ("four", "radius 0", "two strengths")}


def share(design: Design, law: dict[Row, Fraction], wanted: dict[int, bool]) -> Fraction:
    return sum((chance for row, chance in law.items() if matches(design, row, wanted)), Fraction(0))


@pytest.mark.parametrize("name", DESIGNS)
def test_every_pattern_is_estimated_without_bias_and_with_the_error_of_its_scores(name: str) -> None:
    design = DESIGNS[name]
    law = a_law(design, seed=2, direct=DIRECT)
    rows = sent(design, law)
    for items in ((0,), (0, 2), (0, 1, 2), (0, 1, len(design.items) - 1)):
        if len(set(items)) < len(items):
            continue
        counts = counted(design, rows, pattern_terms(items, design), all_rows=False)
        found = patterns(counts, items, design)
        for bits in itertools.product((0, 1), repeat=len(items)):
            wanted = {item: bool(bit) for item, bit in zip(items, bits, strict=True)}
            z = {row: score(design, row, wanted) for row in rows}
            assert found.value[bits] == pytest.approx(float(share(design, law, wanted)), abs=1e-9)
            n = found.n
            assert found.standard_error[bits] ** 2 * n == pytest.approx(
                float(covariance_of(rows, z, z)), rel=1e-8
            )


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_the_likelihood_is_greatest_at_the_truth_of_counts_as_frequent_as_likely(name: str) -> None:
    design = DESIGNS[name]
    law = a_law(design, seed=2, direct=Fraction(0))
    items = (0, 1, 2)
    rows = {
        Row(group, row.blocks, row.answered): chance * share
        for group, share in ((True, DIRECT), (False, 1 - DIRECT))
        for row, chance in law.items()
    }
    counts = counted(design, sent(design, rows), pattern_terms(items, design), all_rows=False)
    truth = [
        float(share_)
        for share_ in (
            share(design, law, dict(zip(items, map(bool, bits), strict=True)))
            for bits in itertools.product((0, 1), repeat=3)
        )
    ]
    assert consistent_patterns(counts, items, design).ravel() == pytest.approx(truth, abs=1e-5)


def test_the_score_and_the_channel_of_a_part_are_inverse_to_each_other() -> None:
    design = WHOLE["two strengths"]
    part = patterns_of_block(index_of(design), 0, (0, 1, 2))
    for group in (0, 1):
        p = part.truth[group]
        channel = p * part.turned + (1 - p) / 8
        for pattern in range(8):
            event = np.eye(8)[pattern]
            assert channel.T @ part.numerator(event, group) / p == pytest.approx(event, abs=1e-12)


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("group", [0, 1])
def test_the_score_undoes_what_happens_to_a_group_and_nothing_happens_to_direct_answers(
    name: str, group: int
) -> None:
    part = patterns_of_block(index_of(DESIGNS[name]), 0, (0, 2))
    events = np.eye(len(part.nodes))
    undone = part.backward(part.numerator(events, group), group, axis=0) / part.truth[group]
    assert undone == pytest.approx(events, abs=1e-12)
    assert (part.truth[group] == 1) == (group == 0 and name != "two strengths")
    if part.truth[group] == 1:
        assert part.forward(events, group, axis=0) == pytest.approx(events)


def test_the_channel_of_a_part_is_that_of_devices() -> None:
    design = WHOLE["four"]
    part = patterns_of_block(index_of(design), 0, (0, 2))
    true = next(row for row in true_rows(design, direct=False) if row.blocks == ((0, frozenset({0, 3})),))
    chances = np.zeros(4)
    for row, chance in disguises(design, true):
        items = row.blocks[0][1] or frozenset()
        chances[2 * (0 in items) + (2 in items)] += float(chance)
    p = part.truth[1]
    assert (p * part.turned + (1 - p) / 4)[:, 2] == pytest.approx(chances)
