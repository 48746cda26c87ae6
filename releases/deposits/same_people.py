"""Recognising the people of an uploaded table: one keyed digest of all of them together, none of a person."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from releases.microdata.people import is_identifying
from releases.models import Deposit
from surveys.tables.table import ReadTable

__all__ = ["deposits_of_same_people", "identifying_column", "people_digest"]

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
