"""Which changes of form are proposed for the questions of a design."""

from dataclasses import replace

import pytest

from privacy.planning.forms import FormChange, forms_of_design, goal_merged, goal_of_yes_no, goal_without
from privacy.planning.use import Goal
from privacy.survey.block import Block
from privacy.survey.design import Design, Question
from privacy.survey.group_policy import GroupPolicy

CHOICE = Question(key="age", kind="single", options=("a", "b", "c"), unrelated=(3334, 3333, 3333))
LINES = [Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in ("x", "y")]
DESIGN = Design(
    blocks=(Block(key="b", protected=True, truth_probability=5000, questions=(CHOICE, *LINES)),),
    group=GroupPolicy(),
    use="live",
)
STEMS = {"age": "", "x": "acts", "y": "acts"}


def codes(*wanted: str, **more: set[str]) -> list[str]:
    aim = Goal(people=400, wanted=wanted)
    return [form.code for form in forms_of_design(DESIGN, aim, stems=STEMS, **more)]


def test_lists_come_first_and_stars_are_never_left_out() -> None:
    alike = ["leave_out,x", "leave_out,y"]
    assert codes() == ["one_answer,acts", "merge,age,b,c", "lines,age", "leave_out,age", *alike]
    assert codes("age=a") == ["one_answer,acts", "merge,age,b,c", "one_option,age,a", *alike]
    assert codes("x") == ["merge,age,b,c", "lines,age", "leave_out,age", "leave_out,y"]


def test_a_star_can_move_to_the_end_but_not_out_of_its_list() -> None:
    """Two neighbours share a part more easily; a line stays in its list."""
    assert codes("age=a", "x")[-1] != "after,x,age"
    plain = replace(DESIGN.blocks[0], questions=(*LINES, CHOICE))
    design = replace(DESIGN, blocks=(plain,))
    found = forms_of_design(design, Goal(people=400, wanted=("x", "age=a")), stems={})
    assert [form.code for form in found][-2:] == ["after,age,x", "after,x,y"]


def test_answers_that_something_names_stay_and_complete_lists_are_not_summed_up() -> None:
    assert codes(named={"age"}, complete={"acts"}) == ["leave_out,age", "leave_out,x", "leave_out,y"]


def test_guesses_follow_a_change() -> None:
    aim = Goal(people=400, wanted=("age=c",), shares={"age=b": 1000, "age=c": 500, "x": 100})
    assert goal_merged(aim, "age", ["b", "c"], "b+").shares == {"x": 100, "age=b+": 1500}
    assert goal_merged(aim, "age", ["a", "b"], "a+").shares == {"age=c": 500, "x": 100}
    yes_no = goal_of_yes_no(aim, "age", "c")
    assert (yes_no.wanted, yes_no.shares) == (("age",), {"x": 100, "age": 500})
    assert goal_without(aim, ["age"]).shares == {"x": 100}


@pytest.mark.parametrize("code", ["lines,age", "merge,age,60,70", "leave_out,q"])
def test_a_code_is_read_again(code: str) -> None:
    assert FormChange.of_code(code).code == code
