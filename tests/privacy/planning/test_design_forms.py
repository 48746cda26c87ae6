"""Changes of form on designs: the questions that result, and what no design could have."""

from dataclasses import replace

import pytest

from privacy.planning.design_forms import DesignDraft, design_draft
from privacy.planning.forms import FormChange
from privacy.planning.use import Goal
from privacy.scales.numeric_mechanisms import square_wave
from privacy.scales.window import NumberRange
from privacy.survey.block import Block
from privacy.survey.component import Component
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level
from privacy.survey.conditions import Condition
from privacy.survey.design import Design, Question
from privacy.survey.group_policy import GroupPolicy
from privacy.survey.rotation import Rotation

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


def test_a_list_is_sent_as_one_answer_under_its_name_or_as_a_list() -> None:
    """One line is enough for a yes; a line without an answer leaves the whole without one."""
    for name, key in (("acts", "acts"), ("Some acts", "list"), ("age", "age-2")):
        names = {line: f"{name}={line}" for line in ("x", "y")}
        found = design_draft(DESIGN, Goal(people=400), names).formed(
            [FormChange(kind="one_answer", key=name)]
        )
        assert found is not None
        asked = found.design.blocks[0].questions[1]
        assert [each.key for each in found.design.blocks[0].questions] == ["age", asked.key, "z"]
        assert asked.key == key
        assert found.names[asked.key] == name
        assert not {"x", "y"} & found.stems.keys()
        assert asked.computed is not None
        assert [(each.key, each.points) for each in asked.computed.components] == [
            ("x", (0, 1)),
            ("y", (0, 1)),
        ]
        assert asked.computed.missing.at_most == 0
        assert [(level.start, level.option) for level in asked.computed.levels][1:] == [(1, "yes")]


def test_lines_of_a_choice_get_keys_that_are_free() -> None:
    taken = replace(DESIGN.blocks[0], questions=(CHOICE, replace(LINES[0], key="age_b"), *LINES))
    design = replace(DESIGN, blocks=(taken, DESIGN.blocks[1]))
    found = DesignDraft(questions=design, goal=Goal(people=400)).formed([FormChange.of_code("lines,age")])
    assert found is not None
    (a, b, c, *others) = [each.key for each in found.design.blocks[0].questions]
    assert (a, c, others) == ("age_a", "age_c", ["age_b", "x", "y", "z"])
    assert b == "age_b-2"
    assert {found.stems[key] for key in (a, b, c)} == found.complete == {"age"}


def test_lines_of_a_choice_with_a_long_key_get_different_keys() -> None:
    long = "k" * 60
    first = replace(DESIGN.blocks[0], questions=(replace(CHOICE, key=long), *LINES))
    design = replace(DESIGN, blocks=(first, DESIGN.blocks[1]))
    found = DesignDraft(questions=design, goal=Goal(people=400)).formed([FormChange.of_code(f"lines,{long}")])
    assert found is not None
    keys = [each.key for each in found.design.blocks[0].questions]
    assert len(keys) == len(set(keys)) == 6


def test_a_part_with_a_condition_or_a_computed_answer_is_not_divided() -> None:
    way = Question(key="way", kind="yes_no", options=(), unrelated=())
    opened = Block(key="o", protected=False, truth_probability=10_000, questions=(way,))
    asked_if = Condition(question="way", options=("yes",))
    conditional = replace(DESIGN.blocks[0], asked_if=asked_if)
    design = replace(DESIGN, blocks=(opened, conditional, DESIGN.blocks[1]))
    draft = DesignDraft(questions=design, goal=Goal(people=400))
    before = keys(draft)
    for code in ("after,x,z", "after,x,hours", "after,hours,x"):
        found = draft.formed([FormChange.of_code(code)])
        assert found is not None
        assert keys(found) == before
    # Nothing is divided if a whole part moves behind another.
    whole = draft.formed([FormChange.of_code("after,hours,way")])
    assert whole is not None
    assert keys(whole) == [["way"], ["hours"], ["age", "x", "y", "z"]]


def test_a_part_of_which_each_person_is_asked_some_asks_all_after_a_change() -> None:
    some = replace(DESIGN.blocks[0], questions_per_person=2)
    draft = DesignDraft(
        questions=replace(DESIGN, blocks=(some, DESIGN.blocks[1]), mechanism=0), goal=Goal(people=400)
    )
    found = draft.formed([FormChange.of_code("leave_out,x")])
    assert found is not None
    assert found.design.blocks[0].questions_per_person is None
    other = draft.formed([FormChange.of_code("leave_out,hours")])
    assert other is not None
    assert other.design.blocks == (some,)


def test_of_a_part_with_a_condition_only_what_keeps_its_probabilities_is_offered() -> None:
    """Its questions can be left out; another form of them would need another disguise, which it keeps."""
    way = Question(key="way", kind="yes_no", options=(), unrelated=())
    opened = Block(key="o", protected=False, truth_probability=10_000, questions=(way,))
    kept = replace(CHOICE, key="job")
    conditional = Block(
        key="c",
        protected=True,
        truth_probability=5000,
        questions=(kept, replace(LINES[0], key="w")),
        refusal=1000,
        asked_if=Condition(question="way", options=("yes",)),
    )
    design = replace(DESIGN, blocks=(opened, *DESIGN.blocks, conditional))
    offered = {form.code for form in DesignDraft(questions=design, goal=Goal(people=400)).possible_forms()}
    assert {"lines,age", "levels,hours", "leave_out,age", "leave_out,job", "leave_out,w"} <= offered
    assert not {code for code in offered if "job" in code and not code.startswith(("leave_out", "after"))}


def test_parts_keep_turns_until_one_of_them_is_gone() -> None:
    parts = tuple(
        Block(key=each.key, protected=True, truth_probability=5000, questions=(each,)) for each in LINES
    )
    pair = replace(parts[0], questions=(LINES[0], replace(LINES[0], key="w")))
    turns = Rotation(blocks=("x", "y", "z"), parts_per_person=2)
    design = Design(
        blocks=(pair, *parts[1:]), group=GroupPolicy(), use="live", rotations=(turns,), mechanism=0
    )
    draft = DesignDraft(questions=design, goal=Goal(people=400))

    def left(key: str) -> Design:
        found = draft.formed([FormChange(kind="leave_out", key=key)])
        assert found is not None
        return found.design

    assert left("w").rotations == (turns,)
    assert (left("y").rotations, [block.key for block in left("y").blocks]) == ((), ["x", "z"])


def union(**stems: str) -> DesignDraft:
    """Return a draft whose first question is whether at least one of some lines is true."""
    rule = Composite(
        components=tuple(Component(key=key, kind="yes_no", points=(0, 1)) for key in stems),
        missing=Gaps(at_most=0, fill="no_points"),
        levels=(Level(option="no"), Level(start=1, option="yes")),
    )
    whole = replace(LINES[0], key="any", computed=rule)
    block = replace(BLOCKS[0], questions=(whole, LINES[1]))
    goal = Goal(people=400, wanted=("any", "y"), shares={"any": 2000, "y": 100})
    return DesignDraft(
        questions=Design(blocks=(block,), group=GroupPolicy(), use="live"),
        goal=goal,
        stems=stems,
    )


def test_each_form_of_a_union_becomes_an_answer_in_its_place() -> None:
    made = union(a="acts", b="acts", c="Some words", d="Some words").formed(
        [FormChange(kind="each_form", key="any")]
    )
    assert made is not None
    assert keys(made) == [["acts", "form", "y"]]
    acts, words = made.questions.questions[:2]
    assert [[each.key for each in own.computed.components] for own in (acts, words) if own.computed] == [
        ["a", "b"], ["c", "d"]
    ]  # fmt: skip
    assert (made.goal.wanted, made.goal.shares) == (("y",), {"y": 100})
    assert (made.names["acts"], made.names["form"]) == ("acts", "Some words")
    # Keys of questions and of lines are not used again, but that of the union is.
    taken = union(a="any", b="any", c="y", d="y").formed([FormChange(kind="each_form", key="any")])
    assert taken is not None
    assert keys(taken) == [["any", "y-2", "y"]]


@pytest.mark.parametrize("stems", [{"a": "acts", "b": "acts"}, {"a": "acts", "b": "acts", "c": "words"}])
def test_a_union_without_two_forms_of_two_lines_stays(stems: dict[str, str]) -> None:
    made = union(**stems).formed([FormChange(kind="each_form", key="any")])
    assert made is None or keys(made) == [["any", "y"]]
