"""Queries of a release and their answers in words, and as lines of a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from anonymisation.models import ReleaseQuestion
from anonymisation.releases.release_queries import TableAnswer
from privacy.sdc.hierarchy import SUPPRESSED
from privacy.sdc.label_conditions import Condition
from privacy.sdc.queries import Answer
from privacy.sdc.query_language import Query, parse, query_text
from surveys.formats.joints import series_text
from surveys.formats.numbers import MINUS

_SIGNS = {"!=": "≠", "<=": "≤", ">=": "≥"}


def question_sentence(text: str) -> str:
    """Express a question in words."""
    query = parse(text)
    sentence = {
        "count": _("How many records"),
        "mean": _("Mean of “%(column)s”"),
        "median": _("Median of “%(column)s”"),
    }[query.kind]
    if query.number is not None:
        sentence = sentence % {"column": query.number}
    if query.conditions:
        conditions = _("; or ").join(
            series_text(_condition_phrase(condition) for condition in term) for term in query.terms
        )
        sentence = _("%(what)s where %(conditions)s") % {"what": sentence, "conditions": conditions}
    if query.groups:
        columns = _("” and “").join(query.groups)
        sentence = _("%(what)s, by “%(column)s”") % {"what": sentence, "column": columns}
    return sentence


def _condition_phrase(condition: Condition) -> str:
    about = {
        "column": condition.column,
        "values": _(" or ").join(v or _("missing") for v in condition.values),
    }
    if condition.sign == "between":
        ends = {"column": condition.column, "low": condition.values[0], "high": condition.values[1]}
        return _("“%(column)s” is from %(low)s to %(high)s") % ends
    if condition.sign in ("in", "="):
        return _("“%(column)s” is %(values)s") % about
    if condition.sign == "!=":
        return _("“%(column)s” is not %(values)s") % about
    sign = _SIGNS.get(condition.sign, condition.sign)
    return f"“{condition.column}” {sign} {condition.values[0]}"


def answer_table(answer: TableAnswer) -> dict[str, Any]:
    """Return an answer for display as a table, with one line per group."""
    query, lines = answer.query, answer.lines
    return {
        "question": question_sentence(query_text(query)),
        "text": query_text(query),
        "exact": all(line.lower == line.upper for line in lines),
        "of_number": query.number is not None,
        "group": " × ".join(query.groups),
        "lines": [_line_cells(query, line) for line in lines],
        "records": answer.records,
        "left_out": answer.left_out,
        "disguised": answer.disguised_names,
    }


def _line_cells(query: Query, line: Answer) -> dict[str, Any]:
    places = 1 if query.number is None else 2
    return {
        "group": " × ".join(map(_group, line.group)),
        "exact": line.lower == line.upper,
        "none": line.lower is None,
        "records": str(line.most) if line.least == line.most else f"{line.least} – {line.most}",
        **{
            name: _figure(getattr(line, name), places)
            for name in ("lower", "upper", "likely_lower", "likely_upper", "expected")
        },
    }


def _group(value: str) -> str:
    return _("any value (*)") if value == SUPPRESSED else value or _("missing")


def _figure(value: float | None, places: int = 2) -> str:
    """Write whole numbers without decimals and others with `places` decimals."""
    if value is None:
        return "–"
    text = str(int(value)) if float(value).is_integer() else f"{value:.{places}f}"
    return text.replace("-", MINUS)


def question_lines(questions: Iterable[ReleaseQuestion]) -> list[dict[str, Any]]:
    """Return questions in words, each with its asker and time."""
    return [
        {
            "id": question.pk,
            "said": question_sentence(question.text),
            "asker": question.asker.get_username(),
            "at": question.asked_at,
        }
        for question in questions
    ]
