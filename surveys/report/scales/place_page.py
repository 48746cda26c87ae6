"""The page of a place question, and its picture."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.scales.area import Area
from privacy.scales.density_bootstrap import Pieces
from privacy.scales.map_parts import map_parts
from privacy.scales.planar_alike import Alike, alike, tells_nothing
from privacy.scales.planar_window import PlanarWindowChannel
from surveys.charts.density_map import density_svg, step_bounds, tile_side
from surveys.figures.scales.density_cache import density_of
from surveys.figures.scales.files import middle_in
from surveys.figures.scales.place_estimates import place_mean
from surveys.figures.scales.place_suppression import ReleasableMap, releasable_map, windows_of
from surveys.figures.scales.question import ScaleQuestion
from surveys.formats.figures import share_text

__all__ = ["place_context", "place_picture"]

MOST_LINES: Final = 50
"""Cells in the page's table; the file has them all."""


def place_context(scale: ScaleQuestion, *, smooth: bool) -> dict[str, Any]:
    """Return the context of the page; `smooth` smooths the reconstruction of the map."""
    windows = windows_of(scale)
    density = density_of(scale, smooth=smooth)
    side = tile_side(windows.area)
    released = releasable_map(scale, density)
    pieces = released.pieces
    return {
        "density": density,
        "drawing": _picture(scale, released),
        "smooth": smooth,
        "darkest": list(_darkest(windows.area, pieces)),
        "seen": int((~pieces.hidden).sum()),
        "merged": int((pieces.side > side).sum()),
        "largest": int(pieces.side.max()),
        "hidden": int(pieces.hidden.sum()),
        "side": side,
        "has_windows": any(level.window > 1 for level in windows.levels),
        "regions": released.regions,
        "hidden_regions": any(named.hidden for named in released.regions),
        "parts": len(map_parts(windows)),
        "alike": _alike(windows),
        "says_nothing": tells_nothing(windows),
        "mean": place_mean(windows, scale.sent),
    }


def place_picture(scale: ScaleQuestion) -> SafeString:
    """Draw the map, not smoothed."""
    return _picture(scale, releasable_map(scale, density_of(scale, smooth=False)))


def _picture(scale: ScaleQuestion, released: ReleasableMap) -> SafeString:
    windows, pieces = windows_of(scale), released.pieces
    steps = [
        _("up to %(share)s") % {"share": share_text(high)} for _low, high in step_bounds(pieces, windows.area)
    ]
    # A map that is sensitive everywhere needs no marks on it.
    sensitive = [box for level in windows.levels for box in level.rectangles] if windows.exact_outside else []
    return density_svg(
        pieces,
        windows.area,
        title=scale.text,
        steps=steps,
        hidden=_("not shown") if scale.least_people else "",
        sensitive=sensitive,
        sensitive_word=_("sensitive places"),
        outline=scale.wording.get("outline") or (),
    )


def _darkest(area: Area, pieces: Pieces) -> Iterator[tuple[float, float, int, int, float]]:
    """Yield middle (longitude, latitude), columns, rows and share of the pieces, the darkest first."""
    per_cell = pieces.share / pieces.cells((area.rows, area.columns))
    for piece in np.argsort(np.where(pieces.hidden, np.inf, -per_cell), kind="stable")[:MOST_LINES].tolist():
        if pieces.hidden[piece]:
            return
        column, row, side = (int(given[piece]) for given in (pieces.column, pieces.row, pieces.side))
        wide, high = min(side, area.columns - column), min(side, area.rows - row)
        yield *middle_in(area, column, row, side), wide, high, float(pieces.share[piece])


@lru_cache(maxsize=64)
def _alike(windows: PlanarWindowChannel) -> Alike:
    return alike(windows)
