"""Deposits open to questions, and their answers, as JSON: addresses, schemas, and what the document says."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils import timezone

from releases.deposits.drafts import FILES, deposit_download
from releases.deposits.question_reading import answer_record, columns_record, deposit_record, open_deposits
from releases.deposits.questions import published_of, question_ask, question_read, questions_left
from releases.doors import get_deposit_for_builder, get_deposit_for_questions, get_deposits_for_questions
from surveys.access.permissions import get_staff
from surveys.access.second_factor import require_to_export
from surveys.api.door import answers, parameters
from surveys.api.openapi import PAGES, Parameter, in_path, query
from surveys.api.paging import PAGING, paging_of
from surveys.api.schemas import (
    NUMBER,
    TEXT,
    WHOLE,
    YES_NO,
    ZIP,
    Schema,
    list_of,
    or_null,
    page_of,
    reference,
    whole,
)
from surveys.extension import ApiPart
from surveys.formats.attachments import whole_file


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


@answers
def files(request: HttpRequest, made_id: int) -> HttpResponseBase:
    """Send what a deposit hands over, to those who may make it; the log says who had it."""
    parameters(request, frozenset())
    selected, staff = get_deposit_for_builder(request.user, made_id), get_staff(request.user)
    require_to_export(staff)
    body = deposit_download(selected, FILES, by=staff)
    return whole_file(body, "application/zip", f"sotto-deposit-{selected.pk}.zip")


_NUMBER: Final = in_path("made_id", {"type": "integer"})

SCHEMAS: Final[dict[str, Schema]] = {
    "Deposit": whole(
        {"id": WHOLE, "name": TEXT, "owner": TEXT, "records": WHOLE, "questions_left": WHOLE},
        description="Published records that are asked in place of being handed over.",
    ),
    "DepositColumn": whole(
        {
            "name": TEXT,
            "role": {"type": "string", "enum": ["quasi_identifier", "sensitive", "insensitive", "disguised"]},
            "numeric": YES_NO,
            "labels": list_of(TEXT),
            "values": list_of(TEXT) | {"description": "What a condition can name; none of numbers."},
        }
    ),
    "Answer": whole(
        {
            "question": TEXT,
            "kind": {"type": "string", "enum": ["count", "mean", "median"]},
            "answers": list_of(
                whole(
                    {
                        "group": or_null(TEXT),
                        "groups": list_of(TEXT),
                        "lower": or_null(NUMBER),
                        "likely_lower": or_null(NUMBER),
                        "expected": or_null(NUMBER),
                        "likely_upper": or_null(NUMBER),
                        "upper": or_null(NUMBER),
                        "least_records": WHOLE,
                        "most_records": WHOLE,
                    },
                    description="Bounds are certain. What is expected takes values to be spread evenly; the "
                    "likely range is 95 % of two such models, and no bound.",
                )
            ),
            "records": WHOLE,
            "left_out": WHOLE,
            "disguised": list_of(TEXT),
            "questions_left": WHOLE,
        },
        description="Computed from published labels. Null: no record can meet the conditions.",
    ),
}

ADDRESSES: Final[dict[str, tuple[str, list[Parameter], Schema]]] = {
    "deposits": ("Deposits that take questions", [*PAGES], page_of(reference("Deposit"))),
    "deposits/{made_id}": (
        "One deposit, with the columns that a question can name",
        [_NUMBER],
        whole(SCHEMAS["Deposit"]["properties"] | {"columns": list_of(reference("DepositColumn"))}),
    ),
    "deposits/{made_id}/files": (
        "What a deposit of your own hands over: rows, codebook, manifest",
        [_NUMBER],
        ZIP,
    ),
    "deposits/{made_id}/answer": (
        "A count, a mean or a median of a deposit, with certain bounds and a likely range",
        [
            _NUMBER,
            query(
                "question",
                {"type": "string"},
                "Such as: count where age < 40 and work in (state, city) or age > 80 group by sex, work. Or: "
                "mean age, median age.",
            ),
        ],
        reference("Answer"),
    ),
}

PART: Final = ApiPart(
    routes=(
        path("deposits", deposits, name="deposits"),
        path("deposits/<int:made_id>", deposit, name="deposit"),
        path("deposits/<int:made_id>/answer", answer, name="deposit_answer"),
        path("deposits/<int:made_id>/files", files, name="deposit_files"),
    ),
    described=ADDRESSES,
    schemas=SCHEMAS,
    note=(
        "A question put to a deposit is kept for its owner to see, and is one of those that you may ask; the "
        "same again is free."
    ),
)
