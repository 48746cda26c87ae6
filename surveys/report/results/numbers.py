"""The figures of a number question in words and pictures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.printed import Measured, cut_ends
from privacy.scales.quantities import people_for_bars
from privacy.scales.window import WindowChannel
from surveys.errors.error import in_sentences
from surveys.formats.figures import known_error
from surveys.formats.histogram import Bar, histogram_svg
from surveys.formats.interval_chart import IntervalRow
from surveys.formats.joints import series_text
from surveys.formats.shown_counts import shown_count
from surveys.models import Run
from surveys.questionnaire.labels import short_names
from surveys.questionnaire.languages import text_in
from surveys.report.sentences.number_texts import (
    bounds_in_unit,
    error_in_unit,
    number_ruler,
    number_text,
    range_in_unit,
)
from surveys.report.sentences.verdict import about_people
from surveys.runs.numbers import NumberFigures, NumberSummary, figures_of, groups_of_people, summary_of
from surveys.runs.scale_question import ScaleQuestion


def bar_names(channel: WindowChannel, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return the name of each bar, such as "20 – 29".

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> bar_names(generalised_rr_below(NumberRange(low=0, high=19, bin=10), 1.0), [(0, 0), (1, 1)])
    ['0 – 9', '10 – 19']
    >>> months = NumberRange(low=24300, high=24305, bin=3, calendar="month")
    >>> bar_names(generalised_rr_below(months, 1.0), [(0, 0), (1, 1)])
    ['2025-01 – 2025-03', '2025-04 – 2025-06']
    """
    names = []
    for first, last in spans:
        low = channel.range.low + first * channel.range.bin
        high = channel.range.low + (last + 1) * channel.range.bin - 1
        names.append(
            channel.range.text(low)
            if low == high
            else f"{channel.range.text(low)} – {channel.range.text(high)}"
        )
    return names


def number_context(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the context of a number question's page, without bars if there are too few answers."""
    figures, summary, words = figures_of(scale), summary_of(scale), NumberWords.of(scale.run, scale.number)
    scale_channel = words.channel
    return {
        "figures": figures,
        "mean_error": known_error(figures.mean.standard_error) if figures.mean else None,
        "mean_bounds": figures.mean
        and bounds_in_unit((figures.mean.value, figures.mean.low, figures.mean.high), scale_channel),
        "mean_ends": _mean_ends(figures, scale_channel),
        "unit": words.unit,
        "bars": (bars := words.bars(summary)),
        "lines": list(zip(bars, _shifts_of(figures, len(bars)), strict=True)),
        "sentence": words.sentence(summary),
        "drawing": words.picture(summary),
        "picture_words": words.picture_words(summary, scale.run),
    }


def _mean_ends(figures: NumberFigures, channel: WindowChannel) -> str:
    """Return the interval of the mean, cut to the possible answers."""
    if figures.mean is None:
        return ""
    ticks = channel.range
    possible = float(ticks.middle(0)), float(ticks.middle(channel.inputs - 1))
    low, high = cut_ends((figures.mean.low, figures.mean.high), possible)
    return _("%(low)s to %(high)s") % {"low": number_text(low, channel), "high": number_text(high, channel)}


def _shifts_of(figures: NumberFigures, count: int) -> list[float]:
    """Return how far forged rows could have moved each bar of the picture; zeros without any."""
    chart = figures.bins.chart if figures.bins else None
    return chart.bars.shifts.tolist() if chart else [0.0] * count


@dataclass(frozen=True, kw_only=True)
class NumberWords:
    """Words for the figures of a number question, in sentences and pictures."""

    channel: WindowChannel
    number: int
    key: str
    text: str
    unit: str
    short: str = ""

    @property
    def name(self) -> str:
        """Its short name, or else its text."""
        return self.short or self.text

    @classmethod
    def of(cls, run: Run, number: int) -> NumberWords:
        """Return the words for a question of a run, in the language of the page."""
        question, language = run.design.questions[number], get_language() or "en"
        wordings = [entry for block in run.version.wording["blocks"] for entry in block["questions"]]
        return cls(
            channel=cast("WindowChannel", question.disguise),
            number=number,
            key=question.key,
            text=text_in(wordings[number]["text"], language),
            unit=text_in(wordings[number].get("unit") or {}, language),
            short=short_names(run.version).get(question.key, ""),
        )

    def bars(self, summary: NumberSummary) -> list[Bar]:
        """Return the bars of the picture; as many as the number of answers supports, possibly none."""
        ticks, shares = self.channel.range, summary.bars
        if shares is None:
            return []
        figures = np.stack([shares.value, shares.low, shares.high]).T.tolist()
        names = bar_names(self.channel, summary.spans)
        return [
            Bar(
                name=name,
                begin=ticks.text(ticks.low + first * ticks.bin),
                share=share,
                low=low,
                high=high,
                shape=None if self.channel.is_as_answered else shape,
            )
            for name, (first, _last), (share, low, high), shape in zip(
                names, summary.spans, figures, summary.shape, strict=True
            )
        ]

    def picture(self, summary: NumberSummary) -> SafeString | None:
        """Draw the histogram; return None if there are too few answers for a bar."""
        if not summary.spans:
            return None
        return histogram_svg(
            self.bars(summary),
            title=self.text,
            end=self.channel.range.text(self.channel.range.high),
            unit=self.unit or self.key,
            share=_("share of people"),
        )

    def sentence(self, summary: NumberSummary) -> str:
        """Return a sentence with the mean and the median as ranges."""
        parts = [
            *self._ranges(summary.mean, _("On average %(value)s, %(range)s"), _("On average %(range)s")),
            *self._ranges(
                summary.median, _("the median is %(value)s, %(range)s"), _("the median is %(range)s")
            ),
        ]
        if not parts:
            return _("Too few people to show the mean or the median.")
        if summary.mean is not None and (own := summary.mean.shift):
            shift = number_text(own, self.channel) if math.isfinite(own) else "∞"
            parts.insert(1, _("forged answers: mean up to ±%(shift)s") % {"shift": shift})
        return in_sentences(series_text(parts))

    def row(self, mean: Measured) -> IntervalRow:
        """Return the row of a picture for a mean, in the unit of the answers."""
        value, ends = range_in_unit((mean.value, mean.low, mean.high), self.channel, self.unit)
        return IntervalRow(
            name=self.name,
            text=_("%(value)s, %(range)s") % {"value": value, "range": ends} if value else ends,
            value=mean.value,
            low=mean.low,
            high=mean.high,
            ruler=number_ruler(self.channel, self.unit),
        )

    def _ranges(self, figure: Measured | None, exact: str, rough: str) -> Iterator[str]:
        if figure is not None:
            ends_of = figure.value, figure.low, figure.high
            value, ends = range_in_unit(ends_of, self.channel, self.unit)
            yield (exact if value else rough) % {"value": value, "range": ends}

    def half_width_text(self, width: float) -> str:
        """Format half the width of an interval in the unit of the answers."""
        text = error_in_unit(width, self.channel)
        return _("%(number)s %(unit)s") % {"number": text, "unit": self.unit} if self.unit else text

    def picture_words(self, summary: NumberSummary, run: Run) -> str:
        """Say how many people a picture needs; empty if there is one, or if no number of people helps."""
        if summary.bars or self.channel.is_as_answered:
            return ""
        try:
            enough = people_for_bars(self.channel, groups_of_people(run, self.number, self.channel))
        except PrivacyError:
            return ""
        if enough <= (run.n or 0):
            return ""
        return _("%(n)s people are too few for a picture; about %(enough)s would do.") % {
            "n": shown_count(run.n or 0),
            "enough": about_people(enough),
        }
