"""Whose record is whose in an uploaded table: a column that is left out, and ledgers of earlier releases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from anonymisation.microdata.earlier import Ledger, ledger_read
from anonymisation.microdata.people import is_identifying
from anonymisation.models import Deposit
from surveys.errors.error import SurveyError
from surveys.imports.table import ReadTable
from surveys.imports.table_reading import MOST_BYTES

__all__ = [
    "deposits_of_same_people",
    "identifying_column",
    "ledger_from_file",
    "ledgers_check",
    "people_digest",
    "respondents_of",
]

_PURPOSE: Final = "releases: the people of a table, all together"


def identifying_column(left_out: ReadTable, respondent: str = "") -> str:
    """Return the column that tells people apart; "" where there is none.

    Parameters
    ----------
    left_out : ReadTable
        Columns that are not published.
    respondent : str
        The one that was named, where one was. Else of those that identify people the one of most values.
    """
    if respondent:
        return respondent
    n = len(left_out)
    counts = {
        column.name: len(column.values)
        for column in left_out.columns
        if is_identifying(column.name, column.values, n)
    }
    return max(counts, key=lambda name: counts[name], default="")


def people_digest(people: Iterable[str]) -> str:
    """Return the digest of the people of a table, under the installation's secret key.

    It is the same for the same people in any order, however many records each has, and another one where one
    person more or less is among them.
    """
    return salted_hmac(_PURPOSE, json.dumps(sorted(set(people))), algorithm="sha256").hexdigest()


def deposits_of_same_people(deposit: Deposit) -> QuerySet[Deposit]:
    """Return the deposits that were made of exactly the same people, the latest first."""
    if not deposit.people_digest:
        return Deposit.objects.none()
    made = Deposit.objects.filter(people_digest=deposit.people_digest, finished_at__isnull=False)
    return made.exclude(pk=deposit.pk).order_by("-finished_at")


def ledger_from_file(name: str, raw: bytes) -> dict[str, Any]:
    """Read the ledger of an earlier release, as a deposit's report or ``release --ledger`` gave it.

    Raises
    ------
    SurveyError
        ``table_file.large`` or ``deposit.ledger``.
    """
    if len(raw) > MOST_BYTES:
        raise SurveyError("table_file.large", len(raw), most=f"{MOST_BYTES / 1e6:g}")
    try:
        return ledger_read(json.loads(raw)).document()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SurveyError("deposit.ledger", name) from error


def respondents_of(column: str, columns: Sequence[Mapping[str, Any]], table: ReadTable) -> list[str]:
    """Return who each record belongs to.

    Raises
    ------
    SurveyError
        ``deposit.respondent``: the column is not left out of what is published; ``deposit.respondent_empty``.
    """
    if column not in {column["name"] for column in columns if column["role"] == "identifier"}:
        raise SurveyError("deposit.respondent", column)
    held = table.column(column)
    if lacking := held.counts.get("", 0):
        raise SurveyError("deposit.respondent_empty", lacking, name=column)
    return held.texts


def ledgers_check(ledgers: Sequence[Ledger], respondents: Sequence[str] | None) -> None:
    """Refuse ledgers that a comparison would learn nothing from.

    Raises
    ------
    SurveyError
        ``deposit.ledger_column``: no column says whose record is whose; ``respondent.twice``: somebody has
        several records; ``ledger.salts``; or
        ``deposit.ledger_nobody``: none of the people is in one of them, as with another column of numbers.
    """
    if ledgers and respondents is None:
        raise SurveyError("deposit.ledger_column")
    if ledgers and respondents and len(set(respondents)) < len(respondents):
        raise SurveyError("respondent.twice", Counter(respondents).most_common(1)[0][0])
    if len({ledger.salt for ledger in ledgers}) > 1:
        raise SurveyError("ledger.salts")
    for number, ledger in enumerate(ledgers, 1):
        if all(previous < 0 for previous in ledger.previous_class(respondents or ())):
            raise SurveyError("deposit.ledger_nobody", number)
