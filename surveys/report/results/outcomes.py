"""Outcomes that can be compared, and their figures in a group as texts and as records for files."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.printed import Measured
from surveys.formats.figures import DIFFERENCES, SHARES, bounds_text, file_columns, known_error
from surveys.report.results.choice import Choice

COLUMNS: Final = (
    "by", "by_label", "group", "people", "group_share", "group_share_low", "group_share_high",
    "group_share_standard_error", "group_share_basis", "group_share_unclipped",
    "drawn_share", "role", "outcome", "outcome_label",
    "share", "mean", "low", "high", "standard_error", "basis", "unclipped",
    "difference", "difference_low", "difference_high", "difference_standard_error",
    "difference_basis", "difference_unclipped",
    "lift", "lift_low", "lift_high", "lift_standard_error", "lift_basis", "lift_unclipped",
    "detectable_difference",
    "p_value", "p_holm", "n", "n_used", "few_rows", "weighted", "design_effect", "expected",
    "joint_statistic", "joint_degrees", "joint_rest_degrees", "joint_p_value", "drawn_share_p_value",
    "share_shift", "difference_shift", "flips", "tipping_denial",
    "compared_survey", "compared_run", "opposed_low", "opposed_high", "opposed_standard_error",
    "invited", "response_rate", "response_difference", "response_low", "response_high", "response_p_value",
)  # fmt: skip
"""Columns of the files: a row for each outcome in each group."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A share or mean in one group, and its difference from the reference group."""

    choice: Choice
    group: str
    value: Measured
    difference: Measured | None = None

    @property
    def text(self) -> str:
        """The share or mean with its interval; only the interval if there are too few answers."""
        return interval_text(self.value, SHARES, self.choice.text)

    @property
    def difference_text(self) -> str:
        """The difference with its interval; a dash for the reference group."""
        return "–" if self.difference is None else gap_interval(self.choice, self.difference)

    def record(self) -> dict[str, Any]:
        """Return its figures by the names in `COLUMNS`, in the unit of the answers."""
        choice, value = self.choice, _finite_figures(self.value, SHARES)
        figures: dict[str, Any] = {
            "outcome": choice.key,
            "outcome_label": choice.name,
            "mean" if choice.is_mean else "share": _apply(choice.value, value["value"]),
            "low": _apply(choice.value, value["low"]),
            "high": _apply(choice.value, value["high"]),
            "standard_error": _apply(choice.gap, value["standard_error"]),
            "basis": value["value_basis"],
            "unclipped": _apply(choice.value, value["value_unclipped"]),
        }
        if self.difference is not None:
            figures |= named_figures("difference", self.difference, choice)
        return figures


def gap_interval(choice: Choice, difference: Measured) -> str:
    """Format a difference in a share or a mean with its interval, in points or the unit of the answers."""
    return interval_text(difference, DIFFERENCES, choice.gap_text, partial(choice.gap_text, unit=False))


def _finite_figures(estimate: Measured, possible: tuple[float, float]) -> dict[str, Any]:
    """Return value, basis, unclipped value, ends and error; infinite figures are None."""
    ends = (estimate.low, estimate.high) if estimate.estimable else (None, None)
    figures = file_columns("value", float(estimate.value), ends, possible) | {
        "low": estimate.low,
        "high": estimate.high,
        "standard_error": known_error(estimate.standard_error) if estimate.estimable else None,
    }
    return {
        name: float(figure) if isinstance(figure, int | float) and math.isfinite(figure) else None
        for name, figure in figures.items()
    } | {"value_basis": figures["value_basis"]}


def named_figures(name: str, estimate: Measured, choice: Choice | None = None) -> dict[str, Any]:
    """Return a difference, or without a choice a lift or a share, by the names in `COLUMNS`."""
    figures = _finite_figures(estimate, estimate.possible if choice is None else DIFFERENCES)
    columns = {"value": name, "value_basis": f"{name}_basis", "value_unclipped": f"{name}_unclipped"}
    columns |= {end: f"{name}_{end}" for end in ("low", "high", "standard_error")}
    return {
        column: figures[end] if choice is None or end == "value_basis" else _apply(choice.gap, figures[end])
        for end, column in columns.items()
    }


def _apply(change: Any, figure: float | None) -> float | None:
    return None if figure is None else change(figure)


@dataclass(frozen=True, kw_only=True)
class OutcomeRow:
    """One outcome in all groups.

    Attributes
    ----------
    name, p : str
    expected : str
        The expectation that was recorded in advance, if any.
    cells : tuple of Cell
    """

    name: str
    p: str
    expected: str = ""
    cells: tuple[Cell, ...]


def interval_text(
    estimate: Measured,
    possible: tuple[float, float],
    write: Callable[[float], str],
    write_end: Callable[[float], str] | None = None,
) -> str:
    """Format an estimate with its interval, or only its bounds.

    Parameters
    ----------
    estimate : Measured
    possible : (float, float)
        Bounds of the true value.
    write, write_end : callable
        Format the estimate, and the ends of its interval.
    """
    ends, write_end = (estimate.low, estimate.high), write_end or write
    if not estimate.estimable:
        texts = {"low": write_end(estimate.low), "high": write_end(estimate.high)}
        return _("too few to say: %(low)s to %(high)s") % texts
    if bounds := bounds_text(estimate.value, ends, possible, write):
        return _("too few to say: %(bounds)s") % {"bounds": bounds}
    texts = {"value": write(estimate.value), "low": write_end(estimate.low), "high": write_end(estimate.high)}
    return _("%(value)s (%(low)s to %(high)s)") % texts
