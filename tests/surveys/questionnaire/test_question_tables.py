"""Questions with the look of a table are one table, and its rows ordinary questions."""

import json
from typing import Any

from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.question_tables import tables_of
from tests.fixtures.devices import shipped_definition


def in_table() -> dict[str, Any]:
    """Return a survey whose first two yes/no questions are rows of a table."""
    document = shipped_definition()
    first, second, *others = document["blocks"][0]["questions"]
    rows = [
        {**second, "key": each["key"], "text": each["text"], "look": "matrix"} for each in (first, second)
    ]
    document["blocks"][0]["questions"] = [*rows, *others]
    return document


def test_matrix_rows_are_parsed_as_ordinary_questions() -> None:
    table = in_table()
    plain = json.loads(json.dumps(table).replace(', "look": "matrix"', ""))
    assert definition_parse(table).design.design_id == definition_parse(plain).design.design_id
    assert tables_of(definition_parse(table).wording["blocks"][0]["questions"]) == [0, 0, 1, 1, 1]


def test_matrices_with_one_row_are_refused() -> None:
    document = in_table()
    del document["blocks"][0]["questions"][1]["look"]
    assert [one.path for one in definition_read(document).problems] == ["blocks[0].questions[0].look"]
