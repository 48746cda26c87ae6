"""The page of a number question, and its picture to be saved."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from privacy.channels.window import Band
from privacy.estimation.inverted import Quantile
from surveys.analysis.scales.number_estimates import Bins, NumberFigures, band_of, bars_of, figures_of
from surveys.analysis.scales.question import Asked
from surveys.analysis.scales.wording import NO_ERROR, ended_text, share_text
from surveys.charts.histogram import Bar, histogram_svg
from surveys.formats.figures import number
from surveys.questionnaire.languages import text_in

__all__ = [
    "BarLine",
    "NumberPage",
    "QuantileLine",
    "bar_names",
    "number_page",
    "number_picture",
]

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class BarLine:
    """One bar in the table."""

    name: str
    share: str
    interval: str
    shape: str


@dataclass(frozen=True, kw_only=True)
class QuantileLine:
    """The mean or a quantile in the table; its interval may come in parts."""

    name: str
    value: str
    parts: tuple[str, ...]
    remark: str = ""


@dataclass(frozen=True, kw_only=True)
class NumberPage:
    """What the page of a number shows below its head, which is a `ScaleReport`."""

    unit: str
    drawing: SafeString | None
    bars: tuple[BarLine, ...]
    bins: int
    bins_to_a_bar: int
    mean: QuantileLine | None
    mean_error: str
    quantiles: tuple[QuantileLine, ...]
    ended: str


def bar_names(band: Band) -> list[str]:
    """Return what each bar holds: "20 – 29".

    >>> from privacy.channels.number_range import NumberRange
    >>> from privacy.channels.numeric_mechanisms import keep
    >>> bar_names(keep(NumberRange(low=0, high=19, bin=10), 1.0))
    ['0 – 9', '10 – 19']
    >>> bar_names(keep(NumberRange(low=24300, high=24305, bin=3, calendar="month"), 1.0))
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


def number_page(asked: Asked) -> NumberPage:
    """Return what the page shows."""
    band, figures = band_of(asked), figures_of(asked)
    bins = figures.bins
    return NumberPage(
        unit=_unit(asked),
        drawing=_picture(asked, bins, paper=False) if bins else None,
        bars=tuple(_bar_lines(band, bins)) if bins else (),
        bins=band.inputs,
        bins_to_a_bar=bars_of(band)[0][1] + 1,
        mean=_mean_line(band, figures),
        mean_error=_error(figures.mean.standard_error, band)
        if figures.mean and figures.mean.standard_error > NO_ERROR
        else "",
        quantiles=tuple(_quantile_line(band, found) for found in (bins.quantiles if bins else ())),
        ended=ended_text(bins.shape.fit) if bins else "",
    )


def number_picture(asked: Asked) -> SafeString | None:
    """Draw the histogram with a background, to be saved; None where the bins cannot be told apart."""
    figures = figures_of(asked)
    if figures.bins is None:
        return None
    return _picture(asked, figures.bins, paper=True)


def _picture(asked: Asked, bins: Bins, *, paper: bool) -> SafeString:
    band = band_of(asked)
    ticks = band.range
    lines = _bar_lines(band, bins)
    places = enumerate(zip(bars_of(band), lines, strict=True))
    bars = [
        Bar(
            begin=ticks.text(ticks.low + first * ticks.bin),
            said=f"{line.name}: {line.share} {line.interval}",
            share=float(bins.bars.shares[place]),
            low=float(bins.bars.low[place]),
            high=float(bins.bars.high[place]),
            shape=float(bins.shape.shares[place]),
        )
        for place, ((first, _last), line) in places
    ]
    return histogram_svg(
        bars,
        title=asked.text,
        end=ticks.text(ticks.high),
        unit=_unit(asked) or asked.question.key,
        share=_("share of people"),
        paper=paper,
    )


def _bar_lines(band: Band, bins: Bins) -> list[BarLine]:
    def said(shares: Array, place: int) -> str:
        return _share(float(shares[place]))

    bars = bins.bars
    return [
        BarLine(
            name=name,
            share=said(bars.shares, place),
            interval=f"[{said(bars.low, place)}, {said(bars.high, place)}]",
            shape=said(bins.shape.shares, place),
        )
        for place, name in enumerate(bar_names(band))
    ]


def _mean_line(band: Band, figures: NumberFigures) -> QuantileLine | None:
    found = figures.mean
    if found is None:
        return None
    return QuantileLine(
        name=_("mean"),
        value=_of(found.value, band),
        parts=(_interval(found.low, found.high, band),),
    )


def _quantile_line(band: Band, found: Quantile) -> QuantileLine:
    return QuantileLine(
        name=_quantile_name(found.share),
        value=_of(found.value, band),
        parts=tuple(_interval(low, high, band) for low, high in found.parts),
        remark="" if found.estimable else _("not estimable with this n"),
    )


def _quantile_name(share: float) -> str:
    return _("median") if share == 0.5 else _("%(percent)s %% are below") % {"percent": f"{100 * share:g}"}


def _unit(asked: Asked) -> str:
    return text_in(asked.wording.get("unit") or {}, get_language() or "en")


def _share(share: float) -> str:
    return share_text(share) if math.isfinite(share) else number(share)


def _of(value: float, band: Band) -> str:
    """Write a value in the unit of the answers, with a digit more than they have; or the date it lies in."""
    return band.range.value_text(value) or number(value, band.range.decimals + 1)


def _error(value: float, band: Band) -> str:
    """Write a standard error: of dates, in months or days."""
    text = number(value, band.range.decimals + 1)
    if band.range.calendar is None:
        return text
    return (_("%(number)s months") if band.range.calendar == "month" else _("%(number)s days")) % {
        "number": text
    }


def _interval(low: float, high: float, band: Band) -> str:
    return f"[{_of(low, band)}, {_of(high, band)}]"
