"""Outcomes that can be compared, and their figures in a group as texts and as records for files."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.estimation.estimates import Measured
from surveys.report.results.choice import Choice, ends_of
from surveys.report.sentences.number_texts import known_error

COLUMNS: Final = (
    "by", "by_label", "group", "people", "group_share", "drawn_share", "role", "outcome", "outcome_label",
    "share", "mean", "low", "high", "standard_error",
    "difference", "difference_low", "difference_high", "difference_standard_error",
    "lift", "lift_low", "lift_high", "lift_standard_error", "detectable_difference",
    "p_value", "p_holm", "n", "n_used", "few_rows", "weighted", "design_effect", "expected",
    "joint_statistic", "joint_degrees", "joint_rest_degrees", "joint_p_value", "drawn_share_p_value",
    "share_shift", "difference_shift", "flips",
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
        return _interval(
            self.value, {end: self.choice.text(end_value) for end, end_value in ends_of(self.value).items()}
        )

    @property
    def difference_text(self) -> str:
        """The difference with its interval; a dash for the reference group."""
        return (
            "–"
            if self.difference is None
            else _interval(self.difference, self.choice.gap_texts(self.difference))
        )

    def record(self) -> dict[str, Any]:
        """Return its figures by the names in `COLUMNS`, in the unit of the answers."""
        choice, value = self.choice, _finite_figures(self.value)
        figures: dict[str, Any] = {
            "outcome": choice.key,
            "outcome_label": choice.name,
            "mean" if choice.is_mean else "share": _apply(choice.value, value["value"]),
            "low": _apply(choice.value, value["low"]),
            "high": _apply(choice.value, value["high"]),
            "standard_error": _apply(choice.gap, value["standard_error"]),
        }
        if self.difference is not None:
            figures |= named_figures("difference", self.difference, choice)
        return figures


def _finite_figures(estimate: Measured) -> dict[str, float | None]:
    """Return value, ends and error; only the ends if there are too few answers. Infinite figures are None."""
    figures = {
        "value": estimate.value if estimate.estimable else None,
        "low": estimate.low,
        "high": estimate.high,
        "standard_error": known_error(estimate.standard_error) if estimate.estimable else None,
    }
    return {
        name: float(figure) if figure is not None and math.isfinite(figure) else None
        for name, figure in figures.items()
    }


def named_figures(name: str, estimate: Measured, choice: Choice | None = None) -> dict[str, float | None]:
    """Return a difference or a lift by the names in `COLUMNS`."""
    figures = _finite_figures(estimate)
    columns = {"value": name, **{end: f"{name}_{end}" for end in ("low", "high", "standard_error")}}
    return {
        column: figures[end] if choice is None else _apply(choice.gap, figures[end])
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


def _interval(estimate: Measured, texts: Mapping[str, str]) -> str:
    if not estimate.estimable:
        return _("too few to say: %(low)s to %(high)s") % texts
    return _("%(value)s (%(low)s to %(high)s)") % texts
