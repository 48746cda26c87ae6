"""Measures of the rule table: column in the database and name of each, to show, sort and filter by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from django.utils.translation import gettext_lazy as _

from surveys.formats.table_links import Text

End: TypeAlias = Literal["from", "to"]
"""The smallest and the largest estimate that a filter lets through."""

ENDS: Final[tuple[End, ...]] = ("from", "to")


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One measure of a rule.

    Attributes
    ----------
    name : str
        In addresses and files.
    column : str
        Where it is, seen from a rule.
    kind : {"share", "difference", "ratio", "other", "count"}
        How it is printed.
    """

    name: str
    label: Text
    hint: Text
    column: str
    kind: str = "other"


def _measure(name: str, label: Text, hint: Text, kind: str) -> Measure:
    return Measure(name=name, label=label, hint=hint, column=name, kind=kind)


MAIN: Final = (
    _measure("support", _("support"), _("share of all with both sides"), "share"),
    _measure(
        "confidence",
        _("confidence"),
        _("share of those with the left side who have the right side"),
        "share",
    ),
    _measure(
        "lift",
        _("lift"),
        _("confidence over the share of everybody who has the right side"),
        "ratio",
    ),
    _measure("leverage", _("leverage"), _("support minus what independence would give"), "difference"),
    _measure(
        "conviction",
        _("conviction"),
        _("how much rarer the rule fails than under independence"),
        "ratio",
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
