"""A number or place question of a run, with the values that rows sent and the share of skips."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import get_language

from mining.columns.sent_counts import SentCounts, sent_counts
from mining.itemsets import disguised_rows
from privacy.arrays import Whole
from privacy.estimation.counts import SupportCounts
from privacy.estimation.skipped_share import skipped_interval, skipped_terms
from privacy.printed import Measured
from privacy.scales.open_bars import spread_evenly
from privacy.survey.design import Design, Question
from surveys.errors.error import SurveyError
from surveys.formats.shown_counts import rounded_count
from surveys.models import Batch, Run, Version
from surveys.policy import LEAST_PROFILE, LEAST_PROTECTED, LEAST_WITH_AN_ERROR
from surveys.questionnaire.labels import ItemLabel, labels_of
from surveys.questionnaire.languages import text_in
from surveys.runs.map_tiles import check_map
from surveys.runs.open_bars import bars_for
from surveys.runs.releasable_rows import packed_rows, permitted_rows, releasable_design, rows_of_run
from surveys.runs.run_figures import of_run
from surveys.runs.snapshot import batches_of
from surveys.runs.snapshot_cache import once_per_snapshot
from surveys.runs.withheld import withheld_of

MOST_CACHED: Final = 8
"""Number of questions whose counts stay in memory; the counts of a map of a million cells take 16 MB."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScaleQuestion:
    """A number or place question of a run, with the counts of its reports.

    Attributes
    ----------
    run : Run
    number : int
        The question's number in the design.
    question : Question
    wording : dict
        The question as the researcher wrote it.
    text : str
        The question in the language of the page.
    items : tuple of ItemLabel
        The bands or regions that it declares.
    reports : SentCounts
    """

    run: Run
    number: int
    question: Question
    wording: dict[str, Any]
    text: str
    items: tuple[ItemLabel, ...]
    reports: SentCounts
    spans: tuple[tuple[int, int], ...] | None = None

    @property
    def n_direct(self) -> int:
        """Number of direct rows, with true or lightly disguised answers."""
        return int(self.reports.direct.sum())

    @property
    def n_protected(self) -> int:
        """Number of disguised rows; with two strengths, of strongly disguised ones."""
        return int(self.reports.protected.sum())

    @property
    def least_people(self) -> int:
        """Least number of people published in a bin or a cell; 0 in a practice survey."""
        return 0 if self.run.survey.practice else LEAST_PROFILE

    @property
    def seed(self) -> int:
        """Seed of the replicates; the same for the same rows."""
        return seed_of(self.run, self.question.key)


def seed_of(run: Run, key: str) -> int:
    """Return the seed of the replicates of a question's figures."""
    return int(hashlib.sha256(f"{run.snapshot_digest} {key}".encode()).hexdigest()[:12], 16)


def skips_of(scale: ScaleQuestion) -> Measured | None:
    """Return the unbiased share of people who skip, not clipped; None if the question cannot be skipped."""
    design = scale.run.version.to_design()
    block = design.block_of(scale.number)
    sent = scale.reports
    if sent.skipping is None:
        return None
    rows, answers = skipped_terms(block, design)
    counts = SupportCounts(
        {
            rows: (int(sent.direct.sum()), int(sent.protected.sum())),
            answers: (int(sent.direct[:-1].sum()), int(sent.protected[:-1].sum())),
        }
    )
    forged = withheld_of(scale.run).rows
    return of_run(skipped_interval(counts, block, design, forged=forged), scale.run)


@once_per_snapshot(MOST_CACHED)
def sent_in(run: Run, number: int) -> SentCounts:
    """Return how often each value of a question was sent in the rows of a run."""
    rows = permitted_rows(run, [[number]])
    return sent_counts(releasable_design(run.version), number, rows)


def scale_of(run: Run, key: str, kind: str) -> ScaleQuestion:
    """Return the question of this key with the counts of the run's rows.

    Raises
    ------
    SurveyError
        ``question``: no question has this key; ``kind``: it is of another kind; ``too_few``: too few people
        answered it; ``snapshot``: the batches changed; ``waits``: its open answers are not shown yet.
    PrivacyError
        ``forged``: forged rows contradict the question.
    """
    design = run.design
    number = _number(design, key, kind)
    withheld_of(run).check([number])
    check_map(run, number)
    starts = bars_for(run, number)
    counts = sent_in(run, number)
    check_enough(run.version, key, counts)
    spans = None
    if starts is not None:
        people = spread_evenly(counts.direct + counts.protected, starts)
        counts = replace(counts, direct=np.zeros_like(counts.direct), protected=people)
        spans = tuple((first, after - 1) for first, after in pairwise((*starts, len(people))))
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
        reports=counts,
        spans=spans,
    )


def people_by_bin(run: Run, number: int) -> Whole:
    """Return how many people gave each value of a number that is stored as answered."""
    counts = sent_by(run.version, batches_of(run), number)
    return counts.direct + counts.protected


def _check_groups(run: Run, number: int) -> None:
    """Refuse a question that depends on open answers if few people of a group were asked it, or were not."""
    rows = rows_of_run(run)
    if not rows.has_large_crosses((), beside=[number]):
        raise rows.small_cross("few_alike.patterns")


def check_enough(version: Version, key: str, reports: SentCounts) -> None:
    """Refuse a question with too few disguised answers.

    Raises
    ------
    SurveyError
        ``too_few``
    """
    practice = version.survey.practice
    least = LEAST_WITH_AN_ERROR if practice else LEAST_PROTECTED
    n_direct, n_protected = int(reports.direct.sum()), int(reports.protected.sum())
    n_disguised = disguised_rows(releasable_design(version), n_direct, n_protected)
    if n_disguised < least:
        case = "too_few.one" if practice and n_disguised else "too_few.question"
        design = version.to_design()
        if not design.blocks[design.block_of(_place_of(design, key))].protected:
            case = "too_few.open"
        raise SurveyError(case, rounded_count(n_disguised), question=key, least=least)


def _place_of(design: Design, key: str) -> int:
    position = {question.key: number for number, question in enumerate(design.questions)}.get(key)
    if position is None:
        raise SurveyError("question.unknown", key, question=key)
    return position


def _number(design: Design, key: str, kind: str) -> int:
    position = _place_of(design, key)
    if design.questions[position].kind != kind:
        raise SurveyError(f"kind.{kind}", key, question=key)
    return position


def sent_by(version: Version, batches: QuerySet[Batch], number: int) -> SentCounts:
    """Count how often each value of a question was sent, for an audit; figures use `sent_in`."""
    return sent_counts(releasable_design(version), number, packed_rows(version, batches))
