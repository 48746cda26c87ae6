"""The answers of a run with their shares, listed or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from privacy.printed import Measured
from surveys.models import ItemsetRow
from surveys.questionnaire.labels import ItemLabel
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.opened_run import OpenedRun
from surveys.report.sentences.forged import shift_of
from surveys.runs.opening_figures import stored_unlisted
from surveys.runs.run_figures import origin_of
from surveys.runs.shown_of_run import shown_itemsets

AnswerShares: TypeAlias = Sequence[tuple[tuple[ItemLabel, ItemsetRow | None], ...]]
"""For each question, its items with their rows in the run."""


def share_of(row: ItemsetRow) -> Measured:
    """Return the share of people who have an itemset that can be estimated, with its plain interval."""
    if row.support_low is None or row.support_high is None:
        raise ValueError("the support has no interval")
    return Measured(
        method="scores",
        shift=shift_of(row, row.run) or 0.0,
        origin=origin_of(row.run),
        value=row.support,
        low=row.support_low,
        high=row.support_high,
        standard_error=row.support_se,
        estimable=True,
        n=row.n,
        effective_n=float(row.n),
        level=0.95,
        possible=(0.0, 1.0),
    )


def answers_of(open_run: OpenedRun) -> Iterator[tuple[tuple[ItemLabel, ItemsetRow | None], ...]]:
    """Yield the items of each question, each with its share, listed or not."""
    run, labels = open_run
    single = {
        unpack_items(row.items): row for row in (*shown_itemsets(run).filter(size=1), *stored_unlisted(run))
    }
    for question in run.version.to_design().questions:
        items = (label for label in labels.items if label.question == question.key)
        yield tuple((label, single.get((label.index,))) for label in items)
