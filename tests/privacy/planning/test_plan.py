"""Plans of designs: new layouts, kept blocks, and refusals by the ceilings."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from privacy.planning.layouts import PROTECTIONS
from privacy.planning.plan import PlannedDesign, free_key, plan_design
from privacy.planning.use import Goal, number_error, use_of
from privacy.scales.numeric_mechanisms import as_answered, square_wave
from privacy.scales.window import NumberRange
from privacy.survey.design import Block, Design, GroupPolicy, Question

HOURS = NumberRange(low=0, high=40)


def yes_no(key: str, unrelated: int = 3000) -> Question:
    return Question(key=key, kind="yes_no", options=(), unrelated=(unrelated,))


def coin(key: str, *questions: str, refusal: int | None = None, light: int | None = None) -> Block:
    return Block(
        key=key,
        protected=True,
        truth_probability=5000,
        refusal=refusal,
        asked_if=None,
        questions=tuple(yes_no(question) for question in questions),
        light=light,
    )


def number(key: str, *, epsilon: float | None) -> Block:
    disguise = as_answered(HOURS) if epsilon is None else square_wave(HOURS, epsilon)
    return Block(
        key=key,
        protected=epsilon is not None,
        truth_probability=10_000 if epsilon is None else 0,
        refusal=None,
        asked_if=None,
        questions=(Question(key=key, kind="number", options=(), unrelated=(), disguise=disguise),),
    )


def design_of(*blocks: Block, policy: str = "protected") -> Design:
    return Design(blocks=blocks, group=GroupPolicy(policy=policy), use="live")  # type: ignore[arg-type]


def planned(design: Design, people: int = 1000, **goal: object) -> PlannedDesign:
    made = plan_design(design, Goal(people=people, **goal))  # type: ignore[arg-type]
    assert made is not None
    return made


def test_questions_are_laid_out_where_the_first_of_them_was_and_drawn_evenly() -> None:
    made = planned(design_of(number("age", epsilon=None), coin("a", "x", "y"), coin("b", "z", refusal=900)))
    assert [block.key for block in made.design.blocks] == ["age", "a"]
    (laid,) = [block for block in made.design.blocks if block.protected]
    assert [question.key for question in laid.questions] == ["x", "y", "z"]
    assert {question.unrelated for question in laid.questions} == {(5000,)}
    assert laid.refusal is not None


def test_an_anchor_has_the_probabilities_of_the_block_that_it_checks() -> None:
    anchor = replace(coin("check", "k"), questions=(replace(yes_no("k"), anchor="nobody"),))
    laid, check = planned(design_of(coin("a", "x", refusal=900), anchor)).design.blocks
    assert laid.truth_probability != 5000
    assert (check.truth_probability, check.refusal) == (laid.truth_probability, laid.refusal)
    assert check.questions[0].unrelated == (5000,)


def test_two_strengths_are_planned_as_the_strong_one() -> None:
    two = design_of(coin("a", "x", light=9000), policy="choice")
    assert planned(two) == planned(design_of(coin("a", "x")))


def test_a_starred_number_leads_and_is_given_more_of_the_odds() -> None:
    design = design_of(coin("a", *(f"q{count}" for count in range(6))), number("hours", epsilon=1.0))
    plain, starred = planned(design), planned(design, wanted=("hours",))
    assert starred.use.numbers["hours"] <= plain.use.numbers["hours"]
    assert starred.epsilons["hours"] >= plain.epsilons["hours"]
    assert starred.use.order[1] == starred.use.numbers["hours"]
    assert starred.use.power is None


def test_a_starred_number_that_is_stored_as_answered_has_the_error_of_its_answers() -> None:
    design = design_of(number("hours", epsilon=None), coin("a", "x"))
    use = use_of(design, Goal(people=400, wanted=("hours", "x")))
    assert use.numbers["hours"] == pytest.approx(1.959964 * math.sqrt(1 / 12 / 400), abs=1e-6)
    assert "hours" not in use.asked
    assert (use.power, use.difference) == (None, None)
    assert number_error(design.blocks[0]) < number_error(number("hours", epsilon=1.0))
    assert use_of(design, Goal(people=400)).numbers == {}


def test_what_earlier_surveys_spent_is_left_out_until_nothing_is_left() -> None:
    design, goal = design_of(coin("a", "x", "y")), Goal(people=1000)
    first, later = (plan_design(design, goal, spent=spent) for spent in (0.0, 1.5))
    assert first is not None
    assert later is not None
    assert later.promise is not None
    assert later.promise.everything <= float(PROTECTIONS["medium"].everything) / math.exp(1.5)
    assert later.use.half_widths["x"] > first.use.half_widths["x"]
    assert plan_design(design, goal, spent=3.0) is None
    assert plan_design(design_of(*(number(f"n{each}", epsilon=1) for each in range(12))), goal) is None


def test_where_nothing_is_disguised_the_design_is_the_plan() -> None:
    design = design_of(number("hours", epsilon=None))
    made = planned(design)
    assert (made.design, made.promise, made.held, made.is_useful) == (design, None, "", True)


@pytest.mark.parametrize(("taken", "free"), [(set(), "a"), ({"a"}, "a-2"), ({"a", "a-2", "a-3"}, "a-4")])
def test_a_key_is_free_with_the_next_number(taken: set[str], free: str) -> None:
    assert free_key("a", taken) == free
