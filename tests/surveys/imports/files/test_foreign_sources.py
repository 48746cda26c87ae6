"""Each file of another program is named in one sentence with what to do, as a file and as a pasted text."""

import csv
import io
import json
import zipfile

import pytest

from surveys.imports.file_kinds import file_kind
from surveys.imports.files.foreign_sources import foreign_bytes, foreign_text
from surveys.imports.pasted_text import read_paste
from surveys.questionnaire.document import DefinitionError

LIMESURVEY = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<document>\n <LimeSurveyDocType>{}</LimeSurveyDocType>\n'
)
TEXTS = {
    "Qualtrics (QSF)": json.dumps({"SurveyEntry": {"SurveyID": "SV_1"}, "SurveyElements": []}, indent=1),
    "survey of LimeSurvey (LSS)": LIMESURVEY.format("Survey"),
    "question of LimeSurvey (LSQ)": LIMESURVEY.format("Question"),
    "part of a LimeSurvey survey": LIMESURVEY.format("Group"),
    "LimeSurvey (TXT)": "class\ttype/scale\tname\trelevance\ttext\nS\t\tsid\t1\t7\nQ\tY\tq1\t1\tDo you?\n",
    "data dictionary of REDCap": '"Variable / Field Name","Form Name","Field Type"\nq1,a,yesno\n',
    "REDCap": "field_name,form_name,section_header,field_type\nq1,a,,yesno\n",
    "dictionary of REDCap": "#\tVariable / Field Name\tField Label\n1\t[q1]\tDo you?\tyesno\n",
    "a data dictionary of REDCap": 'q1,a,,radio,Do you?,"1, Yes | 0, No",,\nq2,a,,text,When?,,,\n',
    "survey of Qualtrics (TXT)": "1. Do you?\n[[MultipleAnswer]]\n\nWine\nBeer\n",
    "Qualtrics (TXT)": "[[AdvancedFormat]]\n[[Question:MC]]\nDo you?\n[[Choices]]\nYes\nNo\n",
    "sheet of an XLSForm": "type,name,label\nselect_one yn,q1,Do you?\n",
    "an XLSForm": "select_multiple a-b\tq1\tWhich?\n",
    "a sheet of an XLSForm": "| list name | name | label |\n|---|---|---|\n| yn | 1 | Yes |\n",
    "a survey of LimeSurvey (TXT)": "G\tG0\tPart 1\t1\nQ\tY\tq1\t1\tDo you?\n",
    "of LimeSurvey (TXT)": "id\tclass\ttype/scale\tname\ttext\n4\tQ\tY\tq\tDo you?\n",
    "program for a statistics package": "VALUE LABELS\n  q1 1 'Yes' 0 'No'\n  /q2 1 'Once'.\n",
    "a program for a statistics package": 'label variable q1 "Do you?"\nlabel define yn 0 "No" 1 "Yes"\n',
    "for a statistics package": "proc format;\nvalue yn 0='No' 1='Yes';\nrun;\n",
    "statistics package": 'd$q1 <- factor(d$q1, labels = c("No", "Yes"))\n',
    "codebook of a data set": "V12: Do you?\nLocation: 12  Width: 1\n0\tNo\t512\n1\tYes\t118\n",
    "a codebook": "q1    Do you?\n      tabulation:  Freq.  Numeric  Label\n          512   0  No\n",
    "codebook": "q1\tNumeric\t1\t0\tDo you?\t{0, No}, {1, Yes}\t9\nq2\tNumeric\t1\t0\tHow?\tNone\tNone\n",
    "codebook of a": "variable name   type    format   label\nq1   byte   %8.0g   yn   Do you?\n",
    "codebook of a data": "    q1 |  Freq.   Percent     Cum.\n    No |    512     81.27    81.27\n",
    "a codebook of a data set": "Pos. = 12  Name = q1\nLabel: Do you?\n0. No\n1. Yes\n",
    "codebook of": "Field: q1\nLabel: Do you?\nChoices: 1=Yes, 0=No\n\nField: q2\nLabel: How?\n",
    "answers that people gave in SurveyMonkey": "Q1. Do you?\nAnswered: 120  Skipped: 4\nYes\t35.00%\t42\n",
    "Google Forms": json.dumps({"formId": "1", "items": [{"title": "Do you?"}]}),
    "disguised answers": "id,sex,part\n1,f,sotto1.nE7QpIXF3bGu.q80BEiM0RVZn.YA\n",
    "web page": "<!DOCTYPE html>\n<p>1. Do you smoke?</p>",
    "HTML": "Work\n<p>1. Do you smoke?</p>\n<ul>\n<li>Yes</li>\n<li>No</li></ul>\n",
    "XForm": '<h:html xmlns="http://www.w3.org/2002/xforms"><h:body/></h:html>',
    "(DDI)": '<codeBook xmlns="ddi:codebook:2_5"><dataDscr/></codeBook>',
    "(XML)": "<survey><q>Do you smoke?</q></survey>",
    "RTF": "{\\rtf1\\ansi 1. Do you smoke?}",
    "table of numbers": "a\tb\tc\n" + "1\t2\t3\n" * 40,
    "spreadsheet in another format": '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n'
    '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet/></Workbook>',
    "a file of another program": "[Item]\nLabel=Do you smoke?\nName=S\n\n[ValueSet]\nLabel=S\nValue=1;Yes\n",
    "PDF": "%PDF-1.7\n1 0 obj\n",
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("mark", ["", "\ufeff", "\n "])
def test_texts_of_other_programs_are_named_with_what_to_do(name: str, mark: str) -> None:
    text = mark + TEXTS[name]
    with pytest.raises(DefinitionError) as refused:
        file_kind(text.encode(), "questions.txt")
    (problem,) = refused.value.problems
    assert name in problem.message
    assert problem.remedy
    pasted = read_paste(text)
    assert [(note.message, note.remedy) for note in pasted.notes] == [(problem.message, problem.remedy)]
    assert pasted.questions == []


TYPES = ["radio", "text", "notes"]
FRENCH = [
    [
        f"q{n}",
        "a",
        "Usage, suite; fin" if n else "",
        kind,
        "Fumez-vous ?\nTous les jours, donc",
        "1, Oui | 0, Non",
    ]
    for n, kind in enumerate(TYPES)
]
HEADER = ["Variable / Nom du champ", "Nom du formulaire", "En-tête", "Type de champ", "Libellé", "Choix"]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("rows", [[HEADER, *FRENCH], FRENCH], ids=["header", "bare"])
def test_a_dictionary_in_another_language_is_named(rows: list[list[str]], encoding: str, sign: str) -> None:
    content = io.StringIO()
    csv.writer(content, delimiter=sign).writerows(rows)
    with pytest.raises(DefinitionError) as refused:
        file_kind(content.getvalue().encode(encoding), "dictionnaire.csv")
    assert "a data dictionary of REDCap" in refused.value.problems[0].message


def archive(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for name in names:
            packed.writestr(name, "<x/>")
    return content.getvalue()


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b"\x89PNG\r\n\x1a\n\0", "picture"),
        (b"\xff\xd8\xff\xe0\0", "picture"),
        (b"%PDF-1.7\n\x80", "PDF"),
        (archive("word/document.xml"), "Word"),
        (archive("ppt/presentation.xml"), "presentation"),
        (archive("survey.lss"), "ZIP file"),
        (archive("xl/workbook.bin"), "spreadsheet in another format"),
        (b"\xd0\xcf\x11\xe0" + "WordDocument".encode("utf-16-le"), "Word"),
        (b"PAR1\x15\0", "statistics program"),
    ],
)
@pytest.mark.parametrize("file", ["a.txt", "a.xlsx", "a.json", "a.qsf"])
def test_the_bytes_name_other_files_whatever_they_are_called(raw: bytes, name: str, file: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        file_kind(raw, file)
    (problem,) = refused.value.problems
    assert name in problem.message
    assert problem.remedy


def test_a_definition_is_no_foreign_file_but_cannot_be_pasted() -> None:
    definition = json.dumps({"sottovoce": 1, "blocks": [{"questions": []}], "formId": 1})
    assert foreign_text(definition) is None
    found = foreign_text(definition, is_pasted=True)
    assert found is not None
    assert "choose the file" in found.remedy


@pytest.mark.parametrize(
    "text",
    [
        "<Please read first>\n1. Do you smoke?",
        "Work <b>\n1. Do you smoke?\n<i>Tick one</i>\n- Yes\n- No",
        "Have you heard of sotto1.?\n- Yes\n- No",
        "{1} Do you smoke?\n- Yes\n- No",
        "class\n1. Do you smoke?",
        "Please select one of these, or more:\n1. Do you smoke?",
        "Q\tDo you smoke?\nA\tYes\nA\tNo",
        "Variable: income\n1. Do you smoke?",
        "1. Has a value label 'cheap' ever misled you?",
        "Answered by:\n1. Did you skip school?",
        "work,home,school,text\n1. Do you smoke?",
        "[Smoking]\n1. Do you smoke?\n0=No\n1=Yes\n[Drinking]\n2. Do you drink?\n0=No\n1=Yes",
        "a, b, c, text, d\n1. Which of these do you use?\n- Pen\n- Brush",
        "",
    ],
)
def test_questionnaires_with_similar_signs_are_read(text: str) -> None:
    assert foreign_text(text, is_pasted=True) is None
    assert foreign_bytes(text.encode()) is None
