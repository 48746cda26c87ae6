"""An outcome among people with an answer and among all others, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.comparison import Comparison
from privacy.forged import NEVER
from privacy.policy import SIGNIFICANCE_LEVEL, USEFUL_DIFFERENCE
from privacy.printed import Measured
from surveys.formats.figures import DIFFERENCES, bounds_text
from surveys.formats.interval_chart import IntervalRow, intervals_svg
from surveys.formats.p_values import about_p_values, p_text
from surveys.formats.people_of_100 import share_with_interval
from surveys.formats.shown_counts import shown_count
from surveys.report.results.choice import Choice
from surveys.report.results.denial_text import DenialText
from surveys.report.results.outcomes import COLUMNS, Cell, OutcomeRow, named_figures
from surveys.report.sentences.findings import level_text, lift_sentence, pair_sentence
from surveys.report.sentences.group_bars import GroupBar, pair_bars
from surveys.report.sentences.verdict import Finding, VerdictKind, about_people, more_people
from surveys.runs.p_values import methods_in_files


@dataclass(frozen=True, kw_only=True)
class ComparisonText:
    """One outcome among people with an answer, and among all others.

    Parameters
    ----------
    comparison : Comparison
    outcome, by : Choice
    forged : int
        How many rows at least are not what a device sends.
    weighted : bool
    is_interim : bool
        Whether more answers can arrive, so that there is no finding yet.
    detectable : float or None
        `surveys.runs.detectable.found_8_in_10`, for files.
    """

    comparison: Comparison
    outcome: Choice
    by: Choice
    forged: int
    weighted: bool = False
    is_interim: bool = False
    detectable: float | None = None

    @property
    def is_significant(self) -> bool:
        """Whether the difference is statistically significant."""
        return self.comparison.difference.estimable and self.comparison.p_value < SIGNIFICANCE_LEVEL

    @property
    def is_clear(self) -> bool:
        """Whether it is significant at a final look, and forged answers cannot explain it."""
        return self.finding.kind == VerdictKind.CLEAR

    @property
    def level_text(self) -> str:
        """The level of its intervals, in the same words on every page."""
        return level_text(
            is_lower=self.comparison.having.shown_because_estimable
            or self.comparison.difference.shown_because_estimable
        )

    @property
    def title(self) -> str:
        """Outcome and groups, as tables name them."""
        return _("%(outcome)s by %(by)s") % {"outcome": self.outcome.name, "by": self.by.name}

    @property
    def sentence(self) -> str:
        """A sentence with the figures of both groups."""
        having, others = self.comparison.having, self.comparison.others
        if not self.outcome.is_mean:
            return pair_sentence(self.by.phrase, self.outcome.phrase, having, others)
        words = {"by": self.by.phrase.people, "outcome": self.outcome.words}
        if not (having.estimable and others.estimable):
            return _("There are too few answers to compare %(outcome)s.") % words
        for name, cell in zip(("having", "others"), self.rows[0].cells, strict=True):
            words |= {name: cell.text}
        return _("%(outcome)s: %(having)s among people %(by)s, %(others)s among others.") % words

    @property
    def lift_sentence(self) -> str:
        """The lift with its interval, or only its bounds, in words."""
        return lift_sentence(self.comparison.lift)

    @property
    def verdict(self) -> str:
        """The sentence of the finding."""
        return self.finding.sentence

    @property
    def finding(self) -> Finding:
        """Whether the groups differ, which difference is ruled out, or how many people are missing."""
        words = {"difference": self._difference_text}
        figure = _("So far, the difference is %(difference)s.") % words
        return self._final_finding.at_look(is_interim=self.is_interim, figure=figure)

    @property
    def _difference_text(self) -> str:
        found = self.comparison.difference
        bounds = bounds_text(found.value, (found.low, found.high), DIFFERENCES, self.outcome.gap_text)
        return bounds or self.rows[0].cells[0].difference_text

    @property
    def _final_finding(self) -> Finding:
        """The finding if no more answers can arrive."""
        found, words = self.comparison.difference, {"difference": self._difference_text}
        if self.is_significant and not self.is_explained:
            template = _("The difference is clear: %(difference)s.")
            return Finding(kind=VerdictKind.CLEAR, sentence=template % words)
        if self.is_significant:
            template = _(
                "The difference is %(difference)s, but forged answers could explain it, so this is too "
                "uncertain to say."
            )
            return Finding(kind=VerdictKind.UNCERTAIN, sentence=template % words)
        if not found.estimable or not 0 < self.comparison.detectable < 1:
            template = _("%(n)s people are too few to find any difference.")
            n = shown_count(self.comparison.n_used)
            return Finding(kind=VerdictKind.UNCERTAIN, sentence=template % {"n": n})
        words["low"] = self.outcome.gap_text(found.low, unit=False)
        words["high"] = self.outcome.gap_text(found.high)
        largest = max(abs(found.low), abs(found.high)) + (self.shift if self.forged else 0.0)
        if largest < USEFUL_DIFFERENCE:
            words["largest"] = self.outcome.largest_gap_text(largest)
            template = _(
                "A difference of more than %(largest)s is ruled out: it is between %(low)s and %(high)s."
            )
            return Finding(kind=VerdictKind.RULED_OUT, sentence=template % words)
        more = more_people(self.comparison.n_used, found.high - found.low, USEFUL_DIFFERENCE)
        if not more:
            template = _(
                "Too uncertain to say: the difference is between %(low)s and %(high)s, and forged answers "
                "could have made it smaller or larger."
            )
            return Finding(kind=VerdictKind.UNCERTAIN, sentence=template % words)
        words["people"] = about_people(more)
        words["found"] = self.outcome.gap_text(USEFUL_DIFFERENCE, digits=0)
        template = _(
            "Too uncertain to say: the difference is between %(low)s and %(high)s. About %(people)s more "
            "people would be enough to find a difference of %(found)s, or to rule it out."
        )
        return Finding(kind=VerdictKind.UNCERTAIN, sentence=template % words)

    @property
    def shift(self) -> float:
        """How far forged rows could have moved the difference; infinite if they could explain all of it."""
        shift = self.comparison.difference.shift
        return math.inf if shift is None else shift

    @property
    def denial(self) -> DenialText:
        """What denials could do to the difference."""
        return DenialText(
            comparison=self.comparison, outcome=self.outcome, by=self.by, is_clear=self.is_clear
        )

    @property
    def shift_text(self) -> str:
        """Say how far forged rows could have moved the difference; empty without any."""
        if not self.forged:
            return ""
        shift = self.shift
        if not math.isfinite(shift):
            return _("Forged answers could explain all of the difference.")
        gap = self.outcome.gap_text(shift)
        if self.is_explained:
            return _(
                "Forged answers could have moved the difference by up to %(gap)s, so they could explain it."
            ) % {"gap": gap}
        return _("Forged answers could have moved the difference by up to %(gap)s.") % {"gap": gap}

    @property
    def is_explained(self) -> bool:
        """Whether a significant difference could be due to the forged rows."""
        if not self.forged:
            return False
        found, flips = self.comparison.difference, self.comparison.flips
        nearest = found.low if found.value > 0 else -found.high
        is_near = not nearest > self.shift or (flips is not None and 0 <= flips <= self.forged)
        return self.is_significant and is_near

    @property
    def p(self) -> str:
        """The p-value of the test, for experts."""
        return p_text(self.comparison.test)

    @property
    def about_p(self) -> str:
        """How the p-value was made."""
        return about_p_values([self.comparison.test])

    @property
    def p_methods(self) -> dict[str, str]:
        """How the p-values of its records were made, by column."""
        return methods_in_files({"p_value": self.comparison.test})

    @property
    def rows(self) -> list[OutcomeRow]:
        """The outcome in both groups."""
        found = self.comparison
        having = Cell(
            choice=self.outcome, group=self.by.words, value=found.having, difference=found.difference
        )
        others = Cell(choice=self.outcome, group=_("all others"), value=found.others)
        return [OutcomeRow(name=self.outcome.name, p=self.p, cells=(having, others))]

    @property
    def bars(self) -> list[GroupBar]:
        """A bar for each group, with its name and figure."""
        if self.outcome.is_mean:
            return [self.outcome.bar(cell.group, cell.value, cell.text) for cell in self.rows[0].cells]
        return pair_bars(self.by.phrase, self.comparison.having, self.comparison.others)

    @property
    def drawn_rows(self) -> list[IntervalRow]:
        """The rows of the picture."""
        return [
            self.outcome.row(cell.group, cell.text, cell.value)
            for cell in self.rows[0].cells
            if cell.value.estimable
        ]

    @property
    def card_rows(self) -> list[IntervalRow]:
        """The rows of the picture with the figures of the sentence, in which shares are people of 100."""
        if self.outcome.is_mean:
            return self.drawn_rows
        values = [cell.value for cell in self.rows[0].cells if cell.value.estimable]
        texts = [share_with_interval(each.value, each.low, each.high) for each in values]
        return [replace(row, text=text) for row, text in zip(self.drawn_rows, texts, strict=True)]

    def drawing(self) -> SafeString:
        """Draw both groups in one picture."""
        return intervals_svg(self.drawn_rows, title=self.title)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a record for the people with the answer, then one for all others."""
        found = self.comparison
        common = {
            "by": self.by.key,
            "by_label": self.by.name,
            "role": "answer",
            "detectable_difference": None if self.detectable is None else self.outcome.gap(self.detectable),
            "p_value": None if math.isnan(found.test.printed) else found.test.printed,
            "n": found.n,
            "n_used": found.n_used,
            "few_rows": found.few_rows,
            "weighted": self.weighted,
            "difference_shift": self.outcome.gap(self.shift) if math.isfinite(self.shift) else None,
            "flips": None if found.flips == NEVER else found.flips,
            "tipping_denial": None if found.denial is None else found.denial.tipping,
        }
        lift = {} if self.outcome.is_mean else named_figures("lift", found.lift)
        shares = (
            ({}, {})
            if found.group is None
            else (
                named_figures("group_share", found.group),
                named_figures("group_share", _rest_of(found.group)),
            )
        )
        for cell, group, share in zip(self.rows[0].cells, ("having", "others"), shares, strict=True):
            yield (
                dict.fromkeys(COLUMNS)
                | common
                | {"group": group}
                | share
                | cell.record()
                | (lift if cell.difference else {})
            )


def _rest_of(share: Measured) -> Measured:
    """Return the share of all others."""
    return replace(share, value=1 - share.value, low=1 - share.high, high=1 - share.low)
