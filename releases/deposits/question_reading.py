"""Questions to a deposit and their answers, for pages and programs: sentences, figures, lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.sdc.labels import Condition
from privacy.sdc.queries import Answer, MeanAnswer, parse, query_text
from releases.deposits.questions import Answered, Published
from releases.models import Deposit, DepositQuestion
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
    if query.mean_of is None:
        said = _("How many records")
    else:
        said = _("Mean of “%(column)s”") % {"column": query.mean_of}
    if query.conditions:
        conditions = _("; ").join(_condition_said(condition) for condition in query.conditions)
        said = _("%(what)s where %(conditions)s") % {"what": said, "conditions": conditions}
    if query.groups:
        said = _("%(what)s, by “%(column)s”") % {"what": said, "column": query.groups[0]}
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
    """Return an answer ready to print: a sentence where it is one, and a table where it is split."""
    query, lines = answered.query, answered.lines
    return {
        "question": question_said(query_text(query)),
        "text": query_text(query),
        "sentences": [] if query.groups else _sentences(lines[0], answered.records),
        "exact": all(line.lower == line.upper for line in lines),
        "mean_of": query.mean_of,
        "group": query.groups[0] if query.groups else "",
        "lines": [
            {
                "group": line.group[0] if line.group else "",
                "lower": _figure(line.lower),
                "upper": _figure(line.upper),
                "expected": _figure(line.expected, 1 if isinstance(line, Answer) else 2),
                "records": _range(line) if isinstance(line, MeanAnswer) else "",
            }
            for line in lines
        ],
        "records": answered.records,
        "left_out": answered.left_out,
        "disguised": answered.disguised,
    }


def _range(answer: MeanAnswer) -> str:
    return str(answer.most) if answer.least == answer.most else f"{answer.least} – {answer.most}"


def _sentences(answer: Answer | MeanAnswer, records: int) -> list[str]:
    if isinstance(answer, Answer):
        if answer.lower == answer.upper:
            return [
                ngettext(
                    "Exactly %(count)s of %(records)s records.",
                    "Exactly %(count)s of %(records)s records.",
                    answer.lower,
                )
                % {"count": answer.lower, "records": records}
            ]
        return [
            _("Between %(lower)s and %(upper)s of %(records)s records.")
            % {"lower": answer.lower, "upper": answer.upper, "records": records},
            _("About %(expected)s, if values are spread evenly within each group.")
            % {"expected": _figure(answer.expected, 1)},
        ]
    if answer.lower is None:
        return [_("No record can meet these conditions, so there is no mean.")]
    about = {"lower": _figure(answer.lower), "upper": _figure(answer.upper)}
    if answer.lower == answer.upper:
        sentences = [_("The mean is %(lower)s.") % about]
    else:
        sentences = [_("The mean lies between %(lower)s and %(upper)s.") % about]
    if answer.expected is not None and answer.lower != answer.upper:
        expected = {"expected": _figure(answer.expected)}
        sentences.append(_("About %(expected)s, if values are spread evenly within each group.") % expected)
    counts = {"least": answer.least, "most": answer.most}
    if answer.least == answer.most:
        sentences.append(
            ngettext("It is of %(most)s record.", "It is of %(most)s records.", answer.most) % counts
        )
    elif answer.least:
        sentences.append(_("It is of %(least)s to %(most)s records.") % counts)
    else:
        sentences.append(
            _("It is of %(most)s records at most. Perhaps no record meets the conditions.") % counts
        )
    return sentences


def _figure(value: float | None, places: int = 2) -> str:
    """Write a count as it is and a mean with so many decimals."""
    if value is None:
        return "–"
    text = str(value) if isinstance(value, int) else f"{value:.{places}f}"
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
        "kind": "count" if query.mean_of is None else "mean",
        "answers": [
            {
                "group": line.group[0] if line.group else None,
                "lower": line.lower,
                "expected": line.expected,
                "upper": line.upper,
                "least_records": line.lower if isinstance(line, Answer) else line.least,
                "most_records": line.upper if isinstance(line, Answer) else line.most,
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
