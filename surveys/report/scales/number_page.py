"""The page of a number question, and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from privacy.scales.window import WindowChannel
from surveys.charts.histogram import Bar, histogram_svg
from surveys.figures.scales.number_estimates import band_of, figures_of
from surveys.figures.scales.question import ScaleQuestion
from surveys.figures.scales.wording import known_error, typed
from surveys.questionnaire.languages import text_in

__all__ = ["bar_names", "drawn_bars", "number_context", "number_picture", "number_sentence"]


def bar_names(channel: WindowChannel, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return what each bar holds: "20 – 29".

    >>> from privacy.scales.number_range import NumberRange
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
    """Return the context of the page; no bars where the answers carry none."""
    figures = figures_of(scale)
    return {
        "figures": figures,
        "mean_error": known_error(figures.mean.standard_error) if figures.mean else None,
        "unit": _unit(scale),
        "bars": drawn_bars(scale),
        "sentence": number_sentence(scale),
        "drawing": number_picture(scale),
    }


def number_picture(scale: ScaleQuestion) -> SafeString | None:
    """Draw the histogram; None where the answers carry no bar."""
    channel, bars = band_of(scale), drawn_bars(scale)
    if not bars:
        return None
    return histogram_svg(
        bars,
        title=scale.text,
        end=channel.range.text(channel.range.high),
        unit=_unit(scale) or scale.question.key,
        share=_("share of people"),
    )


def drawn_bars(scale: ScaleQuestion) -> list[Bar]:
    """Return the bars of the picture, as many as the answers carry; none where they carry none."""
    channel, bins = band_of(scale), figures_of(scale).bins
    if bins is None or bins.drawn is None:
        return []
    bars, ticks, spans = bins.drawn.bars, channel.range, bins.drawn.spans
    return [
        Bar(
            name=name,
            begin=ticks.text(ticks.low + first * ticks.bin),
            share=float(bars.shares[position]),
            low=float(bars.low[position]),
            high=float(bars.high[position]),
            shape=float(bins.drawn.shape[position]),
        )
        for position, (name, (first, _last)) in enumerate(zip(bar_names(channel, spans), spans, strict=True))
    ]


def number_sentence(scale: ScaleQuestion) -> str:
    """Write the mean and the median with their intervals."""
    channel, figures, unit = band_of(scale), figures_of(scale), _unit(scale)
    sentences = []
    middle = figures.mean
    if middle is not None and known_error(middle.standard_error):
        ends = {"value": middle.value, "low": middle.low, "high": middle.high}
        sentences.append(
            _("Mean %(value)s (%(low)s to %(high)s)")
            % {name: typed(end, channel) for name, end in ends.items()}
        )
    for quantile in figures.bins.quantiles if figures.bins else ():
        if quantile.share == 0.5 and quantile.estimable:
            ends = {"value": quantile.value, "low": quantile.low, "high": quantile.high}
            sentences.append(
                _("median %(value)s (%(low)s to %(high)s)")
                % {name: typed(end, channel) for name, end in ends.items()}
            )
    if not sentences:
        return _("Too few people to show the mean or the median.")
    text = "; ".join(sentences)
    return _("%(figures)s, %(unit)s") % {"figures": text, "unit": unit} if unit else text


def _unit(scale: ScaleQuestion) -> str:
    return text_in(scale.wording.get("unit") or {}, get_language() or "en")
