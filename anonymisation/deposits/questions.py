"""Questions to a deposit: open it, close it, answer counts, means and medians, and record who asked.

Answers are computed from the labels that the deposit publishes, and from nothing else: its records are
deleted when it is made. So every answer is a function of the published table, and no set of answers tells
more than that table does, whoever asks and however often. The number of questions that the owner allows
guards no record; it lets a deposit be asked that is not handed over, and says how much of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from anonymisation.deposits.drafts import FILES
from anonymisation.deposits.erasing import deposit_record
from anonymisation.deposits.vault import bytes_open
from anonymisation.microdata.answering import release_unpack
from anonymisation.models import Deposit, DepositQuestion
from anonymisation.policy import MOST_QUESTIONS_EACH
from privacy.errors import PrivacyError
from privacy.sdc import Table
from privacy.sdc.labels import Domain, Prefix, domain_of
from privacy.sdc.queries import Answer, Query, answer, parse, query_text
from surveys.errors.error import SurveyError

__all__ = [
    "Answered",
    "Published",
    "deposit_open",
    "deposit_shut",
    "published_of",
    "question_answer",
    "question_ask",
    "question_read",
    "questions_left",
]

LONGEST_QUESTION: Final = 4_000
MOST_GROUPS: Final = 2
"""A cross table has two columns; what is asked in a row of three is read by nobody."""
_NAMED: Final = 12
"""So many columns or values a refusal names."""

# Refusals of the core, said again in the language of the page.
_SAID: Final = {
    "query.cells": "deposit_question.cells",
    "query.mean": "deposit_question.mean",
    "query.number": "deposit_question.number",
    "query.open": "deposit_question.open",
    "query.sign": "deposit_question.sign",
    "query.ways": "deposit_question.ways",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Published:
    """The published table of a deposit, as its reader has it.

    Parameters
    ----------
    table : Table
    domains : mapping of str to Domain
        Meaning of the labels of each column.
    left_out : int
        Records of the original table that are not in the deposit.
    """

    table: Table
    domains: Mapping[str, Domain]
    left_out: int
    _values: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def disguised(self) -> tuple[str, ...]:
        """Columns disguised on devices, whose values are no true answers."""
        return tuple(column.name for column in self.table.columns if column.role == "disguised")

    def is_numeric(self, name: str) -> bool:
        """Whether a column holds numbers and intervals."""
        domain = self.domains.get(name)
        return domain is not None and domain.numeric

    def values_of(self, name: str) -> tuple[str, ...]:
        """Return the values that a condition on a column of texts can name: none that only a star hides."""
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
        """Whether a text is a value or a group of values of a column, or may stand behind a star."""
        column = self.table.column(name)
        domain = domain_of(column, self.domains)
        if value in domain.leaves or any(value in leaves for leaves in domain.leaves.values()):
            return True
        meanings = [domain.meaning(label) for label in column.values]
        return any(
            meaning.holds(value)
            if isinstance(meaning, Prefix)
            else isinstance(meaning, frozenset) and value in meaning
            for meaning in meanings
        )


@dataclass(frozen=True, kw_only=True)
class Answered:
    """The answer to a question.

    Parameters
    ----------
    query : Query
    lines : tuple of Answer
        One in all, or one for each value or pair of values that the answer is split by.
    records, left_out : int
        Records of the deposit, and those of the original table that are not in it.
    disguised : tuple of str
        Columns of the question that hold what devices drew.
    """

    query: Query
    lines: tuple[Answer, ...]
    records: int
    left_out: int
    disguised: tuple[str, ...]


def deposit_open(deposit: Deposit, each: int, *, by: User, now: datetime) -> None:
    """Open a deposit to so many questions for each researcher; also changes the number of an open one.

    Raises
    ------
    SurveyError
        ``deposit.no_files``; ``deposit_question.each``: the number is out of range.
    """
    if not 1 <= each <= MOST_QUESTIONS_EACH:
        raise SurveyError("deposit_question.each", each, most=MOST_QUESTIONS_EACH)
    with transaction.atomic():
        held = _locked(deposit)
        if held.finished_at is None or held.files is None:
            raise SurveyError("deposit.no_files")
        held.opened_at = held.opened_at or now
        held.questions_each = each
        held.save(update_fields=["opened_at", "questions_each"])
        deposit_record(held, by=by, action="deposit_open", detail={"questions_each": each})


def deposit_shut(deposit: Deposit, *, by: User) -> None:
    """Close a deposit to questions; their record stays until it is deleted."""
    with transaction.atomic():
        held = _locked(deposit)
        if held.opened_at is None:
            return
        held.opened_at = None
        held.save(update_fields=["opened_at"])
        deposit_record(held, by=by, action="deposit_shut", detail={})


def _locked(deposit: Deposit) -> Deposit:
    return Deposit.objects.select_for_update(of=("self",)).select_related("survey").get(pk=deposit.pk)


def published_of(deposit: Deposit) -> Published:
    """Open what a deposit publishes.

    Raises
    ------
    SurveyError
        ``deposit.no_files`` or ``deposit.sealed``.
    """
    if deposit.files is None:
        raise SurveyError("deposit.no_files")
    archive = bytes_open(bytes(deposit.files), deposit_id=deposit.pk, kind=FILES)
    table, domains, manifest = release_unpack(archive)
    return Published(
        table=table, domains=domains, left_out=manifest["suppressed"] + manifest["left_out_as_missing"]
    )


def question_read(text: str) -> Query:
    """Read a question from its text, in the language of the command ``query``.

    Raises
    ------
    SurveyError
        ``deposit_question``: it is empty, too long, or not understood.
    """
    if not text.strip():
        raise SurveyError("deposit_question.none")
    if len(text) > LONGEST_QUESTION:
        raise SurveyError("deposit_question.long", len(text), longest=LONGEST_QUESTION)
    try:
        return parse(text)
    except PrivacyError as error:
        raise SurveyError("deposit_question.text", text[:200]) from error


def question_answer(published: Published, query: Query) -> Answered:
    """Answer a question from what is published, or say why not.

    Raises
    ------
    SurveyError
        ``deposit_question``: a column, value or number does not fit; or a mean has no bounds.
    """
    _check(published, query)
    try:
        lines = answer(published.table, query, published.domains)
    except PrivacyError as error:
        case = _SAID.get(error.case)
        if case is None:
            raise
        raise SurveyError(
            case, error.value, column=error.fields.get("column", ""), most=error.fields.get("most", "")
        ) from error
    return Answered(
        query=query,
        lines=lines,
        records=len(published.table),
        left_out=published.left_out,
        disguised=tuple(name for name in published.disguised if name in query.columns),
    )


def questions_left(deposit: Deposit, user: User) -> int:
    """Return how many more questions a researcher may ask a deposit."""
    return max(
        0, deposit.questions_each - DepositQuestion.objects.filter(deposit=deposit, asker=user).count()
    )


def question_ask(
    deposit: Deposit, query: Query, *, by: User, now: datetime
) -> tuple[DepositQuestion, Answered]:
    """Answer a question and record it; a repeated question is not counted again.

    Raises
    ------
    SurveyError
        ``deposit_question``: it cannot be answered, and does not count; ``deposit_question.spent``: no
        question is left.
    """
    answered = question_answer(published_of(deposit), query)
    text = query_text(query)
    with transaction.atomic():
        # One after the other: two at once would both be the last.
        held = _locked(deposit)
        if held.opened_at is None or held.files is None:
            raise SurveyError("deposit_question.shut")
        questions = DepositQuestion.objects.filter(deposit=held, asker=by)
        before = questions.filter(text=text).first()
        if before is not None:
            return before, answered
        if questions.count() >= held.questions_each:
            raise SurveyError("deposit_question.spent", held.questions_each, owner=held.owner.get_username())
        question = DepositQuestion.objects.create(deposit=held, asker=by, asked_at=now, text=text)
        deposit_record(held, by=by, action="deposit_ask", detail={"number": question.pk})
    return question, answered


def _check(published: Published, query: Query) -> None:
    """Refuse names that the deposit does not have: a count of nothing would look like an answer."""
    known = [column.name for column in published.table.columns]
    if len(query.groups) > MOST_GROUPS:
        raise SurveyError("deposit_question.groups", len(query.groups))
    for name in query.columns:
        if name not in known:
            raise SurveyError("deposit_question.column", name[:80], known=_some(known))
    for condition in (condition for term in query.terms for condition in term):
        if published.is_numeric(condition.column) or condition.sign not in ("=", "!=", "in"):
            continue
        for value in condition.values:
            if not published.may_be(condition.column, value):
                some = _some(published.values_of(condition.column))
                raise SurveyError("deposit_question.value", value[:80], column=condition.column, known=some)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
