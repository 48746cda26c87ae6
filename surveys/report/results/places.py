"""The figures of a place question in words and pictures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.scales.area import Area
from privacy.scales.planar_degrees import middle_in
from privacy.scales.planar_parts import map_parts
from privacy.scales.planar_pieces import Pieces
from privacy.scales.planar_resolution import Resolution, alike, reveals_nothing
from privacy.scales.planar_window import PlanarWindowChannel
from surveys.formats.density_map import density_svg, step_bounds, tile_side
from surveys.formats.numbers import share_text
from surveys.runs.density_cache import density_of
from surveys.runs.places import place_mean, windows_of
from surveys.runs.releasable_map import ReleasableMap, releasable_map
from surveys.runs.scale_question import ScaleQuestion

MOST_LINES: Final = 50
"""Most cells in the page's table; the file has all cells."""


def place_context(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the context of a place question's page."""
    windows = windows_of(scale)
    density = density_of(scale)
    side = tile_side(windows.area)
    shown_map = releasable_map(scale, density)
    pieces = shown_map.pieces
    return {
        "density": density,
        "drawing": _picture(scale, shown_map),
        "darkest": list(_densest_pieces(windows.area, pieces)),
        "seen": int((~pieces.hidden).sum()),
        "merged": int((pieces.side > side).sum()),
        "largest": int(pieces.side.max()),
        "hidden": int(pieces.hidden.sum()),
        "side": side,
        "has_windows": any(level.window > 1 for level in windows.levels),
        "regions": shown_map.regions,
        "hidden_regions": any(region.hidden for region in shown_map.regions),
        "parts": len(map_parts(windows)),
        "alike": _cached_resolution(windows),
        "says_nothing": reveals_nothing(windows),
        "mean": place_mean(scale),
    }


def place_picture(scale: ScaleQuestion) -> SafeString:
    """Draw the map."""
    return _picture(scale, releasable_map(scale, density_of(scale)))


def _picture(scale: ScaleQuestion, place_map: ReleasableMap) -> SafeString:
    windows, pieces = windows_of(scale), place_map.pieces
    steps = [
        _("up to %(share)s") % {"share": share_text(high)} for _low, high in step_bounds(pieces, windows.area)
    ]
    # Mark sensitive areas only if the rest of the map is not sensitive.
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


def _densest_pieces(area: Area, pieces: Pieces) -> Iterator[tuple[float, float, int, int, float]]:
    """Yield longitude and latitude of the middle, columns, rows and share of each piece, darkest first."""
    per_cell = pieces.share / pieces.cells((area.rows, area.columns))
    for piece in np.argsort(np.where(pieces.hidden, np.inf, -per_cell), kind="stable")[:MOST_LINES].tolist():
        if pieces.hidden[piece]:
            return
        column, row, side = (int(values[piece]) for values in (pieces.column, pieces.row, pieces.side))
        wide, high = min(side, area.columns - column), min(side, area.rows - row)
        yield *middle_in(area, column, row, side), wide, high, float(pieces.share[piece])


@lru_cache(maxsize=64)
def _cached_resolution(windows: PlanarWindowChannel) -> Resolution:
    return alike(windows)
