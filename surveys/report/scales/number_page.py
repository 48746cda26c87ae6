"""The page of a number question, and its picture to be saved."""

from __future__ import annotations

from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from privacy.channels.window import WindowChannel
from surveys.analysis.scales.number_estimates import Bins, band_of, bars_of, figures_of
from surveys.analysis.scales.question import Asked
from surveys.charts.histogram import Bar, histogram_svg
from surveys.questionnaire.languages import text_in

__all__ = ["bar_names", "number_context", "number_picture"]


def bar_names(band: WindowChannel) -> list[str]:
    """Return what each bar holds: "20 – 29".

    >>> from privacy.channels.number_range import NumberRange
    >>> from privacy.channels.numeric_mechanisms import generalised_rr_below
    >>> bar_names(generalised_rr_below(NumberRange(low=0, high=19, bin=10), 1.0))
    ['0 – 9', '10 – 19']
    >>> bar_names(generalised_rr_below(NumberRange(low=24300, high=24305, bin=3, calendar="month"), 1.0))
    ['2025-01 – 2025-03', '2025-04 – 2025-06']
    """
    names = []
    for first, last in bars_of(band):
        low = band.range.low + first * band.range.bin
        high = band.range.low + (last + 1) * band.range.bin - 1
        names.append(
            band.range.text(low) if low == high else f"{band.range.text(low)} – {band.range.text(high)}"
        )
    return names


def number_context(asked: Asked) -> dict[str, Any]:
    """Return the context of the page; no bars where the bins are indistinguishable."""
    figures = figures_of(asked)
    return {
        "figures": figures,
        "unit": _unit(asked),
        "bars": _bars(band_of(asked), figures.bins) if figures.bins else [],
        "bins_to_a_bar": bars_of(band_of(asked))[0][1] + 1,
        "drawing": number_picture(asked, paper=False),
    }


def number_picture(asked: Asked, *, paper: bool = True) -> SafeString | None:
    """Draw the histogram, with a background to be saved; None where the bins are indistinguishable."""
    band, bins = band_of(asked), figures_of(asked).bins
    if bins is None:
        return None
    return histogram_svg(
        _bars(band, bins),
        title=asked.text,
        end=band.range.text(band.range.high),
        unit=_unit(asked) or asked.question.key,
        share=_("share of people"),
        paper=paper,
    )


def _bars(band: WindowChannel, bins: Bins) -> list[Bar]:
    bars, ticks = bins.bars, band.range
    return [
        Bar(
            name=name,
            begin=ticks.text(ticks.low + first * ticks.bin),
            share=float(bars.shares[position]),
            low=float(bars.low[position]),
            high=float(bars.high[position]),
            shape=float(bins.shape.shares[position]),
        )
        for position, (name, (first, _last)) in enumerate(zip(bar_names(band), bars_of(band), strict=True))
    ]


def _unit(asked: Asked) -> str:
    return text_in(asked.wording.get("unit") or {}, get_language() or "en")
