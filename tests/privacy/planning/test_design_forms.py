"""Changes of form on designs: the questions that result, and what no design could have."""

import pytest

from privacy.planning.design_forms import DesignDraft, design_draft
from privacy.planning.forms import FormChange
from privacy.planning.use import Goal
from privacy.scales.numeric_mechanisms import square_wave
from privacy.scales.window import NumberRange
from privacy.survey.block import Block
from privacy.survey.design import Design, Question
from privacy.survey.group_policy import GroupPolicy

CHOICE = Question(key="age", kind="single", options=("a", "b", "c"), unrelated=(3334, 3333, 3333))
LINES = [Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in ("x", "y", "z")]
HOURS = Question(
    key="hours",
    kind="number",
    options=(),
    unrelated=(),
    disguise=square_wave(NumberRange(low=0, high=40), 1.0),
)
BLOCKS = (
    Block(key="b", protected=True, truth_probability=5000, questions=(CHOICE, *LINES), refusal=1000),
    Block(key="n", protected=True, truth_probability=0, questions=(HOURS,)),
)
DESIGN = Design(blocks=BLOCKS, group=GroupPolicy(), use="live")
NAMES = {"x": "acts=x", "y": "acts=y", "age=a": "age=young"}


def draft() -> DesignDraft:
    return design_draft(DESIGN, Goal(people=400, shares={"age=a": 1000, "x": 500}), NAMES)


def formed(*codes: str) -> DesignDraft:
    found = draft().formed([FormChange.of_code(code) for code in codes])
    assert found is not None
    return found


def keys(found: DesignDraft) -> list[list[str]]:
    return [[question.key for question in block.questions] for block in found.design.blocks]


def test_each_change_replaces_only_its_question() -> None:
    assert keys(formed("leave_out,x")) == [["age", "y", "z"], ["hours"]]
    assert keys(formed("leave_out,hours")) == [["age", "x", "y", "z"]]
    assert keys(formed("one_answer,acts")) == [["age", "acts", "z"], ["hours"]]
    assert keys(formed("lines,age")) == [["age_a", "age_b", "age_c", "x", "y", "z"], ["hours"]]
    assert keys(formed("after,x,z")) == [["age", "y", "z"], ["x"], ["hours"]]
    assert keys(formed("after,z,age")) == [["age"], ["z"], ["x", "y"], ["hours"]]
    levels = formed("levels,hours").design.blocks[1].questions[0]
    assert (levels.kind, levels.options) == ("single", ("level-1", "level-2", "level-3"))


def test_names_and_guesses_follow() -> None:
    lines = formed("lines,age")
    assert lines.names["age_a"] == "age=young"
    assert lines.goal.shares == {"x": 500, "age_a": 1000}
    assert "one_answer,age" not in [form.code for form in lines.possible_forms()]
    assert formed("merge,age,a,b").names["age=a+"] == "age=young / b"
    assert formed("levels,hours").names["hours=level-2"] == "hours=13 to 26"
    assert formed("one_option,age,a").names["age"] == "age=young"
    assert formed("one_answer,acts").goal.shares == {"age=a": 1000}


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("levels,hours", 'ask "hours" as 3 levels'),
        ("merge,age,a,b", 'merge the answers "young", "b" to "age"'),
        ("one_option,age,a", 'ask "age" with yes or no: "young"'),
        ("lines,age", 'ask yes or no for each answer to "age"'),
        ("one_answer,acts", 'send "acts" as one answer: at least one of these'),
        ("after,x,z,y", 'ask "acts=x", "acts=y" after "z"'),
    ],
)
def test_a_change_is_said_with_names(code: str, words: str) -> None:
    assert draft().words(FormChange.of_code(code)) == words


def test_what_does_not_fit_changes_nothing() -> None:
    for code in (
        "merge,age,a,gone",
        "merge,age,a,b,c",
        "levels,age",
        "after,x,x",
        "after,x,gone",
        "lines,gone",
    ):
        assert keys(formed(code)) == keys(draft())
    alone = DesignDraft(questions=DESIGN, goal=Goal(people=400)).formed(
        [FormChange(kind="leave_out", key=key) for key in ("hours", "x", "y", "z", "age")]
    )
    assert alone is not None
    assert keys(alone) == [["age"]]
