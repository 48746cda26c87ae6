"""Plans of designs: new layouts, kept blocks, and refusals above privacy limits."""

import math
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from privacy.planning.layout_search import _Search, best_layout
from privacy.planning.layouts import AskedQuestion, LayoutGoal, Whole
from privacy.planning.plan import (
    PlannedDesign,
    _matched_anchor,
    _per_person,
    _positions,
    _with_epsilon,
    free_key,
    plan_design,
)
from privacy.planning.protection import PROTECTIONS
from privacy.planning.use import Goal, number_error, use_of
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import as_answered, square_wave
from privacy.scales.skips import least_refusal
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
        questions=tuple(yes_no(question) for question in questions),
        light=light,
    )


def number(key: str, *, epsilon: float | None) -> Block:
    disguise = as_answered(HOURS) if epsilon is None else square_wave(HOURS, epsilon)
    return Block(
        key=key,
        protected=epsilon is not None,
        truth_probability=10_000 if epsilon is None else 0,
        questions=(Question(key=key, kind="number", options=(), unrelated=(), disguise=disguise),),
    )


def design_of(*blocks: Block, policy: str = "protected") -> Design:
    return Design(blocks=blocks, group=GroupPolicy(policy=policy), use="live")  # type: ignore[arg-type]


def planned(design: Design, people: int = 1000, **goal: object) -> PlannedDesign:
    made = plan_design(design, Goal(people=people, **goal))  # type: ignore[arg-type]
    assert made is not None
    return made


def test_laid_out_questions_replace_the_first_block_with_even_decoys() -> None:
    made = planned(design_of(number("age", epsilon=None), coin("a", "x", "y"), coin("b", "z", refusal=900)))
    assert [block.key for block in made.design.blocks] == ["age", "a"]
    (laid,) = [block for block in made.design.blocks if block.protected]
    assert [question.key for question in laid.questions] == ["x", "y", "z"]
    assert {question.unrelated for question in laid.questions} == {(5000,)}
    assert laid.refusal is not None


def test_an_anchor_gets_the_probabilities_of_its_checked_block() -> None:
    anchor = replace(coin("check", "k"), questions=(replace(yes_no("k"), anchor="nobody"),))
    laid, check = planned(design_of(coin("a", "x", refusal=900), anchor)).design.blocks
    assert laid.truth_probability != 5000
    assert (check.truth_probability, check.refusal) == (laid.truth_probability, laid.refusal)
    assert check.questions[0].unrelated == (5000,)


def test_an_anchor_is_like_the_nearest_questions_with_a_coin_that_check_something() -> None:
    other, check = (
        replace(coin(key, key, refusal=700), questions=(replace(yes_no(key), anchor="nobody"),))
        for key in ("other", "check")
    )
    blocks = [
        replace(coin("a", "x", refusal=900), truth_probability=6100),
        number("hours", epsilon=1.0),
        other,
    ]
    matched = _matched_anchor(check, blocks)
    assert (matched.key, matched.truth_probability, matched.refusal) == ("check", 6100, 900)
    assert _matched_anchor(check, blocks[1:]) == check


def test_two_strengths_are_planned_like_the_strong_one() -> None:
    two = design_of(coin("a", "x", light=9000), policy="choice")
    assert planned(two) == planned(design_of(coin("a", "x")))


def test_a_starred_number_gets_priority_and_a_larger_budget() -> None:
    design = design_of(coin("a", *(f"q{count}" for count in range(6))), number("hours", epsilon=1.0))
    plain, starred = planned(design), planned(design, wanted=("hours",))
    assert starred.use.numbers["hours"] <= plain.use.numbers["hours"]
    assert starred.epsilons["hours"] >= plain.epsilons["hours"]
    assert starred.use.order[1] == starred.use.numbers["hours"]
    assert starred.use.power is None


@pytest.mark.parametrize("strength", PROTECTIONS)
def test_a_number_alone_gets_the_largest_hundredth_within_its_limit(strength: str) -> None:
    """The odds of one answer are at most e to the power of epsilon."""
    alone = planned(design_of(number("hours", epsilon=1.0)), wanted=("hours",), strength=strength)
    limit = math.log(PROTECTIONS[strength].answer)
    assert alone.epsilons == {"hours": math.floor(100 * limit) / 100}


def test_a_starred_undisguised_number_has_its_sampling_error() -> None:
    design = design_of(number("hours", epsilon=None), coin("a", "x"))
    use = use_of(design, Goal(people=400, wanted=("hours", "x")))
    answers = (HOURS.bins + 1) / (HOURS.bins - 1) / 12
    assert use.numbers["hours"] == pytest.approx(1.959964 * math.sqrt(answers / 400), abs=1e-6)
    assert "hours" not in use.people_asked
    assert (use.power, use.difference) == (None, None)
    assert number_error(design.blocks[0]) < number_error(number("hours", epsilon=1.0))
    assert use_of(design, Goal(people=400)).numbers == {}


def test_power_without_a_guess_is_that_of_a_guess_of_20_percent() -> None:
    design = design_of(coin("a", "x", "y", "z", refusal=900), number("hours", epsilon=1.0))
    guess = {"x": 2000, "y": 2000}
    for people in (150, 400, 2000):
        without, with_guess = (
            planned(design, people, wanted=("x", "y"), shares=shares).use for shares in ({}, guess)
        )
        assert without.power == with_guess.power
        assert (without.assumed, with_guess.assumed) == (("x", "y"), ())
        assert without.half_widths["x"] > with_guess.half_widths["x"]
    # An open answer has no assumed share.
    asked = replace(yes_no("o"), unrelated=())
    opened = Block(key="o", protected=False, truth_probability=10_000, questions=(asked,))
    assert planned(design_of(coin("a", "x"), opened), wanted=("x", "o")).use.assumed == ("x",)


def test_the_layout_is_chosen_for_the_power_that_is_stated() -> None:
    """With 20%, 250 people find 30 points 3 times in 10 only in a layout that asks fewer other questions."""
    design = design_of(coin("a", *(f"q{count}" for count in range(6))))
    wanted = ("q0", "q1")
    even = planned(design, 250, wanted=wanted, shares={"q0": 5000, "q1": 5000})
    without = planned(design, 250, wanted=wanted)
    assert without.use.power is not None
    assert use_of(even.design, without.aim).power is not None
    assert without.use.power >= (use_of(even.design, without.aim).power or 0.0)


def test_plans_subtract_the_budget_spent_by_earlier_surveys() -> None:
    design, goal = design_of(coin("a", "x", "y")), Goal(people=1000)
    first, later = (plan_design(design, goal, spent=spent) for spent in (0.0, 1.5))
    assert first is not None
    assert later is not None
    assert later.promise is not None
    assert later.promise.everything <= float(PROTECTIONS["medium"].everything) / math.exp(1.5)
    assert later.use.half_widths["x"] > first.use.half_widths["x"]
    assert plan_design(design, goal, spent=3.0) is None
    assert plan_design(design_of(*(number(f"n{each}", epsilon=1) for each in range(12))), goal) is None


def test_the_plan_of_an_undisguised_design_is_the_design_itself() -> None:
    design = design_of(number("hours", epsilon=None))
    made = planned(design)
    assert (made.design, made.promise, made.layout_key, made.is_useful) == (design, None, "", True)


@pytest.mark.parametrize(("taken", "free"), [(set(), "a"), ({"a"}, "a-2"), ({"a", "a-2", "a-3"}, "a-4")])
def test_the_next_free_number_makes_a_unique_key(taken: set[str], free: str) -> None:
    assert free_key("a", taken) == free


@pytest.mark.parametrize("n", [100, 250, 1000, 20_000])
@pytest.mark.parametrize("starred", [(), (0,), (2, 6)])
@pytest.mark.parametrize("has_one_coin", [False, True])
def test_questions_that_belong_together_are_asked_together_or_not_at_all(
    n: int, starred: tuple[int, ...], has_one_coin: bool
) -> None:
    wholes = (Whole(questions=(2, 3, 4), has_one_coin=has_one_coin), Whole(questions=(6, 7)))
    goal = LayoutGoal(n=n, questions=starred, shares=(0.1,) * 8, wholes=wholes)
    layout = best_layout((AskedQuestion(),) * 8, target=goal, protection=PROTECTIONS["medium"], skips=True)
    assert layout is not None
    for whole in wholes:
        parts = [part for part in layout.parts if not set(part.questions).isdisjoint(whole.questions)]
        assert len(parts) == 1 or (not whole.has_one_coin and layout.parts_per_person is None)
        for part in parts:
            inside = tuple(number for number in whole.questions if number in part.questions)
            each = {part.share_asked([number]) for number in inside}
            assert each == {part.share_asked(inside)}
            assert len(parts) == 1 or each == {Fraction(1)}
    # A former layout is recognised in the new one.
    again = best_layout(
        (AskedQuestion(),) * 8, target=goal, protection=PROTECTIONS["medium"], skips=True, old_key=layout.key
    )
    assert again == layout


def test_a_list_in_turn_with_others_has_a_block_of_its_own() -> None:
    """Blocks of three and one questions: two of the three blocks are asked, so a question reaches 2 in 3."""
    goal = LayoutGoal(n=400, questions=(), shares=(0.5,) * 5, wholes=(Whole(questions=(1, 2, 3)),))
    search = _Search(
        kinds=(AskedQuestion(),) * 5, target=goal, protection=PROTECTIONS["medium"], skips=False, numbers=()
    )
    (turns,) = [each for each in search.layouts() if each.kind == "in_turn" and each.per_person == 2]
    assert [part.questions for part in turns.parts] == [(0,), (1, 2, 3), (4,)]
    assert float(turns.items[1].share_asked) == pytest.approx(2 / 3)
    everyone = [each for each in search.layouts() if each.kind == "in_turn" and each.parts_per_person is None]
    assert [len(each.parts) for each in everyone] == [3, 5]


def test_a_plan_of_several_waves_states_the_odds_of_all_of_them() -> None:
    one = planned(design_of(coin("a", "x", "y")))
    assert one.promise is not None
    assert one.promise.waves is None
    three = replace(one, aim=replace(one.aim, waves=3)).in_all_waves().promise
    assert three is not None
    assert three.waves is not None
    assert (three.waves.count, three.waves.everything) == (3, one.promise.everything**3)
    assert replace(one, promise=None).in_all_waves().promise is None


@pytest.mark.parametrize("may_skip", [False, True])
def test_a_number_with_another_epsilon_hides_skips_only_if_it_may_be_skipped(may_skip: bool) -> None:
    block = number("hours", epsilon=1.0)
    if may_skip:
        block = replace(block, refusal=least_refusal(square_wave(HOURS, 1.0)))
    laid = _with_epsilon(block, 2.0)
    assert laid is not None
    assert laid.questions[0].disguise == square_wave(HOURS, 2.0)
    assert laid.refusal == (least_refusal(square_wave(HOURS, 2.0)) if may_skip else None)


def test_questions_belong_together_if_two_of_them_are_laid_out() -> None:
    questions = [yes_no(key) for key in "abc"]
    wholes = [Whole(questions=tuple(own)) for own in ("ca", "bx", "xyz", "cabx")]
    assert [each.questions for each in _positions(wholes, questions)] == [(0, 2), (0, 1, 2)]


@pytest.mark.parametrize(
    ("sizes", "drawn", "per_person", "asked"),
    [
        ((3,), None, None, None),
        ((3,), 2, None, 2),
        ((1, 3, 1), None, None, None),
        # Of blocks that take turns, the smallest count; if all of them are asked, that is everything.
        ((1, 3, 1), None, 2, 2),
        ((1, 3, 1), None, 3, None),
    ],
)
def test_people_are_asked_a_number_of_questions_only_if_it_is_not_all(
    sizes: tuple[int, ...], drawn: int | None, per_person: int | None, asked: int | None
) -> None:
    parts = [
        SimpleNamespace(questions=range(size), booklets=drawn and (tuple(range(drawn)),)) for size in sizes
    ]
    layout: Any = SimpleNamespace(parts=parts, parts_per_person=per_person, kinds=range(sum(sizes)))
    assert _per_person(layout) == asked
