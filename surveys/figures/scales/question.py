"""The question of a page, and the counts of the values its rows sent."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.db.models import QuerySet
from django.utils.translation import get_language

from mining.columns.scale_counts import SentCounts, sent_counts
from mining.open_crosses import disguised_rows
from privacy.estimation import Measured, SupportCounts, skipped_terms
from privacy.estimation.events import skipped_interval
from privacy.survey.design import Design, Question
from surveys.errors.error import SurveyError
from surveys.models import Batch, Run, Version
from surveys.policy import LEAST_PROFILE, LEAST_PROTECTED, LEAST_WITH_AN_ERROR
from surveys.questionnaire.labels import ItemLabel, labels_of
from surveys.questionnaire.languages import text_in
from surveys.rows.disclosure import rounded_count
from surveys.rows.releasable_rows import packed_rows, releasable_design, releasable_rows
from surveys.rows.snapshot import batches_of, once_per_snapshot

__all__ = ["ScaleQuestion", "check_enough", "scale_of", "seed_of", "sent_by", "sent_in", "skips_of"]

Kind = Literal["number", "place"]

MOST_CACHED: Final = 8
"""Counts of so many questions stay in memory: those of a map of a million cells take 16 MB."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScaleQuestion:
    """A number or a place of a run, with what its rows sent.

    Attributes
    ----------
    run : Run
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
    """

    run: Run
    number: int
    question: Question
    wording: dict[str, Any]
    text: str
    items: tuple[ItemLabel, ...]
    sent: SentCounts

    @property
    def n_direct(self) -> int:
        """Rows of the direct group, which sent the true answer or are lightly disguised."""
        return int(self.sent.direct.sum())

    @property
    def n_protected(self) -> int:
        """Rows that sent a disguised one, the strongly disguised where there are two strengths."""
        return int(self.sent.protected.sum())

    @property
    def least_people(self) -> int:
        """Least number of people published in a bin or a cell; 0 in a practice survey."""
        return 0 if self.run.survey.practice else LEAST_PROFILE

    @property
    def seed(self) -> int:
        """What the replicates are drawn from; the same whenever the same rows are read."""
        return seed_of(self.run, self.question.key)


def seed_of(run: Run, key: str) -> int:
    """Return what the replicates of a question's figures are drawn from."""
    return int(hashlib.sha256(f"{run.snapshot_digest} {key}".encode()).hexdigest()[:12], 16)


def skips_of(scale: ScaleQuestion) -> Measured | None:
    """Return the share who skip, unbiased and not clipped; None where the question cannot be skipped."""
    design = scale.run.version.to_design()
    block = design.block_of(scale.number)
    sent = scale.sent
    if sent.skipping is None:
        return None
    rows, answered = skipped_terms(block, design)
    counts = SupportCounts(
        {
            rows: (int(sent.direct.sum()), int(sent.protected.sum())),
            answered: (int(sent.direct[:-1].sum()), int(sent.protected[:-1].sum())),
        }
    )
    return skipped_interval(counts, block, design)


@once_per_snapshot(MOST_CACHED)
def sent_in(run: Run, number: int) -> SentCounts:
    """Return how often each value of a question was sent in the rows of a run."""
    return sent_by(run.version, batches_of(run), number)


def scale_of(run: Run, key: str, kind: str) -> ScaleQuestion:
    """Return the question of this key with the counts of the run's rows.

    Raises
    ------
    SurveyError
        ``question``: the design has none of that key; ``kind``: it is of another kind; ``too_few``: not
        enough disguised answers to it.
        The batches changed.
    """
    design = run.design
    number = _number(design, key, kind)
    sent = sent_in(run, number)
    check_enough(run.version, key, sent)
    if design.blocks[design.block_of(number)].asked_if is not None:
        _check_groups(run, number)
    wordings = [entry for block in run.version.wording["blocks"] for entry in block["questions"]]
    items = (item for item in labels_of(run.version, design).items)
    return ScaleQuestion(
        run=run,
        number=number,
        question=design.questions[number],
        wording=wordings[number],
        text=text_in(wordings[number]["text"], get_language() or "en"),
        items=tuple(item for item in items if design.items[item.index].question == number),
        sent=sent,
    )


def _check_groups(run: Run, number: int) -> None:
    """Refuse a question that open answers lead to, where few of one strength were asked it or were not."""
    rows = releasable_rows(run.version, batches_of(run))
    if not rows.has_large_crosses((), beside=[number]):
        raise SurveyError("few_alike.patterns", number, least=rows.shown.least_cross)


def check_enough(version: Version, key: str, sent: SentCounts) -> None:
    """Refuse a question to which too few disguised answers came.

    Raises
    ------
    SurveyError
        ``too_few``
    """
    practice = version.survey.practice
    least = LEAST_WITH_AN_ERROR if practice else LEAST_PROTECTED
    n_direct, n_protected = int(sent.direct.sum()), int(sent.protected.sum())
    disguised = disguised_rows(releasable_design(version), n_direct, n_protected)
    if disguised < least:
        case = "too_few.one" if practice and disguised else "too_few.question"
        raise SurveyError(case, rounded_count(disguised), question=key, least=least)


def _number(design: Design, key: str, kind: str) -> int:
    position = {question.key: number for number, question in enumerate(design.questions)}.get(key)
    if position is None:
        raise SurveyError("question", key, question=key)
    if design.questions[position].kind != kind:
        raise SurveyError("kind.number" if kind == "number" else "kind.place", key, question=key)
    return position


def sent_by(version: Version, batches: QuerySet[Batch], number: int) -> SentCounts:
    """Count how often each value of a question was sent."""
    return sent_counts(releasable_design(version), number, packed_rows(version, batches))
