"""The page of a place question, and its picture to be saved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from privacy.disguise.area import DEGREE
from privacy.disguise.windows import Region, Windows
from privacy.numbers import Fit
from surveys.report.disclosure import shown_count
from surveys.report.figures import Figure, share_figure
from surveys.report.lone.asked import Asked
from surveys.report.lone.density_map import Tiles, density_svg, step_bounds, tiles_of
from surveys.report.lone.histogram import NORMAL
from surveys.report.lone.place_figures import (
    RegionFigure,
    place_density,
    place_mean,
    place_regions,
    regions_of,
)
from surveys.report.lone.words import ended_text, ground_text, mechanism_text, promise_of, share_text

__all__ = [
    "NamedRegion",
    "PlacePage",
    "named_regions",
    "place_page",
    "place_picture",
    "region_hidden",
    "windows_of",
]

MOST_LINES: Final = 50
"""Cells in the page's table; the file has them all."""


@dataclass(frozen=True, kw_only=True)
class NamedRegion:
    """A region with its name and its figure."""

    key: str
    name: str
    region: Region
    figure: RegionFigure


@dataclass(frozen=True, kw_only=True)
class RegionLine:
    """One region in the table; the figure is None where it is hidden."""

    name: str
    figure: Figure | None
    summed: bool


@dataclass(frozen=True, kw_only=True)
class TileLine:
    """One of the darkest tiles of the map in its table twin."""

    latitude: str
    longitude: str
    share: str


@dataclass(frozen=True, kw_only=True)
class MeanLine:
    """The mean place."""

    latitude: str
    longitude: str
    error_east: str
    error_north: str


@dataclass(frozen=True, kw_only=True)
class PlacePage:
    """Everything the page of a place shows."""

    key: str
    text: str
    n: str
    n_direct: str
    mechanism: str
    gamma: str
    epsilon: str
    exact_outside: bool
    drawing: SafeString
    smooth: bool
    tiles: tuple[TileLine, ...]
    seen: int
    hidden: int
    cells: str
    cell_size: str
    cells_to_a_tile: int
    least: int
    regions: tuple[RegionLine, ...]
    mean: MeanLine | None
    ended: str
    halves: bool


def windows_of(asked: Asked) -> Windows:
    """Return the disguise of a place question."""
    disguise = asked.question.disguise
    if not isinstance(disguise, Windows):
        raise TypeError(f"{asked.question.key} is no place")
    return disguise


def place_page(asked: Asked, *, smooth: bool) -> PlacePage:
    """Return what the page shows; `smooth` smooths the reconstruction of the map."""
    windows = windows_of(asked)
    fit = place_density(windows, asked.sent, smooth=smooth)
    tiles = _tiles(asked, fit)
    gamma, epsilon = promise_of(windows)
    rounded = asked.shown.rounded
    width, height = windows.area.cell_metres
    return PlacePage(
        key=asked.question.key,
        text=asked.text,
        n=shown_count(asked.sent.n, rounded=rounded),
        n_direct=shown_count(asked.n_direct, rounded=rounded)
        if asked.shown.groups and asked.n_direct
        else "",
        mechanism=mechanism_text(windows.mechanism),
        gamma=gamma,
        epsilon=epsilon,
        exact_outside=windows.exact_outside,
        drawing=place_picture(asked, smooth=smooth),
        smooth=smooth,
        tiles=tuple(_tile_lines(asked, windows, tiles)),
        seen=int((~tiles.hidden).sum()),
        hidden=int(tiles.hidden.sum()),
        cells=f"{windows.area.columns} × {windows.area.rows}",
        cell_size=f"{ground_text(width)} × {ground_text(height)}",
        cells_to_a_tile=tiles.size,
        least=asked.least_people,
        regions=tuple(_region_line(asked, named) for named in named_regions(asked, fit)),
        mean=_mean_line(asked, windows),
        ended=ended_text(fit),
        halves=asked.page.thresholds.halves,
    )


def place_picture(asked: Asked, *, smooth: bool, paper: bool = False) -> SafeString:
    """Draw the map; with `paper` it has a background, to be saved."""
    windows = windows_of(asked)
    tiles = _tiles(asked, place_density(windows, asked.sent, smooth=smooth))
    steps = [_("up to %(share)s") % {"share": _share(asked, high)} for _low, high in step_bounds(tiles)]
    # A map that is sensitive everywhere needs no marks on it.
    sensitive = [box for level in windows.levels for box in level.rectangles] if windows.exact_outside else []
    return density_svg(
        tiles,
        windows.area,
        title=asked.text,
        steps=steps,
        hidden=_("fewer than %(least)s people: not shown") % {"least": asked.least_people}
        if asked.least_people
        else "",
        sensitive=sensitive,
        sensitive_word=_("sensitive places"),
        outline=asked.wording.get("outline") or (),
        paper=paper,
    )


def named_regions(asked: Asked, fit: Fit) -> Iterator[NamedRegion]:
    """Yield the regions of a map: those that its researcher named, then other sensitive places."""
    windows = windows_of(asked)
    found = regions_of(windows)
    figures = list(place_regions(windows, asked.sent, [*found.declared, *found.sensitive], fit.shares))
    named = [(item.key, item.option) for item in asked.items]
    named += [
        (f"sensitive-{place}", _("sensitive place %(place)s") % {"place": place})
        for place in range(1, len(found.sensitive) + 1)
    ]
    for (key, name), region, figure in zip(named, [*found.declared, *found.sensitive], figures, strict=True):
        yield NamedRegion(key=key, name=name, region=region, figure=figure)


def region_hidden(asked: Asked, figure: RegionFigure) -> bool:
    """Whether a region's share would tell of too few people: exact reports or direct answers are in it."""
    tells = figure.outside or asked.n_direct > 0
    value = figure.summed if figure.share is None else figure.share.value
    return tells and value * asked.sent.n < asked.least_people


def _tiles(asked: Asked, fit: Fit) -> Tiles:
    shares: NDArray[np.float64] = fit.shares
    return tiles_of(shares, asked.sent.n, asked.least_people)


def _tile_lines(asked: Asked, windows: Windows, tiles: Tiles) -> Iterator[TileLine]:
    area = windows.area
    shares = np.where(tiles.hidden, -1.0, tiles.shares).ravel()
    for place in np.argsort(-shares, kind="stable")[:MOST_LINES].tolist():
        if shares[place] < 0:
            return
        row, column = divmod(place, tiles.shares.shape[1])
        across = (column + 0.5) * tiles.size * (area.east - area.west) / area.columns
        up = (row + 0.5) * tiles.size * (area.north - area.south) / area.rows
        yield TileLine(
            latitude=_degrees((area.south + up) / DEGREE),
            longitude=_degrees((area.west + across) / DEGREE),
            share=_share(asked, float(shares[place])),
        )


def _region_line(asked: Asked, named: NamedRegion) -> RegionLine:
    figure = named.figure
    if region_hidden(asked, figure):
        return RegionLine(name=named.name, figure=None, summed=False)
    if figure.share is None:
        return RegionLine(name=named.name, figure=Figure(value=_share(asked, figure.summed)), summed=True)
    reach = NORMAL * figure.share.standard_error
    value = figure.share.value
    ends = (asked.told(one) for one in (value, value - reach, value + reach))
    return RegionLine(name=named.name, figure=share_figure(*ends), summed=False)


def _mean_line(asked: Asked, windows: Windows) -> MeanLine | None:
    found = place_mean(windows, asked.sent)
    if found is None:
        return None
    return MeanLine(
        latitude=_degrees(found.latitude),
        longitude=_degrees(found.longitude),
        error_east=ground_text(found.error_east),
        error_north=ground_text(found.error_north),
    )


def _degrees(value: float) -> str:
    return f"{value:.5f}".replace("-", "−")


def _share(asked: Asked, share: float) -> str:
    return share_text(asked.told(share))
