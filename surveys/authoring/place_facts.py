"""Facts about the map of a place, for comparing two versions."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from privacy.scales.area import DEGREE
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from surveys.formats.joints import list_text
from surveys.formats.numbers import count_text


def place_facts(windows: PlanarWindowChannel) -> Iterator[tuple[str, str]]:
    """Yield the facts (name, text) about the map of a place, its areas and its windows."""
    area = windows.area
    edges = (area.west, area.south, area.east, area.north)
    yield _("area"), ", ".join(f"{edge / DEGREE:g}" for edge in edges)
    yield _("cells"), f"{count_text(area.columns)} × {count_text(area.rows)}"
    yield (
        _("sensitive cells"),
        " | ".join(
            "; ".join(",".join(map(str, box)) for box in level.rectangles) for level in windows.levels
        ),
    )
    yield _("windows"), " | ".join(_windows(level) for level in windows.levels)
    yield (
        _("regions"),
        " | ".join("; ".join(",".join(map(str, box)) for box in region) for region in windows.regions),
    )


def _windows(level: PlanarLevel) -> str:
    """Return the sizes of a level's windows, in cells."""
    sizes = sorted({(across, up) for *_frame, across, up in level.frames})
    return list_text(f"{across} × {up}" for across, up in sizes)
