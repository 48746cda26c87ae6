"""Columns of a table: propose their roles, show examples, and find the column that identifies respondents."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

import numpy as np
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from anonymisation.microdata.checks import ledger_read
from anonymisation.models import Release
from anonymisation.releases.plan import NUMBERS
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.policy import UNSAFE_LEAST_VALUES, UNSAFE_SHARE
from privacy.sdc.panels import Panel, panel_of, same_people
from privacy.sdc.people import agreement, person_of, repeated_columns
from privacy.sdc.table import ColumnRule, refuse_unsafe
from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.header import numbers_rows
from privacy.tables.missing import declared_missing, is_missing_word, proposed_texts
from privacy.tables.missing import missing_texts as missing_texts_of
from privacy.tables.names import KNOWN, identifies, is_about, says
from privacy.tables.values import SPANS, column_as, dates_read, is_ambiguous, kinds_of
from privacy.validation import finite_number, number_text
from surveys.errors.error import SurveyError
from surveys.imports.table_reading import MOST_BYTES

# Words in the names of columns, in English and Chinese. `privacy.tables.names` has others.
_SENSITIVE: Final = (
    "disease diagnosis illness condition hiv drug drugs alcohol abortion income salary wage wages debt "
    "religion faith party vote voted politics orientation sexual crime conviction arrest violence abuse "
    "suicide depression problem cheated stolen affair affairs survived died death "
    "疾病 诊断 病史 收入 工资 薪水 债务 宗教 信仰 党派 投票 性取向 犯罪 自杀 抑郁 存活 死亡"
)
_CODES: Final = "zip postcode postal plz code icd isco nuts 邮编 编号 编码 代码"
_BORN: Final = "birth born birthday dob 出生 生日"


_MOST_STRAYS: Final = 3
_STRAY_SHARE: Final = 0.05
"""Largest share of records with a text in a column that is still read as numbers."""
_ALL: Final = ("identifier", "quasi_identifier", "sensitive", "insensitive")


def propose(
    column: ReadColumn, missing_texts: Collection[str] | None = None, *, month_first: bool = False
) -> dict[str, Any]:
    """Propose the role of one column.

    Parameters
    ----------
    column : ReadColumn
    missing_texts : collection of str or None
        Texts that mean "missing", in addition to empty cells; None for the proposed texts and those that the
        file declares.
    month_first : bool
        As in `privacy.tables.values.dates_read`.

    Returns
    -------
    dict
        The proposal in the form that a release stores, with counts but no values: ``name``; ``label``, the
        file's description; ``role``, as in `privacy.sdc.ColumnRule`, and ``roles`` to choose from (only one
        if the column cannot be published); ``reason``, the key of a sentence that explains the role; ``kind``
        and possible ``kinds``, from `privacy.tables.values.KINDS`; ``distinct`` and ``missing``, both counts;
        ``policy`` for records without a value, ``value`` or ``drop``; ``questions``, texts that may mean
        "missing" with their numbers of records; ``missing_texts``, those that are read as missing;
        ``month_first``; ``may_identify``, whether the column can distinguish people if it is left out
        (otherwise it is not read then); ``repeats``, if values repeat and may be
        people with several records, the counts of `Repeated` (otherwise empty); ``agreement``, the share of
        pairs of records that have the same value.

    Notes
    -----
    The first rule that applies decides. Columns that cannot be published (time stamps, free text) must be
    left out. Then the name decides. A column of texts with a different value for nearly every person
    identifies people. A column with a single value is harmless. Everything else counts as something that an
    attacker may know.

    Examples
    --------
    >>> columns = ReadTable.of_rows(
    ...     ["Patient ID", "diagnosis", "age", "born"],
    ...     [["1", "flu", "41", "1980-02-03"], ["2", "cold", "NA", "4/5/1981"], ["3", "flu", "1,038", ""]],
    ... ).columns
    >>> [propose(column)["role"] for column in columns[:2]]
    ['identifier', 'sensitive']
    >>> age, born = map(propose, columns[2:])
    >>> age["kind"], age["missing"], age["missing_texts"], born["kind"], born["kinds"]
    ('categorical', 1, ['NA'], 'year', ['month', 'quarter', 'year', 'categorical'])
    """
    name, counts = column.name, column.counts
    n = sum(counts.values())
    strays = _strays(counts)
    lacking = (
        tuple(dict.fromkeys([*proposed_texts(counts), *declared_missing(column), *strays]))
        if missing_texts is None
        else tuple(missing_texts)
    )
    real = {text: count for text, count in counts.items() if text and text not in lacking}
    kinds = kinds_of(list(real))
    kind = _kind(column, kinds, real)
    read = column_as(column, kind, lacking, month_first=month_first)
    values = [text for text in read.values if text and text not in lacking]
    role, reason, roles = (
        ("identifier", "row_number", _ALL)
        if numbers_rows(column)
        else _role(name, values, n, "numeric" in kinds)
    )
    asked_about = (
        lacking if role == "identifier" else [*missing_texts_of(counts), *declared_missing(column), *strays]
    )
    return {
        "name": name,
        "label": column.label,
        "role": role,
        "reason": reason,
        "kind": kind,
        "kinds": list(kinds),
        "distinct": len(values),
        "missing": n - sum(real.values()),
        "roles": list(roles),
        "policy": "drop" if kind in ("numeric", "year") else "value",
        # In an identifier, a number such as 99 does not mean "missing".
        "questions": {text: counts.get(text, 0) for text in asked_about},
        "missing_texts": list(lacking),
        "may_identify": reason != "row_number" and may_identify(name, len(counts), n),
        "repeats": repeats_of(column),
        "month_first": month_first,
        "agreement": agreement(column),
    }


def with_panel(table: ReadTable, columns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Propose to leave out the columns that look like people by what they contain."""
    panel = panel_of(table)
    found = [dict(column) for column in columns]
    names = () if panel is None else (*panel.columns, *same_people(table, panel))
    for column in found:
        if panel is not None and column["name"] in names:
            # As JSON reads it back.
            column["panel"] = json.loads(json.dumps(asdict(panel)))
            if column["role"] != "identifier" and "identifier" in column["roles"]:
                column |= {"role": "identifier", "reason": "person"}
    return found


def published_panel(columns: Iterable[Mapping[str, Any]]) -> Panel | None:
    """Return the columns that look like people, unless one of them is left out; then it is asked about."""
    found = [column for column in columns if "panel" in column]
    if not found or any(column["role"] == "identifier" for column in found):
        return None
    panel = found[0]["panel"]
    return Panel(columns=tuple(panel["columns"]), values=panel["values"], constant=tuple(panel["constant"]))


def may_identify(name: str, distinct: int, n: int) -> bool:
    """Return whether a column can identify people, by its name or because nearly all values differ."""
    return identifies(name) or (distinct >= UNSAFE_LEAST_VALUES and distinct > UNSAFE_SHARE * n)


def is_identifying(name: str, values: Sequence[str], n: int) -> bool:
    """Return whether a column that is left out identifies people, and not a day, a remark or a region."""
    if identifies(name) or not may_identify(name, len(values), n):
        return identifies(name)
    if all(finite_number(value) is not None for value in values):
        return False
    try:
        refuse_unsafe(ColumnRule(name=name, role="quasi_identifier"), values, n)
    except PrivacyError:
        return False
    return True


def repeats_of(column: ReadColumn) -> list[list[int]]:
    """Return the numbers of `Repeated` for a column, in a list; empty if its values do not repeat."""
    return [[each.values, each.records, each.most] for each in repeated_columns([column])]


def _strays(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return the texts in a column of numbers that are not numbers, such as a remark, if there are few.

    Examples
    --------
    >>> _strays({"31": 40, "32": 30, "45": 30, "about 40": 1}), _strays({"1": 9, "2": 9, "3": 9, "no": 9})
    (('about 40',), ())
    """
    others = [text for text in counts if text and finite_number(text) is None and not is_missing_word(text)]
    numbers = [text for text in counts if finite_number(text) is not None]
    few = 0 < len(others) <= _MOST_STRAYS and len(numbers) > len(others) + 1
    records = sum(counts.values())
    return tuple(others) if few and _STRAY_SHARE * records >= sum(counts[text] for text in others) else ()


def _kind(column: ReadColumn, kinds: tuple[str, ...], real: Collection[str]) -> str:
    """Return the kind of a column: codes and choices are categories, and birthdays are reduced to years."""
    if "numeric" not in kinds:
        return "year" if "year" in kinds and says(column.name, _BORN) else kinds[0]
    # Two numbers usually mean yes and no, and codes and labelled choices are not amounts.
    is_code = len(real) <= 2 or says(column.name, _CODES) or set(real) <= set(column.value_labels)
    return "categorical" if is_code else "numeric"


def as_chosen(table: ReadTable, columns: Iterable[Mapping[str, Any]]) -> ReadTable:
    """Return the table with each column read as the user chose; missing values become empty texts."""
    choices = {column["name"]: column for column in columns}
    read = []
    for column in table.columns:
        about = choices[column.name]
        missing, month_first = about["missing_texts"], about["month_first"]
        of_kind = column_as(column, about["kind"], missing, month_first=month_first)
        read.append(of_kind.with_texts(dict.fromkeys(missing, "")))
    return replace(table, columns=tuple(read))


def _role(name: str, values: list[str], n: int, numeric: bool) -> tuple[str, str, tuple[str, ...]]:
    if not values:
        return "identifier", "empty", ("identifier",)
    refusals = {} if numeric else _refused_roles(name, values, n)
    allowed = tuple(role for role in _ALL if role not in refusals)
    if "quasi_identifier" in refusals:
        return "identifier", refusals["quasi_identifier"], ("identifier",)
    if says(name, _SENSITIVE) and "sensitive" in allowed:
        return "sensitive", "sensitive_name", allowed
    # Checked before identifiers, because "postal code" contains "code" but is known, not identifying.
    if is_about(name, KNOWN):
        return "quasi_identifier", "known_name", allowed
    if identifies(name):
        return "identifier", "identifying_name", allowed
    if len(values) >= UNSAFE_LEAST_VALUES and len(values) > UNSAFE_SHARE * n and not numeric:
        return "identifier", "own_value", allowed
    if len(values) == 1:
        return "insensitive", "one_value", allowed
    return "quasi_identifier", "known_perhaps", allowed


def _refused_roles(name: str, values: list[str], n: int) -> dict[str, str]:
    """Return the roles in which a column cannot be published, each with its error code."""
    refusals = {}
    for role in ("quasi_identifier", "sensitive", "insensitive"):
        try:
            refuse_unsafe(ColumnRule(name=name, role=role), values, n)
        except PrivacyError as error:
            refusals[role] = error.code
    return refusals


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
    month_first = proposal["month_first"]
    read = column_as(column, proposal["kind"], proposal["missing_texts"], month_first=month_first)
    counts = {text: n for text, n in read.counts.items() if text not in missing}
    glance: dict[str, Any] = {"ambiguous": "", "changed": ""}
    if proposal["kind"] in NUMBERS and counts:
        numbers = np.repeat([float(text) for text in counts], list(counts.values()))
        least, middle, most = (number_text(float(end)) for end in np.quantile(numbers, (0, 0.5, 1)))
        glance["span"] = [least, middle, most]
        glance["changed"] = next((text for text in texts if any(sign in text for sign in ", ’'")), "")
    else:
        most_common = sorted(counts.items(), key=lambda item: -item[1])
        glance["examples"] = [
            [f"{text} = {read.value_labels[text]}" if text in read.value_labels else text, n]
            for text, n in most_common[:_EXAMPLES]
        ]
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


def _lambda(beside: np.ndarray[Any, Any], own: np.ndarray[Any, Any]) -> float:
    commonest = np.bincount(own).max()
    pairs, counts = np.unique(beside * (own.max() + 1) + own, return_counts=True)
    number = np.unique(pairs // (own.max() + 1), return_inverse=True)[1]
    if commonest == len(own) or len(beside) < _LEAST_MEAN_RECORDS * (number[-1] + 1):
        return 0.0
    best = np.zeros(number[-1] + 1, dtype=np.int64)
    np.maximum.at(best, number, counts)
    return float((best.sum() - commonest) / (len(own) - commonest))


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


def people_digest(people: Iterable[str]) -> str:
    """Return the digest of the people of a table, under the installation's secret key.

    The digest depends only on the set of people, not on their order or on how many records each of them has.
    """
    return salted_hmac(_PURPOSE, json.dumps(sorted(set(people))), algorithm="sha256").hexdigest()


def releases_of_same_people(release: Release) -> QuerySet[Release]:
    """Return the finished releases of exactly the same people, latest first."""
    if not release.people_digest:
        return Release.objects.none()
    releases = Release.objects.filter(people_digest=release.people_digest, finished_at__isnull=False)
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
