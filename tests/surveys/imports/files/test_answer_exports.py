"""Exports of answers of other tools are named as such; questionnaires in columns are not."""

import io
import zipfile

import pytest
from openpyxl import Workbook

from surveys.imports.file_kinds import file_kind
from surveys.imports.files.answer_exports import tool_in, tool_of_answers
from surveys.imports.files.reader_process import _first_rows, form_parse
from surveys.imports.forms.xlsform import xlsform_read
from surveys.imports.pasted_text import read_paste
from surveys.questionnaire.document import DefinitionError

EXPORTS = {
    "Qualtrics": (
        "StartDate,EndDate,Status,IPAddress,Progress,Duration (in seconds),"
        "Finished,RecordedDate,ResponseId,Q1\n"
        "Start Date,End Date,Response Type,IP Address,Progress,Duration (in seconds),Finished,Recorded Date,"
        "Response ID,Do you smoke?\n"
        "2026-03-01 09:12:44,2026-03-01 09:15:02,IP Address,192.0.2.7,100,138,True,"
        "2026-03-01 09:15:03,R_1,Yes\n"
    ),
    "LimeSurvey": (
        '"Response ID","Date submitted","Last page","Start language","Do you smoke?"\n'
        '"1","2026-03-01 09:12:44","3","en","Yes"\n'
    ),
    "LimeSurvey codes": "id;submitdate;lastpage;startlanguage;seed;G01Q01\n1;2026-03-01 09:12:44;3;en;17;Y\n",
    "Google Forms": '"Timestamp","Do you smoke?"\n"2026/03/01 9:12:44 AM GMT+1","Yes"\n',
    "Google Forms in Spanish": '"Marca temporal","¿Fuma?"\n"1/3/2026 9:12:44","Sí"\n',
    "SurveyMonkey": "Respondent ID,Collector ID,Start Date,End Date,IP Address,Smoke?\n,,,,,Response\n",
    "Microsoft Forms": (
        "ID\tStart time\tCompletion time\tEmail\tName\tDo you smoke?\n1\t3/1/26 9:12\t3/1/26\t\t\tYes\n"
    ),
    "KoboToolbox": (
        "start;smoke;_id;_uuid;_submission_time\n2026-03-01T09:12:44;yes;1;a;2026-03-01T09:15:02\n"
    ),
    "问卷星": "序号,提交答卷时间,所用时间,来源,您抽烟吗\n1,2026/3/1 9:12:44,66秒,微信,抽\n",
    "another tool": "who,when,smokes\n" + "".join(f"{n},2026-03-0{n} 09:12,yes\n" for n in range(1, 5)),
}
QUESTIONNAIRES = {
    "questions in lines": "Work\n1. Do you smoke, drink, or both?\n- Yes\n- No\n",
    "a numbered table of questions": "nr,question,answers\n1,Smoke?,yes/no\n2,How often?,daily/never\n",
    "a form": "type,name,label\nselect_one yn,smoke,Do you smoke?\ntext,why,Why?\n",
    "times as answers": "When did you come, and when did you go?\n09:12, 10:15\n11:00, 12:15\n",
    "a date above": "Survey, 2026-03-01 09:12\n1. Do you smoke?\n- Yes\n- No\n",
    "an open quote": '"Work, and more\n1. Do you smoke?\n- Yes\n- No\n',
}  # fmt: skip


@pytest.mark.parametrize("name", EXPORTS)
def test_exports_of_answers_are_named_with_a_remedy(name: str) -> None:
    tool = name.split(" in ")[0].removesuffix(" codes")
    assert tool_in(EXPORTS[name]) == tool
    with pytest.raises(DefinitionError) as refused:
        file_kind(EXPORTS[name].encode(), "answers.csv")
    (problem,) = refused.value.problems
    assert tool in problem.message
    assert "paste it into the box" in problem.remedy
    reading = read_paste(EXPORTS[name])
    assert reading.questions == []
    assert [note.message for note in reading.notes] == [problem.message]


@pytest.mark.parametrize("name", QUESTIONNAIRES)
def test_questionnaires_in_lines_or_columns_are_not_taken_for_answers(name: str) -> None:
    assert tool_in(QUESTIONNAIRES[name]) == ""


def test_long_exports_are_named_and_not_called_too_long() -> None:
    rows = "".join(f'"2026/03/01 9:12:44","{"Yes" * 30}"\n' for _ in range(2_000))
    with pytest.raises(DefinitionError, match="Google Forms"):
        file_kind(f'"Timestamp","Do you smoke?"\n{rows}'.encode(), "answers.csv")


@pytest.mark.parametrize("raw", [b"$FL2@(#) SPSS", b"<stata_dta><header>", b"PAR1\x15"])
def test_files_of_statistics_programs_are_named(raw: bytes) -> None:
    with pytest.raises(DefinitionError, match="statistics program"):
        file_kind(raw, "answers")


@pytest.mark.usefixtures("read_here")
def test_a_workbook_of_answers_is_named() -> None:
    book, content = Workbook(), io.BytesIO()
    for row in ["Timestamp", "Do you smoke?"], ["2026-03-01 09:12:44", "Yes"], ["2026-03-01 09:15:02", "No"]:
        book.worksheets[0].append(row)
    book.save(content)
    with pytest.raises(DefinitionError, match="Google Forms"):
        xlsform_read(content.getvalue())


def test_a_workbook_that_cannot_be_searched_is_refused_in_the_words_of_the_check() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
    assert _first_rows(content.getvalue()) == []
    with pytest.raises(DefinitionError):
        form_parse(content.getvalue())


def test_a_table_without_rows_holds_no_answers() -> None:
    assert tool_of_answers([]) == tool_of_answers([["StartDate", "EndDate", "Status"]]) == ""
