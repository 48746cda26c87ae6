"""Numbers and places through an XLSForm: Sottovoce's own come back as they went, others' become what they
can."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import override

from surveys.imports.pasted import Reading
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.problems import DefinitionError
from tests.fixtures.everyday import everyday_definition
from tests.fixtures.workbooks import SURVEY, Lines, form, workbook, xlsform_read
from tests.fixtures.xlsform_writer import xlsform_file

PLACES = 5


def with_place(**changes: Any) -> dict[str, Any]:
    document = everyday_definition()
    document.setdefault("languages", list(document["title"]))
    document["blocks"][PLACES]["questions"][0]["place"] |= changes
    return document


def through(document: dict[str, Any]) -> dict[str, Any]:
    read = xlsform_read(xlsform_file(definition_parse(document)))
    assert read.notes == []
    assert read.document is not None
    return {**read.document, "slug": document["slug"]}


def test_numbers_and_places_come_back_as_they_went() -> None:
    document = with_place()
    went, came = definition_parse(document), definition_parse(through(document))
    assert came.design == went.design
    assert came.wording == went.wording
    for one, other in zip(came.document["blocks"], document["blocks"], strict=True):
        assert one["questions"][0].get("place") == other["questions"][0].get("place")


@pytest.mark.parametrize(
    ("calendar", "ends"),
    [
        ("month", ("2024-01", "2025-12")),
        ("day", ("2024-02-01", "2024-02-29")),
    ],
)
def test_a_date_comes_back_as_it_went(calendar: str, ends: tuple[str, str]) -> None:
    document = everyday_definition()
    document.setdefault("languages", list(document["title"]))
    question = document["blocks"][4]["questions"][0]
    question["number"] = {"mechanism": "square_wave", "epsilon": 2, "calendar": calendar, "bin": 1}
    question["number"] |= dict(zip(("low", "high"), ends, strict=True))
    went, came = definition_parse(document), definition_parse(through(document))
    assert (came.design, came.wording) == (went.design, went.wording)


def test_levels_come_back_too() -> None:
    document = with_place()
    question = document["blocks"][PLACES]["questions"][0]
    del question["options"], question["place"]["epsilon"]
    boxes = question["place"]["sensitive"]
    one, two = ({"epsilon": 1 + number, "rectangles": [box]} for number, box in enumerate(boxes))
    question["place"] |= {"mechanism": "levels", "sensitive": [one, two]}
    assert definition_parse(through(document)).design == definition_parse(document).design


def foreign(*rows: list[Any], columns: tuple[str, ...] = ()) -> Reading:
    """A form of another program: one choice, and these rows."""
    header = ["type", "name", "label::English (en)", *columns]
    lines: Lines = [header, *rows]
    with override("en"):
        return xlsform_read(workbook(survey=lines, choices=[["list_name", "name", "label::English (en)"]]))


@pytest.mark.parametrize(
    ("row", "number"),
    [
        (["integer", "age", "Age?", ". >= 0 and . <= 99"], {"low": 0, "high": 99, "bin": 5}),
        (["integer", "n", "n?", ".<=100 and .>=0"], {"low": 0, "high": 100, "bin": 1}),
        (
            ["decimal", "kg", "kg?", ". >= 2.5 and . <= 12.4"],
            {"low": 2.5, "high": 12.4, "bin": 0.5, "decimals": 1},
        ),
        (["range", "r", "r?", None, "start=1 end=10 step=1"], {"low": 1, "high": 10, "bin": 1}),
        (["integer", "any", "?", ". != 3"], {"low": 0, "high": 99, "bin": 5}),
        (["integer", "days", "On how many days of a week?"], {"low": 0, "high": 7, "bin": 1}),
        (
            ["date", "d", "?", ". >= date('2024-01-01') and . <= date('2024-12-30')"],
            {"calendar": "day", "low": "2024-01-01", "high": "2024-12-30", "bin": 73},
        ),
        (["date", "d", "?", ". >= date('2024-01-32') and . <= today()"], {"calendar": "day"}),
    ],
    ids=["whole", "prime", "decimals", "range", "no range", "days", "date", "no date"],
)
def test_a_number_of_another_program_becomes_a_part_of_its_own(
    row: list[Any], number: dict[str, Any]
) -> None:
    read = foreign(row, columns=("constraint", "parameters"))
    (block,) = read.document["blocks"]
    (question,) = block["questions"]
    assert (block["protected"], "truth_probability" in block) == (True, False)
    assert question["number"] == {"mechanism": "square_wave", "epsilon": 2, **number}
    assert any(note.where == "survey, row 2, column type" and "ε = 2" in note.message for note in read.notes)
    is_noted = any("column constraint" in note.where for note in read.notes)
    assert is_noted == (row[1] in ("any", "days") or number == {"calendar": "day"})


def test_a_point_of_another_program_needs_a_map_and_protects_every_place() -> None:
    (block,) = foreign(["geopoint", "home", "Home?"]).document["blocks"]
    assert block["questions"][0]["place"] == {"mechanism": "square", "epsilon": 2, "cell": 100, "area": {}}


def test_a_number_among_others_is_set_apart_in_the_order_of_the_form() -> None:
    rows = [*SURVEY[:4], ["integer", "hours", "Hours?", "几小时？"], *SURVEY[4:]]
    blocks = xlsform_read(form(survey=rows)).document["blocks"]
    shown = [(block["key"], [question["key"] for question in block["questions"]]) for block in blocks]
    assert shown == [
        ("work", ["years", "leads"]),
        ("work-2", ["hours"]),
        ("work-3", ["place"]),
        ("silence", ["unreported", "seen"]),
    ]
    assert [block["protected"] for block in blocks] == [False, True, False, True]


def test_a_number_without_a_disguise_in_a_group_that_is_not_protected_is_stored_as_answered() -> None:
    written = '{"number": {"low": 0, "high": 24, "bin": 1}}'
    (block,) = foreign(["integer", "sleep", "Sleep?", written], columns=("sottovoce_disguise",)).document[
        "blocks"
    ]
    assert block["protected"] is False
    document = everyday_definition()
    document.setdefault("languages", list(document["title"]))
    part = document["blocks"][3]
    part |= {"protected": False, "refusal": None}
    part["questions"][0]["number"] = {"low": 0, "high": 79, "bin": 10}
    assert definition_parse(through(document)).design == definition_parse(document).design


@pytest.mark.parametrize("written", ["{", '{"number": {"low": NaN}}', '{"number": {"high": Infinity}}'])
def test_what_stands_in_sottovoces_own_column_and_is_not_from_sottovoce_is_told_by_row(written: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        foreign(["integer", "age", "Age?", written], columns=("sottovoce_disguise",))
    assert caught.value.problems[0].path == "survey, row 2, column sottovoce_disguise"


def test_a_slider_comes_back_from_a_range() -> None:
    document = everyday_definition()
    document.setdefault("languages", list(document["title"]))
    document["blocks"][3]["questions"][0]["look"] = "slider"
    assert definition_parse(through(document)).wording == definition_parse(document).wording


@pytest.mark.parametrize(("appearance", "look"), [("", "slider"), ("vertical", "slider"), ("picker", None)])
def test_a_range_of_another_program_is_a_slider_where_it_is_one_there(appearance: str, look: object) -> None:
    read = foreign(
        ["range", "r", "r?", "start=1 end=10 step=1", appearance], columns=("parameters", "appearance")
    )
    assert read.document["blocks"][0]["questions"][0].get("look") == look
