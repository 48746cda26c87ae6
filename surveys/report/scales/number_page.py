"""The page of a number question, and its picture to be saved."""

from __future__ import annotations

from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from privacy.scales.window import WindowChannel
from surveys.charts.histogram import Bar, histogram_svg
from surveys.figures.scales.number_estimates import Bins, band_of, bars_of, figures_of
from surveys.figures.scales.question import ScaleQuestion
from surveys.questionnaire.languages import text_in

__all__ = ["bar_names", "number_context", "number_picture"]


def bar_names(channel: WindowChannel) -> list[str]:
    """Return what each bar holds: "20 – 29".

    >>> from privacy.scales.number_range import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> bar_names(generalised_rr_below(NumberRange(low=0, high=19, bin=10), 1.0))
    ['0 – 9', '10 – 19']
    >>> bar_names(generalised_rr_below(NumberRange(low=24300, high=24305, bin=3, calendar="month"), 1.0))
    ['2025-01 – 2025-03', '2025-04 – 2025-06']
    """
    names = []
    for first, last in bars_of(channel):
        low = channel.range.low + first * channel.range.bin
        high = channel.range.low + (last + 1) * channel.range.bin - 1
        names.append(
            channel.range.text(low)
            if low == high
            else f"{channel.range.text(low)} – {channel.range.text(high)}"
        )
    return names


def number_context(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the context of the page; no bars where the bins are indistinguishable."""
    figures = figures_of(scale)
    return {
        "figures": figures,
        "unit": _unit(scale),
        "bars": _bars(band_of(scale), figures.bins) if figures.bins else [],
        "bins_to_a_bar": bars_of(band_of(scale))[0][1] + 1,
        "drawing": number_picture(scale, paper=False),
    }


def number_picture(scale: ScaleQuestion, *, paper: bool = True) -> SafeString | None:
    """Draw the histogram, with a background to be saved; None where the bins are indistinguishable."""
    channel, bins = band_of(scale), figures_of(scale).bins
    if bins is None:
        return None
    return histogram_svg(
        _bars(channel, bins),
        title=scale.text,
        end=channel.range.text(channel.range.high),
        unit=_unit(scale) or scale.question.key,
        share=_("share of people"),
        paper=paper,
    )


def _bars(channel: WindowChannel, bins: Bins) -> list[Bar]:
    bars, ticks = bins.bars, channel.range
    return [
        Bar(
            name=name,
            begin=ticks.text(ticks.low + first * ticks.bin),
            share=float(bars.shares[position]),
            low=float(bars.low[position]),
            high=float(bars.high[position]),
            shape=float(bins.shape.shares[position]),
        )
        for position, (name, (first, _last)) in enumerate(
            zip(bar_names(channel), bars_of(channel), strict=True)
        )
    ]


def _unit(scale: ScaleQuestion) -> str:
    return text_in(scale.wording.get("unit") or {}, get_language() or "en")
