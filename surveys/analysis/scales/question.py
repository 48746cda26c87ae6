"""Which question a page is about, and the counts of what its rows sent."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Literal

from django.db.models import QuerySet
from django.utils.translation import get_language

from mining.columns.scale_counts import SentCounts, sent_counts
from mining.open_crosses import disguised_rows
from privacy.policy import LEAST_PROFILE, LEAST_PROTECTED, LEAST_WITH_AN_ERROR
from privacy.survey.design import Design, Question
from surveys.analysis.run_summary import RunPage, shown_of
from surveys.disclosure.disclosure import Disclosure, disclosure, rounded_count
from surveys.disclosure.redisguise import disguised_here
from surveys.errors.error import SurveyError
from surveys.models import Batch, Run, Survey
from surveys.questionnaire.labels import ItemLabel, labels_of
from surveys.questionnaire.languages import text_in
from surveys.snapshots.columns import rows_of
from surveys.snapshots.snapshot import batches_of

__all__ = ["Asked", "asked_of", "seed_of", "sent_by", "sent_in", "shown_of_sent"]

Kind = Literal["number", "place"]

KEPT: Final = 8
"""Counts of so many questions stay in memory: those of a map of a million cells take 16 MB."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Asked:
    """A number or a place that a run's rows were asked for, with what they sent.

    Attributes
    ----------
    run : Run
    page : RunPage
    number : int
        Of the question in its design.
    question : Question
    wording : dict
        What its researcher wrote.
    text : str
        The question in the language of the page.
    items : tuple of ItemLabel
        Bands or regions that it declares.
    sent : SentCounts
    shown : Disclosure
        What may be shown of the rows that were asked.
    """

    run: Run
    page: RunPage
    number: int
    question: Question
    wording: dict[str, Any]
    text: str
    items: tuple[ItemLabel, ...]
    sent: SentCounts
    shown: Disclosure

    @property
    def n_direct(self) -> int:
        """Rows of the direct group, which sent the true answer or are lightly disguised."""
        return int(self.sent.direct.sum())

    @property
    def n_undisguised(self) -> int:
        """Rows that sent the true answer."""
        return self.n_direct if self.page.sends_undisguised else 0

    @property
    def n_protected(self) -> int:
        """Rows that sent a disguised one, the strongly disguised where there are two strengths."""
        return int(self.sent.protected.sum())

    @property
    def least_people(self) -> int:
        """Fewer people than that are not told of in a bin or a cell; 0 in practice."""
        return 0 if self.run.survey.practice else LEAST_PROFILE

    def releasable(self, value: float) -> float:
        """Return a figure with few digits where all of them would tell counts that are rounded or hidden."""
        told = self.shown.figure(float(value))
        return told if isinstance(told, float) else value

    @property
    def seed(self) -> int:
        """What the replicates are drawn from; the same whenever the same rows are read."""
        return seed_of(self.run, self.question.key)


def seed_of(run: Run, key: str) -> int:
    """Return what the replicates of a question's figures are drawn from."""
    return int(hashlib.sha256(f"{run.snapshot_digest} {key}".encode()).hexdigest()[:12], 16)


def sent_in(run: Run, number: int) -> SentCounts:
    """Return how often each value of a question was sent in the rows of a run."""
    return _counted(run.pk, run.design_id, run.snapshot_digest, number)


def asked_of(run: Run, page: RunPage, key: str, kind: Kind) -> Asked:
    """Return the question of this key with the counts of the run's rows.

    Raises
    ------
    SurveyError
        ``question``: the design has none of that key; ``kind``: it is of another kind; ``too_few``: not
        enough disguised answers to it.
        The batches changed.
    """
    design = run.version.to_design()
    number = _number(design, key, kind)
    sent = sent_in(run, number)
    shown = shown_of_sent(run.survey, design, key, sent, groups=page.shown.groups)
    wordings = [entry for block in run.version.wording["blocks"] for entry in block["questions"]]
    items = (item for item in labels_of(run.version, design).items)
    return Asked(
        run=run,
        page=page,
        number=number,
        question=design.questions[number],
        wording=wordings[number],
        text=text_in(wordings[number]["text"], get_language() or "en"),
        items=tuple(item for item in items if design.items[item.index].question == number),
        sent=sent,
        shown=shown,
    )


def shown_of_sent(survey: Survey, design: Design, key: str, sent: SentCounts, *, groups: bool) -> Disclosure:
    """Return what may be shown of the rows that were asked a question; `groups`: of all rows, their groups.

    Raises
    ------
    SurveyError
        ``too_few``: not enough disguised answers to it.
    """
    n_direct, n_protected = int(sent.direct.sum()), int(sent.protected.sum())
    shown = disclosure(
        sends_undisguised=design.sends_undisguised,
        n_direct=n_direct,
        n_protected=n_protected,
        practice=survey.practice,
        settled=survey.settled,
    )
    least = LEAST_WITH_AN_ERROR if survey.practice else LEAST_PROTECTED
    disguised = disguised_rows(design, n_direct, n_protected)
    if disguised < least:
        case = "too_few.one" if survey.practice and disguised else "too_few.question"
        raise SurveyError(case, rounded_count(disguised), question=key, least=least)
    # Where all rows hide their groups, a part of them does not tell them apart either.
    return replace(shown, groups=shown.groups and groups)


def _number(design: Design, key: str, kind: Kind) -> int:
    found = {question.key: number for number, question in enumerate(design.questions)}.get(key)
    if found is None:
        raise SurveyError("question", key, question=key)
    if design.questions[found].kind != kind:
        raise SurveyError("kind.number" if kind == "number" else "kind.place", key, question=key)
    return found


@lru_cache(maxsize=KEPT)
def _counted(run_id: int, design_id: str, digest: str, number: int) -> SentCounts:
    """Count once: the digests name the rows and how they are read, and no row of them ever changes."""
    run = Run.objects.select_related("survey", "version").get(
        pk=run_id, design_id=design_id, snapshot_digest=digest
    )
    return sent_by(run.version.to_design(), batches_of(run), number, groups=shown_of(run).groups)


def sent_by(design: Design, batches: QuerySet[Batch], number: int, *, groups: bool) -> SentCounts:
    """Count how often each value of a question was sent; without `groups` none is of a direct row."""
    sent = sent_counts(design, number, rows_of(batches.iterator(chunk_size=100)))
    if groups:
        return sent
    # Too few direct rows to be told apart; see `surveys.disclosure.redisguise`.
    few = sent_counts(design, number, disguised_here(design, batches))
    return replace(few, protected=sent.protected + few.protected)
