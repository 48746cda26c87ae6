"""Supports from all rows under rotation are exact, over every true row, drawing and coin."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.design_index import index_of
from privacy.estimation.margin_cells import Weighted, reweight, weighting_terms
from privacy.estimation.margins import Margin, margin_of
from privacy.estimation.required_counts import shapes_of
from privacy.survey.design import Condition
from tests.privacy.estimation.designs import design, opened, protected, single, yes_no
from tests.privacy.estimation.drawn_rows import (
    SCALE,
    a_law,
    counted,
    covariance_of,
    influences,
    sent,
    share_of,
    units,
    was_asked,
)
from tests.privacy.estimation.records import Row, columns

DRAWN = design(
    opened("o", yes_no("x"), yes_no("y")),
    protected("b", 5000, yes_no("a", 5000), yes_no("b", 4000), yes_no("c", 5000), asks=2, light=8000),
)
"""x is item 0 and y item 1; each device asks two of a, b, c (2, 3, 4)."""

LAW = a_law(DRAWN, seed=3, direct=Fraction(1, 4))
SENT = sent(DRAWN, LAW)
X = margin_of("x", {"yes": 0.3, "no": 0.7}, DRAWN)
Y = margin_of("y", {"yes": 0.6, "no": 0.4}, DRAWN)


def weigh(
    rows: dict[Row, Fraction], items: tuple[int, ...], margins: Sequence[Margin], *, all_rows: bool = True
) -> Weighted:
    counts = counted(DRAWN, rows, weighting_terms(items, margins, DRAWN), all_rows=all_rows)
    return reweight(counts, items, margins, DRAWN)


def cell_of(row: Row, margins: Sequence[Margin]) -> tuple[int, ...]:
    """Return the position of a row's answer in each margin, "yes" first."""
    mine = columns(DRAWN, row)
    return tuple(0 if item in mine else 1 for item, _ in zip((0, 1), margins, strict=False))


def conditional(rows: dict[Row, Fraction]) -> dict[Row, Fraction]:
    total = sum(rows.values())
    return {row: chance / total for row, chance in rows.items()}


@pytest.mark.parametrize("margins", [[X], [X, Y]], ids=["one margin", "two margins"])
@pytest.mark.parametrize("items", [(2,), (2, 3), (0, 2, 4)], ids=["one", "pair", "with an open item"])
def test_weighted_supports_and_errors_match_their_definition(
    items: tuple[int, ...], margins: list[Margin]
) -> None:
    got = weigh(SENT, items, margins)
    cells = sorted({cell_of(row, margins) for row in LAW})
    of_truth = [{row: c for row, c in LAW.items() if cell_of(row, margins) == cell} for cell in cells]
    of_sent = [{row: c for row, c in SENT.items() if cell_of(row, margins) == cell} for cell in cells]
    n = np.array([float(sum(one.values())) for one in of_sent])
    places = np.array(cells)
    weight = n.copy()
    for _round in range(300):
        for axis, margin in enumerate(margins):
            target = np.array([category.share for category in margin.categories])
            weight *= (target / np.bincount(places[:, axis], weights=weight))[places[:, axis]]
    share, variance = [], []
    for truth, rows in zip(of_truth, of_sent, strict=True):
        law, shown = conditional(truth), conditional(rows)
        mu = {part: share_of(DRAWN, law, part) for part in units(DRAWN, items)[1]}
        h = influences(DRAWN, shown, items, mu)
        share.append(float(share_of(DRAWN, law, items)))
        variance.append(float(covariance_of(shown, h, h)))
    values = np.array(share)
    assert got.value == pytest.approx(float(weight @ values), abs=1e-9)
    x = np.column_stack([np.ones(len(cells)), places])
    root = np.sqrt(weight)
    slopes = np.linalg.lstsq(root[:, None] * x, root * values, rcond=None)[0]
    residual = values - x @ slopes
    expected = (weight**2 * (np.array(variance) + residual**2) / n).sum()
    assert got.standard_error**2 * SCALE == pytest.approx(expected, rel=1e-7)
    complete = sum(chance for row, chance in SENT.items() if was_asked(DRAWN, row, items))
    assert got.n == pytest.approx(float(complete * SCALE), rel=1e-9)
    assert got.n_used == pytest.approx(SCALE, rel=1e-9)
    assert got.effective_n == pytest.approx(SCALE / (weight**2 / n).sum(), rel=1e-9)
    assert got.unweighted.all_rows
    assert got.unweighted.value == pytest.approx(float(share_of(DRAWN, LAW, items)), abs=1e-9)


def test_an_empty_cell_restricts_all_estimates_to_complete_rows() -> None:
    thinned = {
        row: chance
        for row, chance in SENT.items()
        if not (row.direct and 0 in columns(DRAWN, row) and was_asked(DRAWN, row, (2, 3)))
    }
    got = weigh(thinned, (2, 3), [X])
    assert got.n_used == got.n
    assert not got.unweighted.all_rows


def test_a_chunk_of_events_has_at_most_a_million_terms() -> None:
    """Of five rotating questions each can be matched, asked or not asked, and each set of them counts."""
    many = design(protected("b", 5000, *(yes_no(key, 5000) for key in "abcdef"), asks=5))
    for size, at_once in ((1, 4096), (5, (1 << 20) // (3**5 * 2**5))):
        itemset = np.arange(size)[None]
        ((_members, shape),) = shapes_of(index_of(many), itemset, [size], all_rows=True)
        assert shape is not None
        assert shape.at_once == at_once


def test_cells_without_fully_asked_respondents_are_rejected() -> None:
    thinned = {
        row: chance
        for row, chance in SENT.items()
        if not (0 in columns(DRAWN, row) and was_asked(DRAWN, row, (2, 3)))
    }
    with pytest.raises(PrivacyError, match="no respondent in these rows answered 'yes'") as refusal:
        weigh(thinned, (2, 3), [X])
    assert refusal.value.code == "empty_cell"


def test_a_part_with_several_conditions_weights_only_those_who_reach_it() -> None:
    """The population is the people who reach the part, so cells have the shares of their rows."""
    routed = design(
        opened("o", single("state", options=3), yes_no("y")),
        protected(
            "b", 5000, yes_no("a", 5000), yes_no("b", 4000), yes_no("c", 5000), asks=2, refusal=2000,
            asked_if=Condition(question="state", options=("o1", "o2")),
        ),
    )  # fmt: skip
    law: dict[Row, Fraction] = {}
    for row, chance in a_law(routed, seed=5, direct=Fraction(1, 4)).items():
        own = row.answered - {2, 3, 4} if 0 in columns(routed, row) else row.answered
        left = Row(row.direct, row.blocks if own == row.answered else row.blocks[:1], own)
        law[left] = law.get(left, Fraction(0)) + chance
    margin = margin_of("y", {"yes": 0.6, "no": 0.4}, routed)
    counts = counted(routed, sent(routed, law), weighting_terms((4, 5), [margin], routed), all_rows=True)
    got = reweight(counts, (4, 5), [margin], routed)
    led = {row: chance for row, chance in law.items() if not columns(routed, row) & {0}}
    expected = 0.0
    for share, yes in ((0.6, True), (0.4, False)):
        cell = conditional({row: chance for row, chance in led.items() if (3 in columns(routed, row)) == yes})
        expected += share * float(share_of(routed, cell, (4, 5)))
    assert got.value == pytest.approx(expected, abs=1e-9)
    assert got.n_used == pytest.approx(float(sum(led.values()) * SCALE), rel=1e-9)
    assert got.unweighted.all_rows
