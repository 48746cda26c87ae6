"""Deposits open to questions, and their answers, as JSON."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from surveys.access.permissions import get_deposit_for_questions, get_deposits_for_questions, get_staff
from surveys.api.door import answers, parameters
from surveys.api.paging import PAGING, paging_of
from surveys.deposits.question_reading import (
    answer_record,
    columns_record,
    deposit_record,
    open_deposits,
)
from surveys.deposits.questions import published_of, question_ask, question_read, questions_left


@answers
def deposits(request: HttpRequest) -> dict[str, Any]:
    """List the deposits that the token's owner may question."""
    paging = paging_of(parameters(request, PAGING))
    open_ones = get_deposits_for_questions(request.user)
    listed = open_deposits(open_ones[paging.first : paging.first + paging.size], get_staff(request.user))
    entries = [deposit_record(entry["deposit"], left=entry["left"]) for entry in listed]
    return paging.listed(request, entries, open_ones.count())


@answers
def deposit(request: HttpRequest, made_id: int) -> dict[str, Any]:
    """Return a deposit: its columns, and how many questions are left."""
    parameters(request, frozenset())
    selected = get_deposit_for_questions(request.user, made_id)
    head = deposit_record(selected, left=questions_left(selected, get_staff(request.user)))
    return head | {"columns": columns_record(published_of(selected))}


@answers
def answer(request: HttpRequest, made_id: int) -> dict[str, Any]:
    """Answer a question, which is kept as one on the page is."""
    given = parameters(request, frozenset({"question"}))
    selected = get_deposit_for_questions(request.user, made_id)
    staff = get_staff(request.user)
    query = question_read(given.get("question", ""))
    _question, answered = question_ask(selected, query, by=staff, now=timezone.now())
    return answer_record(answered, left=questions_left(selected, staff))
