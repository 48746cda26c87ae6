"""Several answers that share a filter, or one answer of all combinations: the widths of both."""

import math
from dataclasses import replace

import pytest

from privacy.planning.filter_choice import FilterChoice, filter_choices
from privacy.planning.use import Goal, use_of
from privacy.survey.design import Design
from tests.vectors.composite_designs import TOGETHER, acts, design, followed, only_if, scored, together

TWO = TOGETHER["two follow-ups of one filter"]
GOAL = Goal(people=300)


def only(own: Design, goal: Goal = GOAL) -> FilterChoice:
    (found,) = filter_choices(own, goal)
    return found


def test_two_follow_ups_are_more_precise_as_two_answers() -> None:
    found = only(TWO)
    assert (found.questions, found.combinations, found.is_separate_narrower) == (("hit", "kicked"), 5, True)
    # One answer of odds 4 in five options: p / (1 - p) = 3/5, a third of people with 2 of the 5 options.
    p = 3 / 8
    reported = p / 3 + (1 - p) * 2 / 5
    assert found.combined == pytest.approx(1.96 * math.sqrt(reported * (1 - reported) / 300) / p, rel=1e-3)


def test_the_separate_width_is_that_of_the_plan() -> None:
    found = only(TWO)
    assert found.separate == max(use_of(TWO, GOAL).half_widths.values())


def test_a_part_that_may_reveal_less_makes_both_ways_less_precise() -> None:
    """Other parts have spent the rest of the odds, so p = 1/10 leaves odds of 2 for the nine rows."""
    weak = replace(TWO, blocks=(replace(TWO.blocks[0], truth_probability=1000),))
    found = only(weak)
    assert found.separate == max(use_of(weak, GOAL).half_widths.values())
    # One answer of odds 2 in five options: p / (1 - p) = 1/5.
    p = 1 / 6
    reported = p / 3 + (1 - p) * 2 / 5
    assert found.combined == pytest.approx(1.96 * math.sqrt(reported * (1 - reported) / 300) / p, rel=2e-3)


def test_other_questions_of_the_part_count_for_both() -> None:
    more = design(together("b", ("a", followed("a1")), ("b", followed("b1")), ("d", acts("d1", "d2"))))
    alone = only(design(together("b", ("a", followed("a1")), ("b", followed("b1")))))
    found = only(more)
    assert found.questions == ("a", "b")
    assert found.separate >= alone.separate
    assert found.combined >= alone.combined


def test_one_answer_is_more_precise_if_few_combinations_can_be_true() -> None:
    """Whoever chooses a in the filter is asked only about a: 1 + 4 * 2 combinations instead of 3^4."""
    which = replace(scored("which", 0, 0, 0, 0, 0), shared=True)
    rules = {}
    for number, name in enumerate("abcd", start=1):
        follower = scored(f"{name}1", 1, 2, asked_if=only_if("which", f"o{number}"))
        rules[name] = replace(followed(f"{name}1"), components=(which, follower))
    block = design(together("b", *rules.items())).blocks[0]
    # Under odds of 19 for everything, p / (1 - p) = 18 / 81 for four answers and 3 / 9 for one.
    found = only(replace(TWO, blocks=(replace(block, truth_probability=1818),)))
    assert (found.combinations, found.is_separate_narrower) == (9, False)


@pytest.mark.parametrize("name", ["three forms", "two filters, one after the other"])
def test_parts_without_a_filter_and_rotating_parts_are_left_out(name: str) -> None:
    assert list(filter_choices(TOGETHER[name], GOAL)) == []


def test_one_answer_that_can_be_skipped_is_less_precise() -> None:
    """With the same probability of the truth, a skip takes part of the odds."""
    block = replace(TWO.blocks[0], truth_probability=4500, refusal=1000)
    never_skipped = replace(block, refusal=None)
    found, without = (only(replace(TWO, blocks=(each,))) for each in (block, never_skipped))
    assert found.combined > without.combined


def test_of_equal_widths_several_answers_are_chosen() -> None:
    chosen = [
        FilterChoice(questions=("a",), separate=separate, combined=0.1, combinations=3).is_separate_narrower
        for separate in (0.09, 0.1, 0.11)
    ]
    assert chosen == [True, True, False]


@pytest.mark.parametrize(("most", "is_offered"), [(5, True), (4, False)])
def test_the_number_of_combinations_in_one_answer_is_limited(
    most: int, is_offered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("privacy.planning.filter_choice.MOST_OPTIONS", most)
    assert any(filter_choices(TWO, GOAL)) is is_offered
