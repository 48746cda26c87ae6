"""The two-by-two table of a rule, reconstructed from the rows of its run."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from privacy.arrays import Flags
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import asked_columns, index_of
from privacy.estimation.events import Event, event_share, pattern_terms
from privacy.printed import Measured
from surveys.models import RuleRow, Run
from surveys.questionnaire.packed_items import unpack_items
from surveys.runs.releasable_rows import rows_of_run
from surveys.runs.run_figures import of_run
from surveys.runs.withheld import withheld_of


@dataclass(frozen=True, kw_only=True)
class TwoByTwo:
    """Shares among people who were asked everything in a rule.

    Attributes
    ----------
    cells : dict of str to Measured
        "both", "before" (the left side only), "after" (the right side only), "neither"; and the margins
        "all_before", "not_before", "all_after", "not_after".
    complete : int or None
        Number of rows behind the table, if the rule's own figures also count rows that were asked only part
        of it.
    """

    cells: dict[str, Measured]
    complete: int | None

    @property
    def total(self) -> float:
        """Sum of the four cells: 1, or the share of people who skipped no block of the rule."""
        return sum(self.cells[name].value for name in ("both", "before", "after", "neither"))


def two_by_two(run: Run, row: RuleRow, *, level: float = 0.95) -> TwoByTwo:
    """Reconstruct the table from the rows behind the run's figures, with intervals at a confidence level.

    Raises
    ------
    SurveyError
        ``snapshot``: the database holds other batches than the run read.
    """
    before, after = unpack_items(row.antecedent), unpack_items(row.consequent)
    rows = rows_of_run(run)
    design, count_cache = rows.design, rows.count_cache
    within = asked_columns(tuple(sorted(before + after)), design)
    # A cell that excludes an item is not an itemset, so only complete rows can be assigned to it.
    all_rows = count_cache.all_rows and bool(index_of(design).is_drawn[[*before, *after]].any())
    events = _events(before, after)
    counts = count_cache.need(
        [
            within,
            *(
                terms
                for event in events.values()
                for terms in pattern_terms(event.items, design, within=within)
            ),
        ]
    )
    forged = withheld_of(run).rows
    cells = {
        name: event_share(counts, event, design, within=within, level=level, forged=forged)
        for name, event in events.items()
    }
    # Use the rule's own support with the interval that other pages show.
    low, high = row.intervals["support"]
    if not all_rows and row.support is not None and low is not None and high is not None:
        cells["both"] = replace(
            cells["both"],
            value=row.support,
            low=low,
            high=high,
            standard_error=row.support_se,
            estimable=True,
            n=row.n,
            effective_n=float(row.n),
        )
    return TwoByTwo(cells=of_run(cells, run), complete=sum(counts[within]) if all_rows else None)


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
