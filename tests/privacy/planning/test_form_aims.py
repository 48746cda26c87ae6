"""Aims after a change of form."""

from privacy.planning.form_aims import goal_merged, goal_of_yes_no, goal_without
from privacy.planning.use import Goal


def test_guesses_follow_a_change() -> None:
    aim = Goal(people=400, wanted=("age=c",), shares={"age=b": 1000, "age=c": 500, "x": 100})
    assert goal_merged(aim, "age", ["b", "c"], "b+").shares == {"x": 100, "age=b+": 1500}
    assert goal_merged(aim, "age", ["a", "b"], "a+").shares == {"age=c": 500, "x": 100}
    yes_no = goal_of_yes_no(aim, "age", "c")
    assert (yes_no.wanted, yes_no.shares) == (("age",), {"x": 100, "age": 500})
    assert goal_without(aim, ["age"]).shares == {"x": 100}
