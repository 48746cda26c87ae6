"""Three ways to learn more from a draft, each with figures that hold when the way is gone."""

from __future__ import annotations

import pytest

from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.questionnaire.layout import proposals
from surveys.questionnaire.use import use_of
from surveys.questionnaire.ways_on import ways_on
from tests.cast.checked_surveys import document_of, protected, yes_no


def laid_out(aim: Aim, count: int = 8) -> Definition:
    draft = definition_parse(document_of(protected("b", *(yes_no(f"q{n}") for n in range(count)))))
    return proposals(draft, aim)[0].definition


def test_so_many_people_are_needed_for_five_points() -> None:
    aim = Aim(people=400, wanted=("q0",))
    draft = laid_out(aim)
    people = ways_on(draft, aim).people
    assert people is not None
    assert use_of(draft.design, Aim(people=people, wanted=("q0",))).half_widths["q0"] <= 0.05
    assert use_of(draft.design, Aim(people=people - 1, wanted=("q0",))).half_widths["q0"] > 0.05


def test_so_many_people_find_the_difference() -> None:
    aim = Aim(people=200, wanted=("q0", "q1"), strength="strong")
    draft = laid_out(aim)
    people = ways_on(draft, aim).people
    assert people is not None
    power = use_of(draft.design, Aim(people=people, wanted=aim.wanted)).power
    assert power is not None
    # In two digits, rounded up.
    assert 0.8 <= power < 0.82


def test_leaving_out_a_question_that_is_not_wanted_helps_the_others() -> None:
    aim = Aim(people=400)
    draft = laid_out(aim)
    fewer = ways_on(draft, aim).fewer
    assert fewer is not None
    assert fewer.question not in fewer.use.half_widths
    assert max(fewer.use.half_widths.values()) < max(use_of(draft.design, aim).half_widths.values())


@pytest.mark.parametrize(("strength", "lighter"), [("strong", "medium"), ("medium", "light")])
def test_a_lighter_protection_tells_what_a_person_then_risks(strength: str, lighter: str) -> None:
    aim = Aim(people=400, wanted=("q0",), strength=strength)
    way = ways_on(laid_out(aim), aim).lighter
    assert way is not None
    assert way.use.aim.strength == lighter
    assert way.promise is not None
    assert way.use.half_widths["q0"] <= use_of(laid_out(aim).design, aim).half_widths["q0"]


def test_at_the_lightest_and_with_enough_people_nothing_is_left_to_do() -> None:
    aim = Aim(people=1_000_000, wanted=("q0", "q1"), strength="light")
    ways = ways_on(laid_out(aim, 2), aim)
    assert (ways.people, ways.fewer, ways.lighter) == (None, None, None)
