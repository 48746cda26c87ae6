"""The difference that a comparison would find is the plan's for two answers."""

from dataclasses import replace

import numpy as np
import pytest

from privacy.estimation.comparison import Comparison, compare
from privacy.estimation.composed_parts import Part, Side
from privacy.estimation.joined_rows import JoinedRows
from privacy.planning.power import AskedItem, AskedPair, detectable_difference
from privacy.scales.decoded_numbers import MEAN
from surveys.runs.detectable import found_8_in_10
from tests.fixtures.checked_surveys import protected
from tests.fixtures.planned_drafts import EIGHT, drafted, number_part

DESIGN = drafted(protected("b", *EIGHT[:2], refusal=500), protected("c", EIGHT[2]), number_part()).design
A, B, C = (Side(items=(DESIGN.item(key).index,)) for key in ("q0", "q1", "q2"))


def found(share: float, everybody: float, people: float = 1_000) -> Comparison:
    rows = JoinedRows(
        counts=np.array([3, 1, 1, 3]),
        n_direct=0,
        n_protected=8,
        smallest_cell=1,
        scores=np.array([[1.0, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]),
    )
    return replace(compare(rows), share=share, everybody=everybody, effective_n=people)


@pytest.mark.parametrize("outcome", [B, C], ids=["one coin", "two coins"])
def test_two_answers_have_the_figure_of_a_plan_with_these_shares(outcome: Side) -> None:
    skips, others = DESIGN.blocks[:2]

    def item(share: float, *, skipped: bool) -> AskedItem:
        block = skips if skipped else others
        theta = block.questions[0].unrelated[0] / 10_000 * (1 - (block.refusal or 0) / 10_000)
        return AskedItem(truth=float(block.truth), decoy=theta, share=share)

    pair = AskedPair(
        first=item(0.3, skipped=True),
        second=item(0.4, skipped=outcome is B),
        skipped=0.05 if outcome is B else None,
    )
    stated = found_8_in_10(DESIGN, A, outcome, found(0.3, 0.4))
    assert stated == pytest.approx(detectable_difference(pair, 1_000), rel=1e-9)


def test_shares_that_allow_no_such_difference_have_none() -> None:
    assert found_8_in_10(DESIGN, A, C, found(-0.02, 0.4)) is None
    assert found_8_in_10(DESIGN, A, C, found(0.3, 1.0)) is None
    assert found_8_in_10(DESIGN, A, C, found(0.3, 0.4, people=10)) is None


def test_what_no_plan_states_has_the_error_of_the_difference_found() -> None:
    mean = Side(parts=(Part(question=3, target=MEAN),))
    for by, outcome in (
        (A, mean),
        (Side(items=(*A.items, *B.items)), C),
        (A, Side(at_least_one=C.items)),
        (B, Side(items=A.items, at_least_one=C.items)),
    ):
        assert found_8_in_10(DESIGN, by, outcome, found(0.3, 0.4)) == found(0.3, 0.4).detectable
    assert found_8_in_10(DESIGN, A, C, found(0.3, 0.4, people=0.5)) == found(0.3, 0.4).detectable


def test_one_answer_finds_no_difference_of_a_plan() -> None:
    assert found_8_in_10(DESIGN, A, C, found(0.3, 0.4, people=1)) is None
