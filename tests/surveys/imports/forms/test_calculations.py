"""A form's sums of points become proposals of one answer; other calculations are noted with their formula."""

from typing import Any

import pytest

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.forms.calculations import written_out
from surveys.imports.formulas.syntax import Unsayable, tree_of
from surveys.imports.scores.proposals import hindrance, use_score
from tests.fixtures.workbooks import Lines, workbook, xlsform_read

CHOICES: Lines = [
    ["list_name", "name", "label"],
    ["often", "0", "Never"], ["often", "1", "Some days"], ["often", "3", "Every day"],
    ["yn", "1", "Yes"], ["yn", "0", "No"],
    ["words", "never", "Never"], ["words", "daily", "Daily"],
]  # fmt: skip


def read(*calculated: tuple[str, str], c_is: str = "select_one often") -> Questionnaire:
    """Return a form with three questions a, b and c and these calculations."""
    survey: Lines = [
        ["type", "name", "label", "calculation"],
        ["select_one often", "a", "Sad?"],
        ["select_one yn", "b", "Do you cry?"],
        [c_is, "c", "Tired?"],
        *(["calculate", name, None, formula] for name, formula in calculated),
    ]
    return xlsform_read(workbook(survey=survey, choices=CHOICES))


@pytest.mark.parametrize(
    "calculated",
    [
        (("total", "${a} + ${b} + ${c}"), ("level", "if(${total} >= 4, 'high', 'low')")),
        (("level", "if(sum(${a}, ${b}, ${c}) >= 4, 'high', 'low')"),),
    ],
)
def test_a_level_of_a_sum_is_proposed_as_one_answer(calculated: tuple[tuple[str, str], ...]) -> None:
    survey = read(*calculated)
    (note,) = [note for note in survey.notes if note.asks == "score"]
    assert "from 3 answers" in note.message
    assert "low, high from 4" in note.message.replace(" and ", ", ")
    assert not [each for each in survey.notes if each.effect in ("lost", "wrong")]
    use_score(survey, note.line, is_used=True)
    (rule,) = [
        question["computed"]
        for block in draft_of(survey)["blocks"]
        for question in block["questions"]
        if "computed" in question
    ]
    points = [
        each.get("points") or [option["points"] for option in each["options"]] for each in rule["components"]
    ]
    assert points == [[0, 1, 3], [0, 1], [0, 1, 3]]
    assert [level.get("from") for level in rule["levels"]] == [None, 4]


@pytest.mark.parametrize(
    ("calculated", "c_is", "effect", "why"),
    [
        ((("x", "${a} * 2"),), "select_one often", "lost", "${a} * 2"),
        ((("x", "max(${a}, ${b})"),), "select_one often", "lost", "max(${a}, ${b})"),
        ((("x", "${a} + ${b} + ${c}"),), "select_one often", "lost", "${a} + ${b} + ${c}"),
        ((("x", "${a} * ${b}"),), "select_one often", "lost", "${a} * ${b}"),
        ((("x", "coalesce(${a} + ${b}, 0)"),), "select_one often", "lost", "coalesce("),
        ((("x", "if(${a} + ${b} >= 9, 'x', 'y')"),), "select_one often", "lost", ">= 9"),
        ((("x", "if(${a} >= 1, 'x', 'y')"),), "select_one often", "lost", ">= 1"),
        ((("x", "if(${a} + ${c} >= 2, 'x', 'y')"),), "select_one words", "wrong", "without points: Tired?"),
        ((("x", "if(${a} + ${c} >= 2, 'x', 'y')"),), "select_multiple often", "wrong", "without points"),
        ((("x", "if(${a} + ${c} >= 2, 'x', 'y')"),), "integer", "lost", "${a} + ${c} >= 2"),
        ((("x", "${a} + ${c}"),), "date", "lost", "${a} + ${c}"),
        ((("x", "selected-at(${c}, 0)"),), "geopoint", "lost", "selected-at(${c}, 0)"),
        ((("x", "if(${c} = 'tired', 'x', 'y')"),), "select_one words", "lost", "'tired'"),
        ((("x", "number(${c})"),), "select_one words", "wrong", "without points: Tired?"),
    ],
)
def test_other_calculations_are_noted_with_their_formula(
    calculated: tuple[tuple[str, str], ...], c_is: str, effect: str, why: str
) -> None:
    survey = read(*calculated, c_is=c_is)
    assert not survey.scores
    (note,) = [note for note in survey.notes if "calculation" in note.where]
    assert note.effect == effect
    assert why in note.message


SEVERAL_LINES: Lines = [
    ["list_name", "name", "label"],
    ["acts", "hit", "Hit"], ["acts", "kick", "Kicked"], ["acts", "burn", "Burnt"],
    ["acts", "none", "None of these"],
    ["yn", "1", "Yes"], ["yn", "0", "No"],
]  # fmt: skip


def read_acts(*calculated: tuple[str, str]) -> Questionnaire:
    """Return a form with a list, and a question in another group."""
    survey: Lines = [
        ["type", "name", "label", "calculation"],
        ["select_multiple acts", "acts", "What did they do to you?"],
        ["select_one yn", "fear", "Were you afraid?"],
        ["begin group", "later", "Later"],
        ["select_one yn", "threat", "Did they threaten you?"],
        ["end group"],
        *(["calculate", name, None, formula] for name, formula in calculated),
    ]
    return xlsform_read(workbook(survey=survey, choices=SEVERAL_LINES))


def rules_of(survey: Questionnaire) -> list[dict[str, Any]]:
    for score in survey.scores:
        use_score(survey, score.line, is_used=True)
        assert hindrance(survey, score) == ""
    return [
        question["computed"]
        for block in draft_of(survey)["blocks"]
        for question in block["questions"]
        if "computed" in question
    ]


@pytest.mark.parametrize(
    ("formula", "components", "starts", "at_most"),
    [
        ("selected(${acts}, 'hit') or selected(${acts}, 'kick')", ["acts_hit", "acts_kick"], [1], 1),
        ("selected(${acts}, 'burn') or ${threat} = '1'", ["acts_burn", "threat"], [1], 1),
        ("${fear} = '1' or ${threat} = '1'", ["fear", "threat"], [1], 1),
        ("if(${fear} = '1' and ${threat} = '1', 'both', 'no')", ["fear", "threat"], [2], 1),
        ("count-selected(${acts}) >= 2", ["acts_hit", "acts_kick", "acts_burn"], [2], 2),
        ("if(sum(${fear}, ${threat}) > 1, 1, 0)", ["fear", "threat"], [2], 1),
        ("if(mean(${fear}, ${threat}) >= 0.5, 1, 0)", ["fear", "threat"], [1], 1),
        ("${fear} + ${threat}", ["fear", "threat"], [1, 2], 0),
    ],
)
def test_formulas_become_one_answer_of_questions_in_one_part(
    formula: str, components: list[str], starts: list[int], at_most: int
) -> None:
    (rule,) = rules_of(read_acts(("x", formula)))
    assert [each["key"] for each in rule["components"]] == components
    assert [level["from"] for level in rule["levels"][1:]] == starts
    assert rule["missing"]["at_most"] == at_most


def test_conditions_on_several_sums_are_noted() -> None:
    survey = read_acts(("x", "selected(${acts}, 'hit') and (${fear} = '1' or ${threat} = '1')"))
    assert not survey.scores
    assert len([note for note in survey.notes if note.cause == "calculate"]) == 1


def test_a_count_that_includes_none_of_these_is_noted() -> None:
    """In the form “None of these” counts as one, which no rule can say of a list."""
    survey = read_acts(("x", "count-selected(${acts})"), ("y", "count-selected(${acts}) >= 1"))
    assert not survey.scores
    assert len([note for note in survey.notes if note.cause == "calculate"]) == 2


def test_answers_from_the_same_questions_exclude_each_other() -> None:
    survey = read_acts(("x", "${fear} = '1' or ${threat} = '1'"), ("y", "${fear} + ${threat}"))
    for score in survey.scores:
        use_score(survey, score.line, is_used=True)
    assert "same questions" in hindrance(survey, survey.scores[0])
    survey.scores[1].is_used = False
    assert hindrance(survey, survey.scores[0]) == ""
    survey.parts[-1].questions.clear()
    survey.parts[0].questions.pop()
    assert "left out" in hindrance(survey, survey.scores[0])


def test_questions_for_different_people_are_no_one_answer() -> None:
    survey: Lines = [
        ["type", "name", "label", "calculation", "relevant"],
        ["select_one yn", "resident", "Do you live here?"],
        ["select_one yn", "fear", "Were you afraid?", None, "${resident} = '1'"],
        ["select_one yn", "threat", "Did they threaten you?"],
        ["calculate", "x", None, "${fear} = '1' or ${threat} = '1'"],
    ]
    read = xlsform_read(workbook(survey=survey, choices=SEVERAL_LINES))
    (score,) = read.scores
    read.questions[0].is_protected = False
    use_score(read, score.line, is_used=True)
    assert "different people" in hindrance(read, score)
    read.questions[0].is_protected = True
    assert hindrance(read, score) == ""


def test_calculations_that_use_each_other_end() -> None:
    trees = {"a": tree_of("${b} + 1"), "b": tree_of("${a} + 1")}
    assert trees["a"] is not None
    with pytest.raises(Unsayable, match="each other"):
        written_out(trees["a"], {name: tree for name, tree in trees.items() if tree is not None})


def test_codes_of_missing_answers_that_a_formula_adds_up_are_named() -> None:
    choices = [*CHOICES, ["often", "99", "Refused"]]
    rows: Lines = [
        ["type", "name", "label", "calculation"],
        ["select_one often", "a", "Sad?"],
        ["select_one often", "b", "Tired?"],
        ["calculate", "level", None, "if(${a} + ${b} >= 4, 'high', 'low')"],
    ]
    survey = xlsform_read(workbook(survey=rows, choices=choices))
    (said,) = [note.message for note in survey.notes if note.asks == "score"]
    assert said.endswith("low, high from 4; points for “Refused”: 99")


def test_a_level_without_a_name_is_named_by_its_sums() -> None:
    (score,) = read(("level", "if(${a} + ${b} + ${c} < 4, 'low', '')")).scores
    assert score.levels == [(None, "low"), (4, "4–7")]
