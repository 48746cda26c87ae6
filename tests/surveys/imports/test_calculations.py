"""A form's sums of points become proposals of one answer; other calculations are noted with their formula."""

from typing import Any

import pytest

from surveys.imports.calculations import addends_of, levels_of
from surveys.imports.imported_drafts import draft_of
from surveys.imports.questionnaire import Questionnaire, use_score
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
    ("formula", "names"),
    [
        ("${a}", ["a"]),
        (" ${a}+${b} + ${ c } ", ["a", "b", "c"]),
        ("sum(${a}, ${b})", ["a", "b"]),
        ("coalesce(${a}, 0) + number(coalesce(${b}, '0'))", ["a", "b"]),
        ("(${a} + int(${b})) + round(${c})", ["a", "b", "c"]),
        ("${a} + ${a}", None),
        ("${a} - ${b}", None),
        ("2 * ${a}", None),
        ("${a} + 1", None),
        ("coalesce(${a}, 5)", None),
        ("max(${a}, ${b})", None),
        ("if(${a}, 1, 0)", None),
        ("", None),
        ("(" * 40 + "${a}" + ")" * 40, None),
        ("${a} + 'x + ${b}'", None),
    ],
)
def test_only_plain_sums_are_sums(formula: str, names: list[str] | None) -> None:
    assert addends_of(formula) == names


@pytest.mark.parametrize(
    ("formula", "levels"),
    [
        ("if(${t} >= 10, 'high', 'low')", [(None, "low"), (10, "high")]),
        ("if(${t} > 10, 'high', 'low')", [(None, "low"), (11, "high")]),
        ("if(${t} < 10, 'low', 'high')", [(None, "low"), (10, "high")]),
        ("if(${t} <= 10, 'low', 'high')", [(None, "low"), (11, "high")]),
        (
            "if(${t} < 5, 'low', if(${t} < 10, \"mid, or so\", 'high'))",
            [(None, "low"), (5, "mid, or so"), (10, "high")],
        ),
        ("if(${t} >= 10, 1, 0)", [(None, "0"), (10, "1")]),
        ("if(${t} >= 5, 'mid', if(${t} >= 10, 'high', 'low'))", None),
        ("if(${t} >= 10, 'high', if(${other} >= 5, 'mid', 'low'))", None),
        ("if(${t} = 10, 'ten', 'other')", None),
        ("if(${t} >= 10 and ${u} >= 3, 'high', 'low')", None),
        ("if(${t} >= 10, ${a}, 'low')", None),
        ("${t} >= 10", None),
    ],
)
def test_levels_start_where_the_formula_says(formula: str, levels: Any) -> None:
    found = levels_of(formula)
    assert (found and found[1]) == levels


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
    assert "3 questions (0 to 7)" in note.message
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
        ((("x", "${a} + ${b}"),), "select_one often", "lost", "${a} + ${b}"),
        ((("x", "if(${a} + ${c} >= 2, 'x', 'y')"),), "select_one words", "wrong", "without points: Tired?"),
        ((("x", "if(${a} + ${c} >= 2, 'x', 'y')"),), "select_multiple often", "wrong", "without points"),
        ((("x", "if(${a} + ${c} >= 2, 'x', 'y')"),), "integer", "wrong", "without points"),
        ((("x", "if(${a} + ${b} >= 9, 'x', 'y')"),), "select_one often", "wrong", "0 to 4"),
        ((("x", "if(${a} >= 1, 'x', 'y')"),), "select_one often", "wrong", "0 to 3"),
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
