"""The measures of a rule: names, labels and hints for tables, filters and files, and their true values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from django.utils.translation import gettext_lazy as _

from mining import interest
from mining.interest import INTEREST, WITH_INTERVALS
from surveys.formats.sort_links import Text
from surveys.models import RuleRow

End: TypeAlias = Literal["from", "to"]
"""Which limit of a filter: the smallest or the largest estimate that it lets through."""

ENDS: Final[tuple[End, ...]] = ("from", "to")


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One measure of a rule.

    Attributes
    ----------
    name : str
        Its name in addresses and files.
    column : str
        Its database field as a lookup from `RuleRow`; empty if the table cannot be sorted by it.
    """

    name: str
    label: Text
    hint: Text
    column: str = ""


_WORDS: Final[Mapping[str, tuple[Text, Text]]] = {
    "support": (_("support"), _("share of all with both sides")),
    "confidence": (
        _("confidence"), _("share of people with the left side who also have the right side"),
    ),
    "lift": (_("lift"), _("confidence divided by the share of all people who have the right side")),
    "leverage": (_("leverage"), _("support minus the support expected under independence")),
    "conviction": (
        _("conviction"), _("how much more rarely the rule fails than it would under independence"),
    ),
}  # fmt: skip
"""Labels and hints of measures with intervals; others have their name and their formula."""

MAIN: Final = tuple(
    Measure(name=name, label=label, hint=hint, column=name)
    for name, measure in WITH_INTERVALS.items()
    for label, hint in (_WORDS.get(name, (name, measure.words)),)
)

TESTED: Final = (
    Measure(
        name="error",
        label=_("error W"),
        hint=_("distance of the support from the true value, or the expected distance"),
        column="error",
    ),
    Measure(
        name="p_adjusted",
        label=_("p, adjusted"),
        hint=_("for “lift is above 1”, corrected for all tests of the run"),
        column="inference__p_adjusted",
    ),
    Measure(
        name="flips",
        label=_("flips"),
        hint=_("number of false rows with all items that would overturn the test"),
        column="inference__flips",
    ),
)

SHOWN: Final = {measure.name: measure for measure in (*MAIN, *TESTED)}
"""Measures that filters can limit."""


def further_measures() -> dict[str, Measure]:
    """Return the other measures of the registry, which the table shows one at a time.

    >>> further_measures()["odds_ratio"].label
    'odds ratio'
    """
    return {
        name: Measure(name=name, label=name.replace("_", " "), hint=measure.words)
        for name, measure in INTEREST.items()
    }


def true_measures(row: RuleRow) -> dict[str, float]:
    """Return the true measures of a rule if the truth is known, without those that divide by zero."""
    both, before, after = row.truth, row.truth_antecedent, row.truth_consequent
    if both is None or before is None or after is None:
        return {}
    return interest.true_measures(both, before, after)
