"""Forms are parsed by pyxform in a child process; older workbooks and their macros are known, too."""

from __future__ import annotations

import pytest

from surveys.imports import form_parsing
from surveys.imports.form_parsing import ROW, form_parse, form_plain
from surveys.questionnaire.problems import DefinitionError
from tests.fixtures.workbooks import SURVEY, form, xlsform_read


def test_each_row_keeps_its_number_and_quotation_marks_stay() -> None:
    lines = [*SURVEY[:4], ["select_one yes_no", "quoted", "“Never”?", "“从不”？"], *SURVEY[4:]]
    parsed = form_parse(form(survey=lines))
    questions = parsed["form"]["children"][0]["children"]
    assert [question[ROW] for question in questions] == ["3", "4", "5", "6"]
    assert questions[2]["label"]["English (en)"] == "“Never”?"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "not a workbook"),
        (b"type,name\ntext,a", "not a workbook"),
        (form_parsing._OLE + b"\x00" * 600, "not a workbook"),
        (form_parsing._OLE + form_parsing._MACROS, "contains macros"),
        (b"PK" + b"\x00" * 2_000_000, "more than 2000000 bytes"),
    ],
)
def test_what_is_no_form_is_refused(raw: bytes, said: str) -> None:
    with pytest.raises(DefinitionError, match=said) as caught:
        form_parse(raw)
    assert all(problem.remedy for problem in caught.value.problems)


def test_pyxforms_own_words_are_given_where_it_refuses_a_form() -> None:
    plain, payload = form_plain(form(survey=[*SURVEY, ["select_one nowhere", "q", "Q?"]]))
    assert payload == b""
    assert "List name not in choices sheet" in plain["problems"][0]["message"]


def test_our_own_columns_are_read_in_their_former_spelling() -> None:
    former = [[cell.replace("sottovoce_", "sotto_") if cell else cell for cell in SURVEY[0]], *SURVEY[1:]]
    assert former[0] != SURVEY[0]
    assert xlsform_read(form(survey=former)).document == xlsform_read(form()).document
