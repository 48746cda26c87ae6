"""The page of a number question, and its picture to be saved."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from privacy.disguise.band import Band
from surveys.report.disclosure import shown_count
from surveys.report.figures import NORMAL, number
from surveys.report.lone.asked import Asked
from surveys.report.lone.histogram import Bar, histogram_svg
from surveys.report.lone.number_figures import Curve, NumberFigures, bars_of
from surveys.report.lone.number_told import band_of, figures_of, hidden_bars, told_quantile
from surveys.report.lone.words import NO_ERROR, ended_text, mechanism_text, promise_of, share_text
from surveys.respond.page import text_in

__all__ = [
    "BarLine",
    "NumberPage",
    "QuantileLine",
    "bar_names",
    "number_page",
    "number_picture",
]


@dataclass(frozen=True, kw_only=True)
class BarLine:
    """One bar in the table; empty texts where it is hidden."""

    name: str
    smooth: str
    smooth_error: str
    plain: str
    plain_error: str
    hidden: bool


@dataclass(frozen=True, kw_only=True)
class QuantileLine:
    """One quantile in the table."""

    name: str
    value: str
    low: str
    high: str


@dataclass(frozen=True, kw_only=True)
class NumberPage:
    """Everything the page of a number shows."""

    key: str
    text: str
    unit: str
    n: str
    n_direct: str
    mechanism: str
    gamma: str
    epsilon: str
    drawing: SafeString
    plain: bool
    bars: tuple[BarLine, ...]
    bins: int
    bins_to_a_bar: int
    hidden: int
    least: int
    mean: QuantileLine | None
    mean_error: str
    quantiles: tuple[QuantileLine, ...]
    ended_smooth: str
    ended_plain: str
    seed: int
    replicates: int
    halves: bool


def bar_names(band: Band) -> list[str]:
    """Return what each bar holds: "20 – 29".

    >>> from privacy.disguise.number_range import NumberRange
    >>> from privacy.numbers import keep
    >>> bar_names(keep(NumberRange(low=0, high=19, bin=10), 1.0))
    ['0 – 9', '10 – 19']
    """
    names = []
    for first, last in bars_of(band):
        low = band.range.low + first * band.range.bin
        high = band.range.low + (last + 1) * band.range.bin - 1
        names.append(
            band.range.text(low) if low == high else f"{band.range.text(low)} – {band.range.text(high)}"
        )
    return names


def number_page(asked: Asked, *, plain: bool) -> NumberPage:
    """Return what the page shows; `plain` draws the reconstruction without smoothing."""
    band, figures = band_of(asked), figures_of(asked)
    gamma, epsilon = promise_of(band)
    hidden = hidden_bars(asked, figures)
    unit = _unit(asked)
    rounded = asked.shown.rounded
    return NumberPage(
        key=asked.question.key,
        text=asked.text,
        unit=unit,
        n=shown_count(asked.sent.n, rounded=rounded),
        n_direct=shown_count(asked.n_direct, rounded=rounded)
        if asked.shown.groups and asked.n_direct
        else "",
        mechanism=mechanism_text(band.mechanism),
        gamma=gamma,
        epsilon=epsilon,
        drawing=_picture(asked, figures, hidden, plain=plain, paper=False),
        plain=plain,
        bars=tuple(_bar_lines(asked, band, figures, hidden)),
        bins=band.inputs,
        bins_to_a_bar=bars_of(band)[0][1] + 1,
        hidden=sum(hidden),
        least=asked.least_people,
        mean=_mean_line(asked, band, figures),
        mean_error=_of(asked, figures.mean.standard_error, band)
        if figures.mean and figures.mean.standard_error > NO_ERROR
        else "",
        quantiles=tuple(
            QuantileLine(
                name=_quantile_name(found.share),
                value=_of(asked, found.value, band),
                low=_of(asked, found.low, band),
                high=_of(asked, found.high, band),
            )
            for found in (told_quantile(band, one, hidden) for one in figures.quantiles)
        ),
        ended_smooth=ended_text(figures.smooth.fit),
        ended_plain=ended_text(figures.plain.fit),
        seed=asked.seed,
        replicates=figures.replicates,
        halves=asked.page.thresholds.halves,
    )


def number_picture(asked: Asked, *, plain: bool, paper: bool = False) -> SafeString:
    """Draw the histogram; with `paper` it has a background, to be saved."""
    figures = figures_of(asked)
    return _picture(asked, figures, hidden_bars(asked, figures), plain=plain, paper=paper)


def _picture(
    asked: Asked, figures: NumberFigures, hides: list[bool], *, plain: bool, paper: bool
) -> SafeString:
    band = band_of(asked)
    curve = figures.plain if plain else figures.smooth
    ticks = band.range
    bars = [
        Bar(
            begin=ticks.text(ticks.low + first * ticks.bin),
            said=f"{name}: {_share(asked, share)} ± {_share(asked, NORMAL * error)}",
            share=float(share),
            error=float(error),
            hidden=hidden,
        )
        for (first, _last), name, share, error, hidden in zip(
            bars_of(band),
            bar_names(band),
            curve.shares,
            curve.errors,
            hides,
            strict=True,
        )
    ]
    return histogram_svg(
        bars,
        title=asked.text,
        end=ticks.text(ticks.high),
        unit=_unit(asked) or asked.question.key,
        share=_("share of people"),
        paper=paper,
    )


def _bar_lines(asked: Asked, band: Band, figures: NumberFigures, hidden: list[bool]) -> list[BarLine]:
    def said(curve: Curve, place: int, name: str) -> str:
        return "" if hidden[place] else _share(asked, float(getattr(curve, name)[place]))

    return [
        BarLine(
            name=name,
            smooth=said(figures.smooth, place, "shares"),
            smooth_error=said(figures.smooth, place, "errors"),
            plain=said(figures.plain, place, "shares"),
            plain_error=said(figures.plain, place, "errors"),
            hidden=hidden[place],
        )
        for place, name in enumerate(bar_names(band))
    ]


def _mean_line(asked: Asked, band: Band, figures: NumberFigures) -> QuantileLine | None:
    found = figures.mean
    if found is None:
        return None
    value, low, high = (_of(asked, one, band) for one in (found.value, found.low, found.high))
    return QuantileLine(name=_("mean"), value=value, low=low, high=high)


def _quantile_name(share: float) -> str:
    return _("median") if share == 0.5 else _("%(percent)s %% are below") % {"percent": f"{100 * share:g}"}


def _unit(asked: Asked) -> str:
    return text_in(asked.wording.get("unit") or {}, get_language() or "en")


def _share(asked: Asked, share: float) -> str:
    return share_text(asked.told(share))


def _of(asked: Asked, value: float, band: Band) -> str:
    """Write a value in the unit of the answers, with a digit more than they have."""
    return number(asked.told(value), band.range.decimals + 1)
