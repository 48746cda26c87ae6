"""Columns of a table: propose their roles, show examples, and find the column that identifies respondents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from anonymisation.microdata.checks import ledger_read
from anonymisation.models import Release
from anonymisation.releases.plan import NUMBERS
from privacy.arrays import Whole
from privacy.sdc.proposals import is_identifying
from privacy.sdc.record_owners import person_key, person_of
from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.reader import Reading, as_read
from privacy.tables.values import SPANS, dates_read, is_ambiguous
from privacy.validation import number_text
from surveys.errors.error import SurveyError
from surveys.imports.table_reading import MOST_BYTES


def reading_chosen(column: ReadColumn, about: Mapping[str, Any]) -> Reading:
    """Return the reading of a column that the user chose; drafts of earlier programs join no spellings."""
    return Reading.of(
        column,
        kind=about["kind"],
        missing=about["missing_texts"],
        month_first=about["month_first"],
        as_written=about.get("as_written", True),
    )


def as_chosen(table: ReadTable, columns: Iterable[Mapping[str, Any]]) -> ReadTable:
    """Return the table with each column read as the user chose; missing values become empty texts."""
    choices = {column["name"]: column for column in columns}
    return as_read(table, {each.name: reading_chosen(each, choices[each.name]) for each in table.columns})


_EXAMPLES: Final = 3
_SAMPLE_SIZE: Final = 20_000
"""Number of records in which to look for columns that determine another column."""
_DETERMINES: Final = 0.95
"""Smallest lambda (see `determining_columns`) at which a column is said to determine a protected one."""
_LEAST_MEAN_RECORDS: Final = 5
"""Smallest mean number of records per value; with fewer, values determine each other by chance."""


def profile_of(column: ReadColumn, proposal: Mapping[str, Any]) -> dict[str, Any]:
    """Return examples and ambiguous texts of a column. They contain values, so they are sealed.

    Parameters
    ----------
    column : ReadColumn
    proposal : mapping
        The column's kind and missing texts, as stored in a release.
    """
    missing = {"", *proposal["missing_texts"]}
    texts = [text for text in column.values if text not in missing]
    reading = reading_chosen(column, proposal)
    read = reading.applied(column)
    counts = {text: n for text, n in read.counts.items() if text not in missing}
    glance: dict[str, Any] = {"ambiguous": "", "changed": ""}
    if proposal["kind"] in NUMBERS and counts:
        numbers = np.repeat([float(text) for text in counts], list(counts.values()))
        least, middle, most = (number_text(float(f"{end:.12g}")) for end in np.quantile(numbers, (0, 0.5, 1)))
        glance["span"] = [least, middle, most]
        glance["changed"] = next((text for text in texts if any(sign in text for sign in ", ’'")), "")
    else:
        most_common = sorted(counts.items(), key=lambda item: -item[1])
        glance["examples"] = [
            [f"{text} = {read.value_labels[text]}" if text in read.value_labels else text, n]
            for text, n in most_common[:_EXAMPLES]
        ]
        joined = next(iter(reading.spellings.items()), None)
        glance["joined"] = list(joined) if joined is not None else []
        glance["spellings"] = _two_spellings(counts)
    if proposal["kind"] in SPANS and (ambiguous := is_ambiguous(texts)):
        glance["ambiguous"] = ambiguous
        # Read the date with the day first, then with the month first.
        both = [dates_read(texts, month_first=first) or {} for first in (False, True)]
        glance["days"] = [days[ambiguous].isoformat() for days in both]
    return glance


def _two_spellings(texts: Iterable[str]) -> list[str]:
    """Return the first two texts that differ only in capitals and blanks.

    Examples
    --------
    >>> _two_spellings(["flu", "cold", "Flu"]), _two_spellings(["flu", "cold"])
    (['flu', 'Flu'], [])
    """
    first: dict[str, str] = {}
    for text in texts:
        other = first.setdefault(" ".join(text.casefold().split()), text)
        if other != text:
            return [other, text]
    return []


def sample_of(column: ReadColumn) -> Whole:
    """Return the codes of a sample of a column's records, spread evenly over the table."""
    return column.codes[:: max(1, len(column.codes) // _SAMPLE_SIZE)].astype(np.int64)


def determining_columns(
    codes: Mapping[str, Whole], columns: Sequence[Mapping[str, Any]]
) -> dict[str, list[str]]:
    """Return the published columns that determine a protected one, with the columns they determine.

    Parameters
    ----------
    codes : mapping of str to int64 array, shape (n,)
        Codes of the values of each published column, in the same records.
    columns : sequence of mapping
        Name and role of each column.

    Notes
    -----
    Uses Goodman and Kruskal's lambda (1954). Guessing the most common protected value is wrong for some
    records. Lambda is the share of these errors avoided by guessing the most common protected value given the
    other column.

    Examples
    --------
    >>> alive = np.array([0, 1] * 10)
    >>> roles = [{"name": "alive", "role": "insensitive"}, {"name": "survived", "role": "sensitive"}]
    >>> determining_columns({"alive": alive, "survived": 1 - alive}, roles)
    {'alive': ['survived']}
    """
    targets_of: dict[str, list[str]] = {}
    for column in columns:
        if column["role"] not in ("quasi_identifier", "insensitive"):
            continue
        beside = codes[column["name"]]
        for target in (each["name"] for each in columns if each["role"] == "sensitive"):
            if _lambda(beside, codes[target]) >= _DETERMINES:
                targets_of.setdefault(column["name"], []).append(target)
    return targets_of


def _lambda(beside: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> float:
    commonest = np.bincount(values).max()
    pairs, counts = np.unique(beside * (values.max() + 1) + values, return_counts=True)
    number = np.unique(pairs // (values.max() + 1), return_inverse=True)[1]
    if commonest == len(values) or len(beside) < _LEAST_MEAN_RECORDS * (number[-1] + 1):
        return 0.0
    best = np.zeros(number[-1] + 1, dtype=np.int64)
    np.maximum.at(best, number, counts)
    return float((best.sum() - commonest) / (len(values) - commonest))


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


def ledger_from_file(name: str, raw: bytes) -> dict[str, Any]:
    """Read the ledger of an earlier release, from the release's report or from ``release --ledger``.

    Raises
    ------
    SurveyError
        ``table_file.large`` or ``release.ledger``.
    """
    if len(raw) > MOST_BYTES:
        raise SurveyError("table_file.large", len(raw), most=f"{MOST_BYTES / 1e6:g}")
    try:
        return ledger_read(json.loads(raw)).document()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SurveyError("release.ledger", name) from error


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
