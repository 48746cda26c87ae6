"""Questionnaires as SurveyJS and LimeSurvey write them, made up here from their documented structure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

SURVEYJS: dict[str, Any] = {
    "title": {"default": "Nights <b>and</b> days", "de": "Nächte und Tage"},
    "locale": "en",
    "showProgressBar": "top",
    "pages": [
        {
            "name": "you",
            "title": {"default": "About you", "de": "Über Sie"},
            "elements": [
                {
                    "type": "radiogroup",
                    "name": "smokes",
                    "title": {"default": "Do you smoke?", "de": "Rauchen Sie?"},
                    "isRequired": True,
                    "hasOther": True,
                    "choices": [
                        {"value": "daily", "text": {"default": "Daily", "de": "Täglich"}},
                        {"value": "never", "text": {"default": "Never", "de": "Nie"}},
                    ],
                },
                {
                    "type": "dropdown",
                    "name": "brand of choice",
                    "title": "Which brand?",
                    "visibleIf": "{smokes} = 'daily'",
                    "choices": ["A", "B", 3],
                },
                {"type": "boolean", "name": "drives", "title": "Do you drive?"},
                {
                    "type": "checkbox",
                    "name": "drinks",
                    "title": "What do you drink?",
                    "choices": ["wine", "beer"],
                },
            ],
        },
        {
            "name": "work",
            "visibleIf": "{drives} = true",
            "elements": [
                {"type": "rating", "name": "stress", "title": "How much stress?", "rateMax": 4},
                {
                    "type": "panel",
                    "name": "more",
                    "elements": [
                        {
                            "type": "rating",
                            "name": "sleep",
                            "title": "How well do you sleep, {smokes}?",
                            "visibleIf": "{stress} >= 3",
                        }
                    ],
                },
                {"type": "comment", "name": "say", "title": "Anything else?"},
                {"type": "text", "name": "bed", "inputType": "time", "title": "When do you go to bed?"},
                {
                    "type": "text", "name": "hours", "inputType": "number", "min": 0, "max": 99,
                    "title": "How many hours?",
                },
                {
                    "type": "matrix",
                    "name": "habits",
                    "title": "How often?",
                    "columns": ["often", "seldom"],
                    "rows": [{"value": "late", "text": "Being late"}, "lying"],
                },
            ],
        },
    ],
}  # fmt: skip


def surveyjs(**changes: Any) -> bytes:
    """Return the file, some of its members changed."""
    return json.dumps(SURVEYJS | changes, ensure_ascii=False).encode()


def one_page(*elements: dict[str, Any]) -> bytes:
    """Return a file of SurveyJS with these elements."""
    return json.dumps({"elements": list(elements)}).encode()


def table(name: str, rows: Sequence[Mapping[str, str]]) -> str:
    """Return a table of an .lss file."""
    fields = "".join(f"<fieldname>{field}</fieldname>" for field in (rows[0] if rows else {}))
    cells = (
        "<row>" + "".join(f"<{field}><![CDATA[{text}]]></{field}>" for field, text in row.items()) + "</row>"
        for row in rows
    )
    return f"<{name}><fields>{fields}</fields><rows>{''.join(cells)}</rows></{name}>"


def lss(languages: Sequence[str], **tables: Sequence[Mapping[str, str]]) -> bytes:
    """Return an .lss file with these tables."""
    tags = "".join(f"<language>{escape(language)}</language>" for language in languages)
    body = "".join(table(name, rows) for name, rows in tables.items())
    head = "<LimeSurveyDocType>Survey</LimeSurveyDocType><DBVersion>366</DBVersion>"
    whole = f"<document>{head}<languages>{tags}</languages>{body}</document>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{whole}'.encode()


def row3(qid: int, kind: str, code: str, texts: Mapping[str, str], **more: str) -> list[dict[str, str]]:
    """Return the rows of a question as release 3 writes them: one for each language."""
    return [
        {
            "qid": str(qid), "parent_qid": "0", "sid": "77", "gid": "1", "type": kind, "title": code,
            "question": text, "help": "", "other": "N", "mandatory": "N", "question_order": str(qid),
            "language": language, "scale_id": "0", "relevance": "1", **more,
        }
        for language, text in texts.items()
    ]  # fmt: skip


def answers3(qid: int, codes: Mapping[str, str], language: str = "en") -> list[dict[str, str]]:
    """Return answers as release 3 writes them."""
    return [
        {"qid": str(qid), "code": code, "answer": text, "sortorder": str(place), "language": language}
        for place, (code, text) in enumerate(codes.items())
    ]


GROUPS3 = [
    {"gid": "1", "sid": "77", "group_name": "Habits", "group_order": "0", "language": "en", "grelevance": ""},
    {"gid": "1", "sid": "77", "group_name": "Gewohnheiten", "group_order": "0", "language": "de"},
]
SURVEY3 = [{"sid": "77", "language": "en", "additional_languages": "de"}]
SETTINGS3 = [
    {"surveyls_survey_id": "77", "surveyls_language": "en", "surveyls_title": "Nights"},
    {"surveyls_survey_id": "77", "surveyls_language": "de", "surveyls_title": "Nächte"},
]


def release3() -> bytes:
    """Return an export of release 3, with a question of most types."""
    both = {"en": "<p>Do you smoke?</p>", "de": "Rauchen Sie?"}
    return lss(
        ["en", "de"],
        answers=[
            *answers3(1, {"A1": "Daily", "A2": "Never"}),
            *answers3(1, {"A1": "Täglich", "A2": "Nie"}, "de"),
            *answers3(4, {"o": "often", "s": "seldom"}),
        ],
        groups=GROUPS3,
        questions=[
            *row3(1, "L", "smokes", both, mandatory="Y", other="Y"),
            *row3(2, "Y", "quit", {"en": "Did you try to stop?"}, relevance='((smokes.NAOK == "A1"))'),
            *row3(3, "M", "drinks", {"en": "What do you drink?"}),
            *row3(4, "F", "habits", {"en": "How often?"}),
            *row3(5, "N", "hours", {"en": "How many hours?"}),
            *row3(6, "T", "say", {"en": "Anything else?"}),
            *row3(7, "5", "stress", {"en": "How much stress?"}, relevance='77X1X2.NAOK == "Y" and 1 == 1'),
            *row3(8, "C", "sure", {"en": "Are you sure?"}, relevance='(77X1X2.NAOK == "N")'),
        ],
        subquestions=[
            *row3(31, "T", "w", {"en": "Wine"}, parent_qid="3"),
            *row3(32, "T", "b", {"en": "Beer"}, parent_qid="3"),
            *row3(41, "T", "late", {"en": "Being late"}, parent_qid="4"),
            *row3(81, "T", "one", {"en": "Of this"}, parent_qid="8"),
        ],
        question_attributes=[
            {"qid": "5", "attribute": "min_num_value_n", "value": "0"},
            {"qid": "5", "attribute": "max_num_value_n", "value": "99"},
            {"qid": "5", "attribute": "num_value_int_only", "value": "1"},
            {"qid": "1", "attribute": "random_order", "value": "1"},
        ],
        surveys=SURVEY3,
        surveys_languagesettings=SETTINGS3,
        quota=[{"id": "1", "name": "Men"}],
    )


def release6() -> bytes:
    """Return an export of release 6: texts stand in tables of their own."""
    bare = {"sid": "77", "gid": "1", "parent_qid": "0", "relevance": "1", "scale_id": "0"}
    return lss(
        ["en", "de"],
        answers=[
            {"aid": "9", "qid": "1", "code": "A1", "sortorder": "1"},
            {"aid": "8", "qid": "1", "code": "A2", "sortorder": "0"},
        ],
        answer_l10ns=[
            {"id": "1", "aid": "9", "answer": "Daily", "language": "en"},
            {"id": "2", "aid": "9", "answer": "Täglich", "language": "de"},
            {"id": "3", "aid": "8", "answer": "Never", "language": "en"},
            {"id": "4", "aid": "8", "answer": "Nie", "language": "de"},
        ],
        groups=[{"gid": "1", "sid": "77", "group_order": "1", "grelevance": ""}],
        group_l10ns=[
            {"id": "1", "gid": "1", "group_name": "Habits", "description": "", "language": "en"},
            {"id": "2", "gid": "1", "group_name": "Gewohnheiten", "description": "", "language": "de"},
        ],
        questions=[{"qid": "1", "type": "L", "title": "smokes", "question_order": "1", **bare}],
        question_l10ns=[
            {"id": "1", "qid": "1", "question": "Do you smoke?", "help": "Be frank.", "language": "en"},
            {"id": "2", "qid": "1", "question": "Rauchen Sie?", "help": "", "language": "de"},
        ],
        surveys=SURVEY3,
        surveys_languagesettings=SETTINGS3,
    )  # fmt: skip
