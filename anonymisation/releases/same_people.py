"""Releases of the same people: who they are, and which releases have exactly them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from anonymisation.models import Release
from privacy.sdc.proposals import is_identifying
from privacy.sdc.record_owners import person_key, person_of
from privacy.tables.columns import ReadTable
from surveys.errors.error import SurveyError

_PURPOSE: Final = "releases: the people of a table, all together"


def identifying_column(left_out: ReadTable) -> str:
    """Return the column among those left out that identifies people and has the most values; "" if none."""
    n = len(left_out)
    counts = {
        column.name: len(column.values)
        for column in left_out.columns
        if is_identifying(column.name, column.values, n)
    }
    return max(counts, key=lambda name: counts[name], default="")


def people_digest(people: Iterable[str], *, as_written: bool = False) -> str:
    """Return the digest of the people of a table, under the installation's secret key.

    The digest depends only on the set of people, not on their order or on how many records each of them has.

    Parameters
    ----------
    people : iterable of str
        From `person_of`.
    as_written : bool
        Whether 7, 007 and 7.0 are different people, as in releases of earlier programs.
    """
    texts = set(people)
    keys = texts if as_written else {"\x1f".join(map(person_key, text.split("\x1f"))) for text in texts}
    return salted_hmac(_PURPOSE, json.dumps(sorted(keys)), algorithm="sha256").hexdigest()


def releases_of_same_people(release: Release, as_written: str) -> QuerySet[Release]:
    """Return the finished releases of exactly the same people, latest first.

    `as_written` is the digest of the people as earlier programs made it; "" if there is none.
    """
    digests = {release.people_digest, as_written} - {""}
    releases = Release.objects.filter(people_digest__in=digests, finished_at__isnull=False)
    return releases.exclude(pk=release.pk).order_by("-finished_at")


def respondents_of(names: Sequence[str], columns: Sequence[Mapping[str, Any]], table: ReadTable) -> list[str]:
    """Return the respondent of each record, from one column or several together.

    Raises
    ------
    SurveyError
        ``release.respondent``: none of the columns is left out of the release; ``release.respondent_empty``.
    """
    left_out = {column["name"] for column in columns if column["role"] == "identifier"}
    if not left_out & set(names):
        raise SurveyError("release.respondent", " + ".join(names))
    for name in names:
        if lacking := table.column(name).counts.get("", 0):
            raise SurveyError("release.respondent_empty", lacking, name=name)
    return person_of([table.column(name) for name in names])
