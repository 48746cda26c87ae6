"""Questions to a deposit and their answers, for pages and programs: sentences, figures, lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from anonymisation.deposits.questions import Answered, Published
from anonymisation.models import Deposit, DepositQuestion
from privacy.sdc.hierarchy import SUPPRESSED
from privacy.sdc.labels import Condition
from privacy.sdc.queries import Answer, Query, parse, query_text
from surveys.formats.figures import MINUS

__all__ = [
    "answer_record",
    "answer_shown",
    "columns_record",
    "deposit_record",
    "open_deposits",
    "question_lines",
    "question_said",
]

_SIGNS = {"!=": "≠", "<=": "≤", ">=": "≥"}


def question_said(text: str) -> str:
    """Say a question in words."""
    query = parse(text)
    said = {
        "count": _("How many records"),
        "mean": _("Mean of “%(column)s”"),
        "median": _("Median of “%(column)s”"),
    }[query.kind]
    if query.number is not None:
        said = said % {"column": query.number}
    if query.conditions:
        conditions = _("; or ").join(
            _("; ").join(_condition_said(condition) for condition in term) for term in query.terms
        )
        said = _("%(what)s where %(conditions)s") % {"what": said, "conditions": conditions}
    if query.groups:
        columns = _("” and “").join(query.groups)
        said = _("%(what)s, by “%(column)s”") % {"what": said, "column": columns}
    return said


def _condition_said(condition: Condition) -> str:
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


def answer_shown(answered: Answered) -> dict[str, Any]:
    """Return an answer ready to print: sentences where it is one, else a table, or a cross table."""
    query, lines = answered.query, answered.lines
    shown = [_line_shown(query, line) for line in lines]
    across = list(dict.fromkeys(line.group[1] for line in lines)) if len(query.groups) == 2 else []
    return {
        "question": question_said(query_text(query)),
        "text": query_text(query),
        "sentences": [] if query.groups else _sentences(query, lines[0], answered.records),
        "exact": all(line.lower == line.upper for line in lines),
        "of_number": query.number is not None,
        "group": " × ".join(query.groups),
        "lines": shown,
        "across": [_group(value) for value in across],
        # Cells come row by row, as `privacy.sdc.queries` yields the groups.
        "rows": [
            (_group(lines[first].group[0]), shown[first : first + len(across)])
            for first in range(0, len(lines) if across else 0, len(across) or 1)
        ],
        "records": answered.records,
        "left_out": answered.left_out,
        "disguised": answered.disguised,
    }


def _line_shown(query: Query, line: Answer) -> dict[str, Any]:
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


def _sentences(query: Query, answer: Answer, records: int) -> list[str]:
    if answer.lower is None:
        return [_("No record can meet these conditions, so the result is empty.")]
    about = {**_line_shown(query, answer), "of": records}
    if query.number is None:
        if answer.lower == answer.upper:
            return [
                ngettext(
                    "Exactly %(count)s of %(records)s records.",
                    "Exactly %(count)s of %(records)s records.",
                    answer.least,
                )
                % {"count": answer.least, "records": records}
            ]
        return [
            _("Probably %(likely_lower)s to %(likely_upper)s of %(of)s records.") % about,
            _("About %(expected)s, if values are spread evenly within each group.") % about,
            _("Definitely %(lower)s to %(upper)s.") % about,
        ]
    if answer.lower == answer.upper:
        sentences = [_("It is exactly %(lower)s.") % about]
    else:
        sentences = [
            _("Probably between %(likely_lower)s and %(likely_upper)s.") % about,
            _("Definitely between %(lower)s and %(upper)s.") % about,
        ]
        if answer.expected is not None:
            even = _("About %(expected)s, if values are spread evenly within each group.")
            sentences.insert(1, even % about)
    counts = {"least": answer.least, "most": answer.most}
    if answer.least == answer.most:
        sentences.append(
            ngettext("This covers %(most)s record.", "This covers %(most)s records.", answer.most) % counts
        )
    elif answer.least:
        sentences.append(_("This covers %(least)s to %(most)s records.") % counts)
    else:
        sentences.append(
            _("This covers at most %(most)s records. Possibly no record meets the conditions.") % counts
        )
    return sentences


def _figure(value: float | None, places: int = 2) -> str:
    """Write a whole number as it is and others with so many decimals."""
    if value is None:
        return "–"
    text = str(int(value)) if float(value).is_integer() else f"{value:.{places}f}"
    return text.replace("-", MINUS)


def question_lines(questions: Iterable[DepositQuestion]) -> list[dict[str, Any]]:
    """Return questions in words, each with who asked it and when."""
    return [
        {
            "id": question.pk,
            "said": question_said(question.text),
            "asker": question.asker.get_username(),
            "at": question.asked_at,
        }
        for question in questions
    ]


def open_deposits(deposits: Iterable[Deposit], user: User) -> list[dict[str, Any]]:
    """Return deposits that are open, each with how many questions are left to who asks."""
    shown = list(deposits)
    n_asked = dict(
        DepositQuestion.objects.filter(deposit__in=shown, asker=user)
        .order_by()
        .values_list("deposit")
        .annotate(Count("pk"))
    )
    return [
        {"deposit": deposit, "left": max(0, deposit.questions_each - n_asked.get(deposit.pk, 0))}
        for deposit in shown
    ]


def deposit_record(deposit: Deposit, *, left: int) -> dict[str, Any]:
    """Return what a program reads of a deposit that is open."""
    return {
        "id": deposit.pk,
        "name": deposit.name,
        "owner": deposit.owner.get_username(),
        "records": deposit.result["records"],
        "questions_left": left,
    }


def answer_record(answered: Answered, *, left: int) -> dict[str, Any]:
    """Return what a program reads of an answer."""
    query = answered.query
    return {
        "question": query_text(query),
        "kind": query.kind,
        "answers": [
            {
                "group": line.group[0] if line.group else None,
                "groups": list(line.group),
                "lower": line.lower,
                "likely_lower": line.likely_lower,
                "expected": line.expected,
                "likely_upper": line.likely_upper,
                "upper": line.upper,
                "least_records": line.least,
                "most_records": line.most,
            }
            for line in answered.lines
        ],
        "records": answered.records,
        "left_out": answered.left_out,
        "disguised": list(answered.disguised),
        "questions_left": left,
    }


def columns_record(published: Published) -> list[dict[str, Any]]:
    """Return what a program reads of the columns of a deposit."""
    return [
        {
            "name": column.name,
            "role": column.role,
            "numeric": published.is_numeric(column.name),
            "labels": list(column.values),
            "values": [] if published.is_numeric(column.name) else list(published.values_of(column.name)),
        }
        for column in published.table.columns
    ]
