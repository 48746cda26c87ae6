"""One outcome that can be compared: its words, and its figures in the unit of the answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from privacy.estimation.composed_parts import Side
from privacy.printed import Measured
from privacy.scales.window import WindowChannel
from surveys.formats.interval_chart import IntervalRow, number_bar, points_ruler, share_row
from surveys.formats.joints import list_text
from surveys.formats.numbers import MINUS, percent_text
from surveys.questionnaire.labels import ItemLabel
from surveys.report.sentences.findings import Phrase, any_phrase, item_phrase, phrase_of
from surveys.report.sentences.group_bars import GroupBar, bar_of
from surveys.report.sentences.number_texts import number_gap_ruler, number_ruler, number_text

RANGE: Final = "range"
"""Suffix of the key of a range, whose ends the form asks for."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """An outcome to compare, or an answer to compare by.

    Attributes
    ----------
    key : str
        Its key in addresses and files.
    name : str
        Its name in titles and files.
    phrase : Phrase
        Its words in sentences.
    group : str
        The text of its question.
    side : Side
    channel : WindowChannel or None
        For a mean, the disguise of the number, which defines the unit of its values.
    unit : str
        For a mean, the unit of the number, if the question has one.
    ranged : WindowChannel or None
        For a range, the disguise of the number; the form asks for its ends.
    """

    key: str
    name: str
    phrase: Phrase
    group: str
    side: Side
    channel: WindowChannel | None = None
    unit: str = ""
    ranged: WindowChannel | None = None

    @property
    def words(self) -> str:
        """Its name in lists: the short name, or else the question with the answer."""
        return self.phrase.words

    @property
    def is_range(self) -> bool:
        """Whether the form asks for its ends."""
        return self.ranged is not None

    @property
    def is_mean(self) -> bool:
        """Whether it is the mean of a number rather than a share."""
        return self.channel is not None

    @property
    def quantity(self) -> str:
        """The compared quantity in a sentence: a share of people, or a mean."""
        if self.is_mean:
            return self.words
        return _("the share of people who answered %(answer)s") % {"answer": self.words}

    def text(self, share: float) -> str:
        """Format a share in percent, or a mean in the unit of the answers."""
        if self.channel is None:
            return f"{percent_text(share)}%"
        return number_text(self.value(share), self.channel)

    def value(self, share: float) -> float:
        """Convert a mean from a share of its range to the unit of the answers; leave other shares."""
        return share if self.channel is None else float(self.channel.range.middle(0)) + self.gap(share)

    def gap(self, share: float) -> float:
        """Convert a difference or a standard error in the same way."""
        if self.channel is None:
            return share
        ticks = self.channel.range
        return share * float(ticks.middle(self.channel.inputs - 1) - ticks.middle(0))

    def gap_text(self, share: float, *, unit: bool = True, digits: int = 1) -> str:
        """Format a difference in points, or in the unit of the answers."""
        if self.channel is None:
            points = percent_text(share, digits)
            return _("%(points)s points") % {"points": points} if unit else points
        text = f"{self.gap(share):,.{self.channel.range.decimals + 1}f}"
        text = text.replace("-", MINUS if text.strip("-0.") else "")
        calendars = {"month": _("%(number)s months"), "day": _("%(number)s days")}
        template = calendars.get(self.channel.range.calendar or "", _("%(number)s %(unit)s"))
        return (template % {"number": text, "unit": self.unit}).rstrip() if unit else text

    def largest_gap_text(self, share: float) -> str:
        """Format the largest possible difference: in whole points, rounded up, or in the unit of answers."""
        return self.gap_text(math.ceil(100 * share - 1e-9) / 100, digits=0)

    def row(self, name: str, text: str, figure: Measured) -> IntervalRow:
        """Return a row of a picture: of a share as people of 100, of a mean in its own unit."""
        ends = ends_of(figure)
        if self.channel is None:
            return share_row(name, text, **ends)
        in_unit = {end: self.value(share) for end, share in ends.items()}
        return IntervalRow(name=name, text=text, ruler=number_ruler(self.channel, self.unit), **in_unit)

    def gap_row(self, name: str, text: str, difference: Measured) -> IntervalRow:
        """Return a row of a picture for a difference of shares in points, or of means in their own unit."""
        ends = ends_of(difference)
        if self.channel is None:
            points = {end: 100 * share for end, share in ends.items()}
            return IntervalRow(name=name, text=text, ruler=points_ruler(), **points)
        in_unit = {end: self.gap(share) for end, share in ends.items()}
        return IntervalRow(name=name, text=text, ruler=number_gap_ruler(self.channel, self.unit), **in_unit)

    def bar(self, name: str, figure: Measured, text: str) -> GroupBar:
        """Return a group with its figure and its bar, which of a mean has the ends of its ruler."""
        if self.channel is None or not figure.estimable:
            return bar_of(name, figure, text)
        row = self.row(name, text, figure)
        return GroupBar(name, text, number_bar(row), row.ruler.ends)

    def gap_texts(self, difference: Measured) -> dict[str, str]:
        """Format a difference and the ends of its interval."""
        return {
            end: self.gap_text(end_value, unit=end == "value")
            for end, end_value in ends_of(difference).items()
        }


def ends_of(estimate: Measured) -> dict[str, float]:
    """Return an estimate and the ends of its interval; if it is not estimable, the low end replaces it."""
    value = estimate.value if estimate.estimable else estimate.low
    return {"value": value, "low": estimate.low, "high": estimate.high}


def item_choice(label: ItemLabel) -> Choice:
    """Return the choice of an item."""
    return Choice(
        key=label.key,
        name=label.short,
        phrase=item_phrase(label),
        group=label.text,
        side=Side(items=(label.index,)),
    )


def any_choice(labels: Sequence[ItemLabel]) -> Choice:
    """Return the choice of "at least one of" several items that one part sends under one coin."""
    return Choice(
        key="|".join(label.key for label in labels),
        name=_("at least one of %(answers)s") % {"answers": list_text(label.short for label in labels)},
        phrase=any_phrase(labels),
        group="",
        side=Side(at_least_one=tuple(label.index for label in labels)),
    )


@dataclass(frozen=True, kw_only=True)
class ScaleNames:
    """The names of a number or a place question: its number, key, text, short name, declared items, unit."""

    number: int
    key: str
    text: str
    short: str | None
    items: Sequence[ItemLabel]
    unit: str = ""

    @property
    def title(self) -> str:
        """Its name in titles and files."""
        return self.short or self.key

    def phrase(self, words: str, **values: str) -> Phrase:
        """Return words about the question, which they may name as `question`."""
        return phrase_of(
            words % {"question": self.short or self.text, **values}, is_named=self.short is not None
        )
