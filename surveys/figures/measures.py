"""Measures of the rule table: column in the database and name of each, to show, sort and filter by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from django.db.models import F
from django.db.models.expressions import CombinedExpression
from django.utils.translation import gettext_lazy as _

from surveys.formats.table_links import Text

End: TypeAlias = Literal["from", "to", "above", "below"]
"""The estimate from, to; the whole interval above, below, as the test says that the interval inverts."""

ENDS: Final[tuple[End, ...]] = ("from", "to", "above", "below")


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One measure of a rule.

    Attributes
    ----------
    name : str
        In addresses and files.
    column : str
        Where it is, seen from a rule.
    interval : bool
        Whether ``<column>_low`` and ``<column>_high`` are there too.
    kind : {"share", "difference", "ratio", "other", "count"}
        How it is printed.
    denominator : expression or None
        Has the sign of what a ratio's estimate is divided by; None where nothing is.
    """

    name: str
    label: Text
    hint: Text
    column: str
    interval: bool = False
    kind: str = "other"
    denominator: CombinedExpression | None = None

    @property
    def ends(self) -> tuple[End, ...]:
        """The limits it can be filtered by."""
        return ENDS if self.interval else ENDS[:2]


def _measure(
    name: str, label: Text, hint: Text, kind: str, denominator: CombinedExpression | None = None
) -> Measure:
    return Measure(
        name=name, label=label, hint=hint, column=name, interval=True, kind=kind, denominator=denominator
    )


# What is stored tells it without a division: P(A) = support / confidence, P(A) P(B) = support - leverage.
_BEFORE: Final = F("support") * F("confidence")
_PRODUCT: Final = F("support") - F("leverage")

MAIN: Final = (
    _measure("support", _("support"), _("share of all with both sides"), "share"),
    _measure(
        "confidence",
        _("confidence"),
        _("share of those with the left side who have the right side"),
        "share",
        _BEFORE,
    ),
    _measure(
        "lift",
        _("lift"),
        _("confidence over the share of everybody who has the right side"),
        "ratio",
        _PRODUCT,
    ),
    _measure("leverage", _("leverage"), _("support minus what independence would give"), "difference"),
    _measure(
        "conviction",
        _("conviction"),
        _("how much rarer the rule fails than under independence"),
        "ratio",
        _BEFORE * (1 - F("confidence")),
    ),
)
TESTED: Final = (
    Measure(
        name="error",
        label=_("error W"),
        hint=_("distance of the support from the truth, or the one to be expected"),
        column="error",
    ),
    Measure(
        name="p_adjusted",
        label=_("p, adjusted"),
        hint=_("of “lift is above 1”, corrected within the run's family of tests"),
        column="inference__p_adjusted",
    ),
    Measure(
        name="flips",
        label=_("flips"),
        hint=_("so many false rows that show all items would turn the test"),
        column="inference__flips",
        kind="count",
    ),
)
SHOWN: Final = {measure.name: measure for measure in (*MAIN, *TESTED)}
"""Eight columns; `mining.interest` has twenty more in the files."""
