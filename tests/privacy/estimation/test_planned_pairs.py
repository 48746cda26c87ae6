"""A design predicts pairs of three items or more, and a plan counts those that will have an estimate."""

import pytest

from privacy.estimation.planned_pairs import borrowing_items, planned_basis, planned_pairs, predicts_pairs
from privacy.survey.design import Block, Condition, Design, GroupPolicy, Question


def rotating(questions: int, asked: int | None = None, *, asked_if: Condition | None = None) -> Design:
    """Return an open question, and disguised ones of which each person is asked some."""
    sex = Question(key="sex", kind="yes_no", options=(), unrelated=())
    you = Block(key="you", protected=False, truth_probability=10_000, questions=(sex,))
    block = Block(
        key="b", protected=True, truth_probability=6_000, questions_per_person=asked, asked_if=asked_if,
        questions=tuple(
            Question(key=f"q{number}", kind="yes_no", options=(), unrelated=(5_000,))
            for number in range(questions)
        ),
    )  # fmt: skip
    return Design(group=GroupPolicy(), use="live", blocks=(you, block))


def test_a_plan_counts_the_pairs_that_100_people_are_asked() -> None:
    """Two of six questions: each of the 15 pairs is asked of one person in 15."""
    design = rotating(6, 2)
    assert planned_pairs(design, 1_500) == (15, 15)
    assert planned_pairs(design, 1_499) == (0, 15)
    assert planned_basis(design, 1_500) == "pooled"
    # Three of seven: a pair is asked of 3 * 2/(7 * 6) = 1/7, and 21 pairs are 20 or more.
    assert planned_basis(rotating(7, 3), 700) == "shrunk"
    assert planned_basis(rotating(7, 3), 699) == "pooled"


def test_only_three_unconditional_disguised_items_predict_pairs() -> None:
    assert [predicts_pairs(rotating(number)) for number in (2, 3)] == [False, True]
    assert planned_basis(rotating(2), 10**6) is None
    assert borrowing_items(rotating(3)).tolist() == [1, 2, 3]
    some = Condition(question="sex", options=("yes",))
    assert not predicts_pairs(rotating(3, asked_if=some))


@pytest.mark.parametrize(("least", "basis"), [(21, "shrunk"), (22, "pooled")])
def test_pairs_are_shrunk_once_enough_pairs_have_their_own_estimate(
    least: int, basis: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("privacy.estimation.planned_pairs.BORROWING_LEAST_PAIRS", least)
    assert planned_basis(rotating(7, 3), 700) == basis
