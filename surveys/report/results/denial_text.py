"""What denials could do to a difference, in words and as a small table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from privacy.estimation.comparison import Comparison
from privacy.estimation.denial import ratio_bounds
from surveys.formats.numbers import number, percent_text
from surveys.report.results.choice import Choice


@dataclass(frozen=True, kw_only=True)
class DenialText:
    """The tipping point and the bounds of one comparison.

    Attributes
    ----------
    comparison : Comparison
    outcome, by : Choice
    is_clear : bool
        Whether the difference is statistically significant.
    """

    comparison: Comparison
    outcome: Choice
    by: Choice
    is_clear: bool

    @property
    def sentence(self) -> str:
        """The share of denials at which the difference would disappear; empty if there is none to lose."""
        denial, found = self.comparison.denial, self.comparison.difference
        if denial is None or not self.is_clear:
            return ""
        words = {"outcome": self.outcome.phrase.words, "by": self.by.phrase.people}
        others_have_less = found.value > 0
        if denial.tipping is None:
            if others_have_less:
                template = _(
                    "The difference stays clear even if some of the others to whom %(outcome)s "
                    "applies denied it."
                )
            else:
                template = _(
                    "The difference stays clear even if some of the people %(by)s to whom "
                    "%(outcome)s applies denied it."
                )
            return template % words
        share = math.floor(100 * denial.tipping + 1e-9)
        if not share:
            return (
                _(
                    "The difference would not be clear if 1 of 100 people to whom %(outcome)s "
                    "applies denied it."
                )
                % words
            )
        words["share"] = str(share)
        if others_have_less:
            template = _(
                "The difference stays clear if, among the others, at most %(share)s of 100 "
                "people to whom %(outcome)s applies denied it, and no one %(by)s did."
            )
        else:
            template = _(
                "The difference stays clear if, among the people %(by)s, at most %(share)s of "
                "100 people to whom %(outcome)s applies denied it, and no one else did."
            )
        return template % words

    @property
    def explanation(self) -> str:
        """What the sentence and the bounds assume."""
        return _(
            "Denials do not show in the answers: a person who denies counts as someone to whom this does "
            "not apply. Equal denial in both groups changes neither the sign of the difference nor the lift, "
            "which compares the first group's share with everyone's. Denial of the answer that forms the "
            "groups moves people between them; these figures do not cover it."
        )

    def bounds(self) -> Iterator[tuple[str, str, str]]:
        """Yield each largest share of denials, with the ranges of the difference and of the lift."""
        lift = self.comparison.lift
        denial = self.comparison.denial
        for most, low, high in denial.bounds if denial else ():
            share = _("%(share)s of 100") % {"share": percent_text(most, 0)}
            ends = {
                "low": self.outcome.gap_text(low, unit=False),
                "high": self.outcome.gap_text(high),
            }
            ratios = "–"
            if lift.estimable and not lift.shown_because_estimable:
                low_ratio, high_ratio = (number(end, 2) for end in ratio_bounds(lift, most))
                ratios = _("%(low)s to %(high)s") % {"low": low_ratio, "high": high_ratio}
            yield share, _("%(low)s to %(high)s") % ends, ratios
