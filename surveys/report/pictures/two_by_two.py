"""The reconstructed 2x2 table of a rule, each cell with its interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from privacy.arrays import Flags
from privacy.estimation import Columns, SupportCounts, asked_columns, pattern_terms
from privacy.estimation.design_index import index_of
from privacy.estimation.events import Event, event_share
from privacy.estimation.measures import Measured
from privacy.survey.design import Design
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import unpack_items
from surveys.rows.releasable_rows import rows_behind


@dataclass(frozen=True, kw_only=True)
class TwoByTwo:
    """Shares of those asked everything in a rule.

    Attributes
    ----------
    cells : dict of str to Measured
        "both", "before" (the left side only), "after" (the right side only), "neither"; and the margins
        "all_before", "not_before", "all_after", "not_after".
    by_likelihood : bool
        Whether intervals invert the empirical-likelihood test; else one with the variance at the hypothesis.
    complete : int or None
        The rows of the table, where the rule's own figures count also those that were asked some of it.
    """

    cells: dict[str, Measured]
    by_likelihood: bool
    complete: int | None

    @property
    def total(self) -> float:
        """Sum of the four cells: 1, or the share of those who skipped no part of it."""
        return sum(self.cells[name].value for name in ("both", "before", "after", "neither"))


def two_by_two(run: Run, row: RuleRow) -> TwoByTwo:
    """Reconstruct the table from the rows behind the run's figures, with its estimator and its target.

    Raises
    ------
    SurveyError
        The database holds other batches than the run read.
    """
    before, after = unpack_items(row.antecedent), unpack_items(row.consequent)
    rows = rows_behind(run)
    design, count_cache = rows.design, rows.count_cache
    within = asked_columns(tuple(sorted(before + after)), design)
    # A cell without an item is no itemset: only of complete rows is it known who is in it.
    all_rows = count_cache.all_rows and bool(index_of(design).is_drawn[[*before, *after]].any())
    wanted = _events(before, after)
    counts = count_cache.need(
        [
            within,
            *(
                terms
                for event in wanted.values()
                for terms in pattern_terms(event.items, design, within=within)
            ),
        ]
    )
    cells = {name: _cell(counts, event, design, run, within) for name, event in wanted.items()}
    # What the run says of the rule's own support stands in the table too: by the same test, about its target.
    low, high = row.support_low, row.support_high
    if not all_rows and row.support is not None and low is not None and high is not None:
        cells["both"] = Measured(
            value=row.support, low=low, high=high, standard_error=row.support_se, estimable=True
        )
    return TwoByTwo(
        cells=cells,
        by_likelihood=_by_likelihood(run),
        complete=sum(counts[within]) if all_rows else None,
    )


def _by_likelihood(run: Run) -> bool:
    """Whether intervals invert the empirical-likelihood test, as the run's own do."""
    return (run.parameters["estimator"], run.parameters["target"]) == ("stratified", "population")


def _cell(counts: SupportCounts, event: Event, design: Design, run: Run, within: Columns) -> Measured:
    """Estimate the share of a cell with the run's estimator, about its target."""
    return event_share(
        counts,
        event,
        design,
        estimator=run.parameters["estimator"],
        target=run.parameters["target"],
        within=within,
    )


def _events(before: Columns, after: Columns) -> dict[str, Event]:
    items = tuple(sorted(before + after))
    has = dict(zip(items, np.indices((2,) * len(items)).astype(bool), strict=True))
    first, other = (np.logical_and.reduce([has[item] for item in side]) for side in (before, after))
    return {
        "both": Event(items=items, holds=first & other),
        "before": Event(items=items, holds=first & ~other),
        "after": Event(items=items, holds=~first & other),
        "neither": Event(items=items, holds=~first & ~other),
        "all_before": Event(items=before, holds=_all_of(before)),
        "not_before": Event(items=before, holds=~_all_of(before)),
        "all_after": Event(items=after, holds=_all_of(after)),
        "not_after": Event(items=after, holds=~_all_of(after)),
    }


def _all_of(items: Columns) -> Flags:
    holds = np.zeros((2,) * len(items), dtype=np.bool_)
    holds[(1,) * len(items)] = True
    return holds
