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


def test_a_row_without_a_neighbour_is_an_ordinary_question() -> None:
    """Drafts with one were refused, so the layout of a plan that separates rows broke the plan page."""
    document = in_table()
    del document["blocks"][0]["questions"][1]["look"]
    definition = definition_read(document).definition
    assert definition is not None
    assert tables_of(definition.wording["blocks"][0]["questions"]) == [None, None, 1, 1, 1]
