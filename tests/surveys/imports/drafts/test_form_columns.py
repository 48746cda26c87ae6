"""Columns of an XLSForm: numbers, dates and places, conditions, and columns without an effect."""

from typing import Any

import pytest
from django.utils.translation import override

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.questionnaire import WRONG, Questionnaire
from surveys.questionnaire.stated_number import MEDIUM_EPSILON
from tests.fixtures.workbooks import SURVEY, Lines, form, workbook
from tests.fixtures.workbooks import form_with_skips as xlsform_read


def foreign(*rows: list[Any], columns: tuple[str, ...] = ()) -> Questionnaire:
    """Return another program's form, with one choice and these rows."""
    header = ["type", "name", "label::English (en)", *columns]
    lines: Lines = [header, *rows]
    with override("en"):
        return xlsform_read(workbook(survey=lines, choices=[["list_name", "name", "label::English (en)"]]))


@pytest.mark.parametrize(
    ("row", "number"),
    [
        (["integer", "n", "n?", ". >= 0 and . <= 99"], {"low": 0, "high": 99, "bin": 5}),
        (["integer", "n", "n?", "(. >= 0 and . <= 99)"], {"low": 0, "high": 99, "bin": 5}),
        (["integer", "n", "n?", ".<=100 and .>=0"], {"low": 0, "high": 100, "bin": 1}),
        (
            ["decimal", "kg", "kg?", ". >= 2.5 and . <= 12.4"],
            {"low": 2.5, "high": 12.4, "bin": 0.5, "decimals": 1},
        ),
        (["range", "r", "r?", None, "start=1 end=10 step=1"], {"low": 1, "high": 10, "bin": 1}),
        (["q int", "n", "n?", ".>0 and .<101"], {"low": 1, "high": 100, "bin": 5}),
        (["integer", "any", "?", ".>=2"], {"low": 2, "high": 99, "bin": 7}),
        (["integer", "any", "?", ".<=-5"], {"low": -104, "high": -5, "bin": 5}),
        (["integer", "any", "?", ". != 3"], {"low": 0, "high": 99, "bin": 5}),
        (["integer", "days", "On how many days of a week?"], {"low": 0, "high": 7, "bin": 1}),
        (
            ["date", "d", "?", ". >= date('2024-01-01') and . <= date('2024-12-30')"],
            {"calendar": "day", "low": "2024-01-01", "high": "2024-12-30", "bin": 73},
        ),
        (["date", "d", "?", ". >= date('2024-01-32') and . <= today()"], {"calendar": "day"}),
    ],
    ids=[
        "whole",
        "brackets",
        "prime",
        "decimals",
        "range",
        "beyond",
        "low",
        "high",
        "no range",
        "days",
        "date",
        "no date",
    ],
)
def test_imported_numbers_become_separate_blocks(row: list[Any], number: dict[str, Any]) -> None:
    read = foreign(row, columns=("constraint", "parameters"))
    (block,) = draft_of(read)["blocks"]
    (question,) = block["questions"]
    assert (block["protected"], "truth_probability" in block) == (True, False)
    assert 1.35 <= question["number"].pop("epsilon") <= MEDIUM_EPSILON
    assert question["number"] == {"mechanism": "square_wave", **number}
    is_noted = any("column constraint" in note.where for note in read.notes)
    assert is_noted == (row[1] in ("any", "days") or number == {"calendar": "day"})
    assert any(note.effect == WRONG for note in read.notes) == (number == {"calendar": "day"})


@pytest.mark.parametrize("kind", ["geopoint", "gps", "add location prompt"])
def test_imported_points_need_a_map_and_protect_every_place(kind: str) -> None:
    (block,) = draft_of(foreign([kind, "home", "Home?"]))["blocks"]
    assert block["protected"]
    place = block["questions"][0]["place"]
    assert place == {"mechanism": "square", "epsilon": MEDIUM_EPSILON, "cell": 100, "area": {}}


def test_numbers_among_other_questions_are_alone_in_their_block() -> None:
    rows = [*SURVEY[:4], ["integer", "hours", "Hours?", "几小时？"], *SURVEY[4:]]
    blocks = draft_of(xlsform_read(form(survey=rows)))["blocks"]
    (alone,) = (block for block in blocks if any(each["key"] == "hours" for each in block["questions"]))
    assert (alone["protected"], len(alone["questions"])) == (True, 1)


@pytest.mark.parametrize(("appearance", "look"), [("", "slider"), ("vertical", "slider"), ("picker", None)])
def test_imported_ranges_keep_their_slider_appearance(appearance: str, look: object) -> None:
    read = foreign(
        ["range", "r", "r?", "start=1 end=10 step=1", appearance], columns=("parameters", "appearance")
    )
    assert draft_of(read)["blocks"][0]["questions"][0].get("look") == look


@pytest.mark.parametrize(
    ("cells", "noted"),
    [
        (["integer", ". >= 0 and . <= 9", None, None], []),
        (["date", ". >= date('2020-01-01') and . <= date('2020-12-31')", "month-year", None], []),
        (["integer", ". >= 0 and . <= 9 and . != 5", None, None], ["constraint"]),
        (["date", ". >= date('2020-01-01')", "no-calendar", None], ["constraint", "appearance"]),
        (["range", None, None, "start=0 end=10 step=1"], []),
        (["range", None, "picker", "start=0 end=10 step=2"], ["appearance", "parameters"]),
        (["range", ". >= 2 and . <= 8", None, "start=0 end=10 step=1"], ["constraint"]),
    ],
)
def test_number_ranges_are_imported_and_other_constraints_noted(cells: list[Any], noted: list[str]) -> None:
    survey = [
        ["type", "name", "label", "constraint", "appearance", "parameters"],
        [cells[0], "n", "N?", *cells[1:]],
    ]
    notes = xlsform_read(form(survey=survey, choices=[], settings=[])).notes
    places = [note.where.rpartition(" ")[2] for note in notes if note.cause not in ("scale", "range")]
    assert places == noted
