"""A questionnaire of LimeSurvey: the structure that it exports (.lss), read into a draft.

Releases differ in where texts stand: in the rows of questions, one for each language, or in tables of their
own (``question_l10ns`` and others, since release 4). Both are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from django.utils.translation import gettext as _

from surveys.exchange.foreign.assembly import (
    Condition,
    ForeignQuestion,
    Gathering,
    Part,
    Shape,
    Texts,
    plain,
)
from surveys.exchange.foreign.conditions import limesurvey_clauses
from surveys.exchange.foreign.tables import Row, Tables, tables_read
from surveys.exchange.xlsform.columns import language_tag
from surveys.exchange.xlsform.scale_questions import dates_between, decimals_of, number_between
from surveys.exchange.xlsform.workbook import ImportedForm
from surveys.questionnaire.block_definition import RATING
from surveys.questionnaire.problems import DefinitionError
from surveys.questionnaire.tables import MATRIX

__all__ = ["limesurvey_read"]

_TYPES: Final = {
    "L": "list", "!": "list", "O": "list", "Y": "yes/no", "G": "gender", "5": "five points",
    "M": "multiple choice", "P": "multiple choice", "F": "array", "H": "array by column",
    "A": "array of five points", "B": "array of ten points", "N": "number", "C": "array yes/uncertain/no",
    "E": "array increase/same/decrease", "K": "several numbers", "1": "array of two scales",
    ":": "array of numbers", ";": "array of texts", "S": "short text", "T": "long text", "U": "huge text",
    "Q": "several texts", "D": "date", "R": "ranking", "X": "text", "I": "language", "*": "equation",
    "|": "file",
}  # fmt: skip
_POINTS: Final = {"5": 5, "A": 5, "B": 10}
# Words that LimeSurvey has in its program, not in the file: in English here, for the researcher to translate.
_OWN_WORDS: Final = {
    "G": (("F", "Female"), ("M", "Male")),
    "C": (("Y", "Yes"), ("U", "Uncertain"), ("N", "No")),
    "E": (("I", "Increase"), ("S", "Same"), ("D", "Decrease")),
}
_ARRAYS: Final = frozenset("FHABCE")
_READ: Final = frozenset(
    {"languages", "surveys", "surveys_languagesettings", "groups", "group_l10ns", "questions", "subquestions"}
    | {"question_l10ns", "answers", "answer_l10ns", "question_attributes"}
)
_READ_ATTRIBUTES: Final = frozenset(
    {"min_num_value_n", "max_num_value_n", "num_value_int_only", "date_min", "date_max"}
)
_READ_SETTINGS: Final = frozenset({"surveyls_survey_id", "surveyls_language", "surveyls_title"})
_ALWAYS: Final = frozenset({"", "1"})


def limesurvey_read(raw: bytes, *, name: str) -> ImportedForm:
    """Return the draft that an export of LimeSurvey holds.

    Parameters
    ----------
    raw : bytes
    name : str
        What the bytes are, for the refusal.

    Raises
    ------
    DefinitionError
        It is too large, no XML that may be read, no survey of LimeSurvey, or one without questions.
    """
    tables = tables_read(raw, name=name)
    if not tables.get("questions"):
        raise DefinitionError.at("questions", "foreign.no_questions", name=name)
    return _Reader(tables).form()


@dataclass
class _Reader:
    tables: Tables
    gathering: Gathering = field(default_factory=Gathering)
    languages: list[str] = field(default_factory=list)

    def form(self) -> ImportedForm:
        tables = self.tables
        survey = next(iter(tables.get("surveys", [])), {})
        stated = [survey.get("language", ""), *(row["language"] for row in tables["languages"])]
        for language in stated:
            if language and (tag := self._tag(language)) and tag not in self.languages:
                self.languages.append(tag)
        self.languages = self.languages or ["en"]
        settings = tables.get("surveys_languagesettings", [])
        title = self._in_languages(settings, "surveyls_title", "surveyls_language")
        for row in settings:
            for name, text in row.items():
                if name not in _READ_SETTINGS and text.strip() not in ("", "0"):
                    self.gathering.unknown(name, _("survey"))
        for table, rows in tables.items():
            if table not in _READ and rows:
                self.gathering.unknown(table, _("survey"))
        attributes = self._attributes()
        for group in self._ordered("groups", "gid", "group_order"):
            self._group(group, attributes)
        return self.gathering.form(title=title, languages=self.languages)

    def _group(self, rows: list[Row], attributes: dict[str, dict[str, str]]) -> None:
        gid = rows[0].get("gid", "")
        texts = [*rows, *(row for row in self.tables.get("group_l10ns", []) if row.get("gid") == gid)]
        title = self._in_languages(texts, "group_name")
        part = Part(
            name=next(iter(title.values()), f"group-{gid}"),
            title=title,
            help=self._in_languages(texts, "description"),
        )
        above = self._conditions(rows[0].get("grelevance", ""), f"{part.name}, relevance")
        for question in self._ordered("questions", "qid", "question_order"):
            if question[0].get("gid") == gid and question[0].get("parent_qid", "0") in ("", "0"):
                self._question(question, part, above, attributes)

    def _question(
        self,
        rows: list[Row],
        part: Part,
        above: tuple[Condition, ...],
        attributes: dict[str, dict[str, str]],
    ) -> None:
        row = rows[0]
        name, kind, own = row.get("title", ""), row.get("type", ""), attributes.get(row.get("qid", ""), {})
        where = _("question %(name)s") % {"name": name or "?"}
        questions = list(self._questions(rows, kind, name, own))
        if not questions:
            said = _(
                "%(kind)s: questions are yes or no, one or several of some, an order, a number or a place"
            )
            self.gathering.notes.left_out(where, said % {"kind": _TYPES.get(kind, kind[:20])})
            return
        for member, mark in (("other", "Y"), ("mandatory", "Y"), ("mandatory", "S")):
            if row.get(member) == mark:
                self.gathering.unknown(member, name)
        if kind in "OP":
            self.gathering.notes.left_out(where, _("the comment beside the answers"))
        if kind in _OWN_WORDS:
            self.gathering.notes.left_out(where, _("its answers are LimeSurvey’s own words; translate them"))
        for attribute, value in own.items():
            if attribute not in _READ_ATTRIBUTES and value.strip() not in ("", "0"):
                self.gathering.unknown(attribute, name)
        conditions = (*above, *self._conditions(row.get("relevance", ""), f"{name}, relevance"))
        for question in questions:
            self.gathering.ask(question, part=part, conditions=conditions)
        # Older equations call a question by survey, group and number.
        code = f"{row.get('sid', '')}X{row.get('gid', '')}X{row.get('qid', '')}"
        self.gathering.known(code, name)

    def _questions(
        self, rows: list[Row], kind: str, name: str, own: dict[str, str]
    ) -> Iterator[ForeignQuestion]:
        """Yield what a row asks; nothing where Sotto cannot ask it."""
        qid = rows[0].get("qid", "")
        texts = self._texts_of(rows, qid)
        text = self._in_languages(texts, "question") or {self.languages[0]: name}
        help_text = self._in_languages(texts, "help")
        question = partial(ForeignQuestion, name=name, text=text, help=help_text)
        if kind == "Y":
            yield question(shape="yes_no", values=("N", "Y"))
        elif kind == "N":
            ends = decimals_of(own.get(end, "") for end in ("min_num_value_n", "max_num_value_n"))
            whole = own.get("num_value_int_only") == "1"
            number = number_between(ends, decimals=None if whole else 0)
            yield question(shape="number", number=number)
        elif kind == "D":
            number = dates_between("day", [own.get(end, "") for end in ("date_min", "date_max")])
            yield question(shape="number", number=number)
        elif kind in "MP":
            parts = [(row[0].get("title", ""), self._subtext(row)) for row in self._subquestions(qid)]
            if parts:
                values, labels = zip(*parts, strict=True)
                yield question(shape="multi", values=values, labels=labels)
        elif kind in _ARRAYS or kind in "L!OG5R":
            values, labels = self._answers(kind, qid)
            if not values:
                return
            if kind not in _ARRAYS:
                shape: Shape = "ranking" if kind == "R" else "single"
                look = RATING if kind in _POINTS else ""
                yield question(shape=shape, values=values, labels=labels, look=look)
                return
            lines = self._subquestions(qid)
            look = MATRIX if len(lines) > 1 else ""
            for row in lines:
                said = self._subtext(row)
                both = {tag: f"{text[tag]}: {line}" if tag in text else line for tag, line in said.items()}
                code = f"{name}_{row[0].get('title', '')}"
                yield question(name=code, shape="single", text=both, values=values, labels=labels, look=look)

    def _answers(self, kind: str, qid: str) -> tuple[tuple[str, ...], tuple[Texts, ...]]:
        """Return codes and texts of a question's answers."""
        if kind in _POINTS:
            points = tuple(str(point) for point in range(1, _POINTS[kind] + 1))
            return points, tuple(dict.fromkeys(self.languages, point) for point in points)
        if kind in _OWN_WORDS:
            codes, words = zip(*_OWN_WORDS[kind], strict=True)
            return codes, tuple({self.languages[0]: word} for word in words)
        by_code: dict[str, list[Row]] = {}
        mine = [row for row in self.tables.get("answers", []) if row.get("qid") == qid]
        for row in sorted(mine, key=lambda row: _order(row.get("sortorder", ""))):
            by_code.setdefault(row.get("code", ""), []).append(row)
        more = self.tables.get("answer_l10ns", [])
        labels = []
        for code, rows in by_code.items():
            numbers = {row.get("aid") for row in rows} - {None, ""}
            texts = [*rows, *(row for row in more if row.get("aid") in numbers)]
            labels.append(self._in_languages(texts, "answer") or {self.languages[0]: code})
        return tuple(by_code), tuple(labels)

    def _subquestions(self, qid: str) -> list[list[Row]]:
        rows = self._ordered("subquestions", "qid", "question_order")
        return [
            row
            for row in rows
            if row[0].get("parent_qid") == qid and row[0].get("scale_id", "0") in ("", "0")
        ]

    def _subtext(self, rows: list[Row]) -> Texts:
        texts = self._in_languages(self._texts_of(rows, rows[0].get("qid", "")), "question")
        return texts or {self.languages[0]: rows[0].get("title", "")}

    def _texts_of(self, rows: list[Row], qid: str) -> list[Row]:
        return [*rows, *(row for row in self.tables.get("question_l10ns", []) if row.get("qid") == qid)]

    def _in_languages(self, rows: list[Row], member: str, language: str = "language") -> Texts:
        texts = {}
        for row in rows:
            tag = self._tag(row.get(language, "")) if row.get(language) else self.languages[0]
            text = plain(row.get(member, ""))
            if tag in self.languages and text:
                texts[tag] = text
        return texts

    def _ordered(self, table: str, key: str, order: str) -> list[list[Row]]:
        """Return the rows of a table by what they are of, in the order in which these are asked."""
        rows_of: dict[str, list[Row]] = defaultdict(list)
        for row in self.tables.get(table, []):
            rows_of[row.get(key, "")].append(row)
        return sorted(rows_of.values(), key=lambda rows: _order(rows[0].get(order, "")))

    def _attributes(self) -> dict[str, dict[str, str]]:
        attributes: dict[str, dict[str, str]] = defaultdict(dict)
        for row in self.tables.get("question_attributes", []):
            attributes[row.get("qid", "")].setdefault(row.get("attribute", ""), row.get("value", ""))
        return attributes

    def _conditions(self, text: str, where: str) -> tuple[Condition, ...]:
        if text.strip() in _ALWAYS:
            return ()
        return (Condition(where=where, text=text, clauses=limesurvey_clauses(text)),)

    def _tag(self, language: str) -> str | None:
        tag = language_tag(language.lower())
        if tag is None:
            self.gathering.unknown("language", language[:40])
        return tag


def _order(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
