"""A rule over parts of numbers and places to take away: CSV for a spreadsheet, JSON with the run's method."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from privacy.estimation.measures import Measured, RuleMeasures
from surveys.figures.scales.wording import known_error
from surveys.figures.tables import (
    ENDS,
    MEASURED_COLUMNS,
    MEASURES,
    RUN_COLUMNS,
    for_json,
    run_columns,
    run_record,
)
from surveys.formats.csv_cells import records_as_csv
from surveys.formats.figures import unit_of
from surveys.models import Run
from surveys.questionnaire.labels import JOIN
from surveys.report.scales.own_rule_form import Named

__all__ = ["JoinedFile", "joined_csv", "joined_json"]

NOT_OF_THE_RUN: Final = {
    "estimator": "stratified",
    "intervals_about": "population",
    "correction": None,
    "family": None,
    "selected_level": None,
}
"""A rule of one's own is told as this says, whatever its run's rules are."""

METHOD: Final = (
    "Every disguise draws by itself, so the scores of what was sent are multiplied, and so are their "
    "variances. Shares are of those asked everything in the rule, about the population, and not clipped. "
    "Intervals invert a test, each for itself, and hold for a rule that was named before its figures were "
    "seen. A part of a number is written as its first and last value, a rectangle as its west, south, east "
    "and north in degrees."
)


OF_ALL_ROWS: Final = " Rows that were asked a part of the rule, as their device drew, count for it, too."
"""Said where they do; n is of those that were asked all of it."""


@dataclass(frozen=True, kw_only=True)
class JoinedFile:
    """What a file of one rule holds.

    Attributes
    ----------
    run : Run
    left, right : Named
    measures : RuleMeasures
    address : str
        Where the page of this rule is.
    """

    run: Run
    left: Named
    right: Named
    measures: RuleMeasures
    address: str


def joined_csv(rule: JoinedFile) -> Iterator[str]:
    """Yield the lines of the rule's CSV file, the header first."""
    return records_as_csv(
        MEASURED_COLUMNS + RUN_COLUMNS, [_record(rule) | run_columns(rule.run) | NOT_OF_THE_RUN]
    )


def joined_json(rule: JoinedFile) -> dict[str, Any]:
    """Return the rule as a JSON object: what the run is, and its measures.

    A measure that is not estimable has null for its ends, an end without bound is the text "Infinity".
    """
    record = {name: for_json(value) for name, value in _record(rule).items()}
    record |= {"antecedent": list(rule.left.keys), "consequent": list(rule.right.keys)}
    about = {
        "method": METHOD + OF_ALL_ROWS * rule.measures.all_rows,
        "intervals_about": "population",
        "tests": None,
        "address": rule.address,
        "units": {name: unit_of(name) for name in MEASURED_COLUMNS},
    }
    return run_record(rule.run) | about | {"rule": record}


def _record(rule: JoinedFile) -> dict[str, Any]:
    measures = rule.measures
    return {
        "antecedent": JOIN.join(rule.left.keys),
        "consequent": JOIN.join(rule.right.keys),
        "antecedent_label": rule.left.name,
        "consequent_label": rule.right.name,
        "n": measures.n,
        "few_rows": measures.few_rows,
        "shown_because_estimable": measures.lift.estimable
        and known_error(measures.lift.standard_error) is None,
        **{
            measure + end: value
            for measure in MEASURES
            for end, value in zip(ENDS, _ends(getattr(measures, measure)), strict=True)
        },
    }


def _ends(measured: Measured) -> tuple[float | None, ...]:
    """Value, both ends and standard error, as `ENDS` orders them."""
    ends = (measured.low, measured.high) if measured.estimable else (None, None)
    return tuple(
        None if end is None or math.isnan(end) else float(end)
        for end in (measured.value, *ends, known_error(measured.standard_error))
    )
