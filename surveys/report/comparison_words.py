"""An answer by another one in words: a sentence, two bars, and whether the people were enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.comparison import Comparison
from privacy.estimation.measures import Measured
from privacy.policy import SIGNIFICANCE_LEVEL
from privacy.scales.window import WindowChannel
from surveys.charts.intervals import IntervalRow, shares_svg
from surveys.charts.share_bar import share_bar
from surveys.formats.figures import MINUS, number, p_text
from surveys.report.comparison_form import Choice
from surveys.report.frequencies import Phrase, pair_sentence, per_hundred, share_said, typed
from surveys.rows.disclosure import shown_count

Bar: TypeAlias = tuple[str, str, SafeString | None]
"""A part of the people, its figure, and the picture of it; none where there are too few answers."""

ALIKE: Final = 0.1
"""Half the width, in shares, of what counts as about the same."""

_WANTED: Final = 0.2
"""A difference of 20 points: of so many people it is said how many would find it."""


@dataclass(frozen=True, kw_only=True)
class ComparisonText:
    """A comparison as pages tell it."""

    comparison: Comparison
    outcome: Choice
    by: Choice

    @property
    def is_clear(self) -> bool:
        """Whether chance alone hardly makes such a difference."""
        return self.comparison.difference.estimable and self.comparison.p_value < SIGNIFICANCE_LEVEL

    @property
    def is_alike(self) -> bool:
        """Whether a difference that matters is ruled out."""
        ends = self.comparison.difference
        return not self.is_clear and ends.low >= -ALIKE and ends.high <= ALIKE

    @property
    def title(self) -> str:
        """What is compared by what, as tables name them."""
        return _("%(outcome)s by %(by)s") % {"outcome": self.outcome.name, "by": self.by.name}

    @property
    def sentence(self) -> str:
        """The figures of both parts of the people."""
        having, others = self.comparison.having, self.comparison.others
        if not self.outcome.is_mean:
            return pair_sentence(self.by.phrase, self.outcome.phrase, having, others)
        words = {"by": self.by.phrase.people, "outcome": self.outcome.words}
        if not (having.estimable and others.estimable):
            return _("There are too few answers to compare %(outcome)s.") % words
        words |= {f"{end}_having": text for end, text in self._ends(having).items()}
        words |= {f"{end}_others": text for end, text in self._ends(others).items()}
        return (
            _(
                "%(outcome)s: %(value_having)s among people %(by)s (%(low_having)s to %(high_having)s), "
                "%(value_others)s among others (%(low_others)s to %(high_others)s)."
            )
            % words
        )

    @property
    def verdict(self) -> str:
        """Whether that is a difference, or whether the people were too few to tell."""
        comparison = self.comparison
        words = {"n": shown_count(comparison.n_used)}
        if self.is_clear:
            sentence = _(
                "The difference is %(value)s (%(low)s to %(high)s) and is statistically significant."
            )
            return sentence % (words | self.difference)
        if self.is_alike:
            sentence = _("About the same: the difference is %(value)s (%(low)s to %(high)s).")
            return sentence % (words | self.difference)
        if comparison.detectable >= 1:
            return _("%(n)s people are too few to find any difference.") % words
        words["found"] = self._in_points(comparison.detectable)
        return (
            _("No difference was found. With %(n)s people, you find a difference of %(found)s 8 times in 10.")
            % words
        )

    @property
    def p(self) -> str:
        """The p-value of the test, for experts."""
        return p_text(self.comparison.p_value)

    @property
    def needed(self) -> str:
        """How many people it would take."""
        words = {
            "difference": self._in_points(_WANTED),
            "people": shown_count(self.comparison.needed(_WANTED), rounded=True),
        }
        return (
            _("To find a difference of %(difference)s, you need answers from about %(people)s people.")
            % words
        )

    @property
    def bars(self) -> list[Bar]:
        """Both parts of the people by name, each with its figure and its bar."""
        if self.outcome.is_mean:
            return [_bar(name, measured, self._text(measured)) for name, measured in self._parts]
        return pair_bars(self.by.phrase, self.comparison.having, self.comparison.others)

    def drawing(self) -> SafeString:
        """Draw both parts of the people in one picture."""
        rows = [
            IntervalRow(
                name=name,
                text=self._text(measured),
                value=measured.value,
                low=measured.low,
                high=measured.high,
            )
            for name, measured in self._parts
            if measured.estimable
        ]
        unit = _("percent of the range") if self.outcome.is_mean else _("people of 100")
        return shares_svg(rows, title=self.title, unit=unit)

    @property
    def _parts(self) -> tuple[tuple[str, Measured], tuple[str, Measured]]:
        """Both parts of the people by name."""
        return (self.by.words, self.comparison.having), (_("all others"), self.comparison.others)

    @property
    def difference(self) -> dict[str, str]:
        """The difference and its ends, in points or in the unit of the number."""
        ends = self.comparison.difference
        return {
            "value": self._in_points(ends.value),
            "low": self._in_points(ends.low, unit=False),
            "high": self._in_points(ends.high, unit=False),
        }

    def _text(self, measured: Measured) -> str:
        return _("%(value)s (%(low)s to %(high)s)") % self._ends(measured)

    def _ends(self, measured: Measured) -> dict[str, str]:
        ends = {"value": measured.value, "low": measured.low, "high": measured.high}
        channel = self.outcome.channel
        if channel is None:
            return per_hundred(**ends)
        return {name: typed(self.outcome.value(end), channel) for name, end in ends.items()}

    def _in_points(self, share: float, *, unit: bool = True) -> str:
        channel = self.outcome.channel
        if channel is None:
            points = number(100 * share, 0) or "0"
            return _("%(points)s points") % {"points": points} if unit else points
        return gap_text(self.outcome, channel, share)


def pair_bars(by: Phrase, having: Measured, others: Measured | None) -> list[Bar]:
    """Return the people with an answer and all others, each with how many have the outcome, and its bar."""
    parts = [(by.bar, having), *([(_("all others"), others)] if others is not None else [])]
    return [
        _bar(name, measured, share_said(measured.value, measured.low, measured.high))
        for name, measured in parts
    ]


def _bar(name: str, measured: Measured, text: str) -> Bar:
    if not measured.estimable:
        return name, _("too few answers to say"), None
    said = _("%(name)s: %(figure)s") % {"name": name, "figure": text}
    return name, text, share_bar(measured.value, measured.low, measured.high, said=said)


def gap_text(choice: Choice, channel: WindowChannel, share: float) -> str:
    """Write a difference of means in the unit of the answers, with a minus that is one."""
    text = f"{choice.gap(share):,.{channel.range.decimals + 1}f}"
    return text.replace("-", MINUS if text.strip("-0.") else "")
