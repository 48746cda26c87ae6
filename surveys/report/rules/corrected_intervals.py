"""Intervals of a picked rule's leverage and conviction, which a run does not store."""

from __future__ import annotations

from privacy.estimation.intervals import measure_rules
from privacy.estimation.required_counts import required_counts
from surveys.models import RuleRow, Run
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.rules.rows_or_counts import Interval
from surveys.runs.releasable_rows import rows_of_run


def corrected_intervals(run: Run, row: RuleRow, *, level: float) -> dict[str, Interval]:
    """Return the intervals of leverage and conviction at the level of picked rules, from the run's rows.

    Parameters
    ----------
    run : Run
    row : RuleRow
    level : float, in (0, 1)
        As the intervals of confidence and lift that the run stored (`surveys.runs.rule_levels.levels_of`).

    Raises
    ------
    SurveyError
        ``snapshot``: the database holds other batches than the run read.
    """
    rows = rows_of_run(run)
    sides = unpack_items(row.antecedent), unpack_items(row.consequent)
    counts = rows.count_cache.need(required_counts([sides], rows.design))
    found = measure_rules(counts, [sides], rows.design, level=level)[0]
    return {
        name: (own.low, own.high) if own.estimable else (None, None)
        for name, own in (("leverage", found.leverage), ("conviction", found.conviction))
    }
