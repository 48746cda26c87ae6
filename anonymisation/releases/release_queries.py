"""Queries of a release: open and close it, answer a query, and count how many are left to each person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count

from anonymisation.microdata.deposit_reader import release_unpack
from anonymisation.models import Release, ReleaseQuestion
from anonymisation.policy import MOST_QUESTIONS_EACH
from anonymisation.releases.downloads import FILES
from anonymisation.releases.release_events import release_log
from anonymisation.releases.sealed_documents import bytes_open
from privacy.sdc.published_labels import Domain, Prefix, domain_of
from privacy.sdc.queries import Answer, answer
from privacy.sdc.query_language import Query, parse, query_text
from privacy.sdc.table import Table
from surveys.errors.error import SurveyError

LONGEST_QUESTION: Final = 4_000
MOST_GROUPS: Final = 2
"""Largest number of columns that an answer can be split by."""
_NAMED: Final = 12
"""Largest number of columns or values that a refusal lists."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishedTable:
    """The published table of a release, as its readers see it.

    Parameters
    ----------
    table : Table
    domains : mapping of str to Domain
        Meaning of the labels of each column.
    left_out : int
        Records of the original table that are not in the release.
    """

    table: Table
    domains: Mapping[str, Domain]
    left_out: int
    _values: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def disguised_names(self) -> tuple[str, ...]:
        """Columns disguised on devices, whose values are not true answers."""
        return tuple(column.name for column in self.table.columns if column.role == "disguised")

    def is_numeric(self, name: str) -> bool:
        """Return whether a column contains numbers and intervals."""
        domain = self.domains.get(name)
        return domain is not None and domain.numeric

    def values_of(self, name: str) -> tuple[str, ...]:
        """Return the values that a condition on a column of texts can name: those not hidden by a star."""
        if name not in self._values:
            column = self.table.column(name)
            domain = domain_of(column, self.domains)
            values = {
                value
                for label in column.values
                if not isinstance(domain.meaning(label), Prefix)
                for value in domain.leaves.get(label, (label,))
            }
            self._values[name] = tuple(sorted(values))
        return self._values[name]

    def may_be(self, name: str, value: str) -> bool:
        """Return whether a text is a value or a group of a column, or may be hidden by a star."""
        column = self.table.column(name)
        domain = domain_of(column, self.domains)
        if value in domain.leaves or any(value in leaves for leaves in domain.leaves.values()):
            return True
        return any(domain.allows(label, value) for label in column.values)


@dataclass(frozen=True, kw_only=True)
class TableAnswer:
    """The answer to a question.

    Parameters
    ----------
    query : Query
    lines : tuple of Answer
        One line, or one for each value or pair of values that the answer is split by.
    records, left_out : int
        Records in the release, and records of the original table that are not in it.
    disguised_names : tuple of str
        Columns in the question that contain disguised answers.
    """

    query: Query
    lines: tuple[Answer, ...]
    records: int
    left_out: int
    disguised_names: tuple[str, ...]


def queries_allow(release: Release, each: int, *, by: User, now: datetime) -> None:
    """Open a release to `each` questions per researcher, or change the number if it is open.

    Raises
    ------
    SurveyError
        ``release.no_files``; ``release_question.each``: the number is out of range.
    """
    if not 1 <= each <= MOST_QUESTIONS_EACH:
        raise SurveyError("release_question.each", each, most=MOST_QUESTIONS_EACH)
    with transaction.atomic():
        current = _lock_release(release)
        if current.finished_at is None or current.files is None:
            raise SurveyError("release.no_files")
        current.opened_at = current.opened_at or now
        current.questions_each = each
        current.save(update_fields=["opened_at", "questions_each"])
        release_log(current, by=by, action="release_open", detail={"questions_each": each})


def queries_stop(release: Release, *, by: User) -> None:
    """Close a release to questions. Recorded questions stay until the release is deleted."""
    with transaction.atomic():
        current = _lock_release(release)
        if current.opened_at is None:
            return
        current.opened_at = None
        current.save(update_fields=["opened_at"])
        release_log(current, by=by, action="release_shut", detail={})


def _lock_release(release: Release) -> Release:
    return Release.objects.select_for_update(of=("self",)).select_related("survey").get(pk=release.pk)


def published_of(release: Release) -> PublishedTable:
    """Open the published table of a release.

    Raises
    ------
    SurveyError
        ``release.no_files`` or ``release.sealed``.
    """
    if release.files is None:
        raise SurveyError("release.no_files")
    archive = bytes_open(bytes(release.files), release_id=release.pk, kind=FILES)
    table, domains, manifest = release_unpack(archive)
    return PublishedTable(
        table=table, domains=domains, left_out=manifest["suppressed"] + manifest["left_out_as_missing"]
    )


def question_read(text: str) -> Query:
    """Read a question from its text, in the language of the command ``query``.

    Raises
    ------
    PrivacyError
        ``release_question``: the text is empty or too long; ``query``: it cannot be parsed.
    """
    if not text.strip():
        raise SurveyError("release_question.none")
    if len(text) > LONGEST_QUESTION:
        raise SurveyError("release_question.long", len(text), longest=LONGEST_QUESTION)
    return parse(text)


def question_answer(source: PublishedTable, query: Query) -> TableAnswer:
    """Answer a query from the published table.

    Raises
    ------
    PrivacyError
        ``release_question``: a column or value does not exist; ``query``: a comparison does not fit its
        column, or a mean has no bounds.
    """
    _check(source, query)
    return TableAnswer(
        query=query,
        lines=answer(source.table, query, source.domains),
        records=len(source.table),
        left_out=source.left_out,
        disguised_names=tuple(name for name in source.disguised_names if name in query.columns),
    )


def open_releases(releases: Iterable[Release], user: User) -> list[dict[str, Any]]:
    """Return open releases, each with the number of questions that the user has left."""
    rows = list(releases)
    n_asked = dict(
        ReleaseQuestion.objects.filter(release__in=rows, asker=user)
        .order_by()
        .values_list("release")
        .annotate(Count("pk"))
    )
    return [
        {"release": release, "left": max(0, release.questions_each - n_asked.get(release.pk, 0))}
        for release in rows
    ]


def questions_left(release: Release, user: User) -> int:
    """Return how many more questions a researcher may ask about a release."""
    (entry,) = open_releases([release], user)
    left: int = entry["left"]
    return left


def question_ask(
    release: Release, query: Query, *, by: User, now: datetime
) -> tuple[ReleaseQuestion, TableAnswer]:
    """Answer a question and record it; a repeated question is not counted again.

    Raises
    ------
    SurveyError
        ``release_question``: the question cannot be answered and is not counted; ``release_question.spent``:
        no questions are left.
    """
    reply = question_answer(published_of(release), query)
    text = query_text(query)
    with transaction.atomic():
        # Locked, because two simultaneous questions could both use the last one left.
        row = _lock_release(release)
        if row.opened_at is None or row.files is None:
            raise SurveyError("release_question.shut")
        questions = ReleaseQuestion.objects.filter(release=row, asker=by)
        before = questions.filter(text=text).first()
        if before is not None:
            return before, reply
        if questions.count() >= row.questions_each:
            raise SurveyError("release_question.spent", row.questions_each, owner=row.owner.get_username())
        question = ReleaseQuestion.objects.create(release=row, asker=by, asked_at=now, text=text)
        release_log(row, by=by, action="release_ask", detail={"number": question.pk})
    return question, reply


def _check(source: PublishedTable, query: Query) -> None:
    """Refuse names that the release does not have, because a count of 0 would look like an answer."""
    names = [column.name for column in source.table.columns]
    if len(query.groups) > MOST_GROUPS:
        raise SurveyError("release_question.groups", len(query.groups))
    for name in query.columns:
        if name not in names:
            raise SurveyError("release_question.column", name[:80], known=_list_some(names))
    for condition in (condition for term in query.terms for condition in term):
        if source.is_numeric(condition.column) or condition.sign not in ("=", "!=", "in"):
            continue
        for value in condition.values:
            if not source.may_be(condition.column, value):
                some = _list_some(source.values_of(condition.column))
                raise SurveyError("release_question.value", value[:80], column=condition.column, known=some)


def _list_some(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
