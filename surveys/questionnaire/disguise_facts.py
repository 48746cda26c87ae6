"""Facts about the disguise of a number or a place, in a form that can be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.channels.amplification import effective_epsilon
from privacy.scales.area import DEGREE
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.window import WindowChannel
from privacy.survey.design_json import read_disguise


def disguise_facts(question: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield name and text of each fact about a question of a stored design that is a number or a place."""
    disguise = read_disguise(question["kind"], question["disguise"])
    yield _("mechanism"), disguise.mechanism
    if not disguise.is_as_answered:
        yield _("ε"), epsilon_text(disguise)
    if isinstance(disguise, WindowChannel):
        ticks = disguise.range
        yield _("range"), f"{ticks.text(ticks.low)} – {ticks.text(ticks.high)}"
        yield _("bins"), str(ticks.bins)
        yield _("bands"), "; ".join(f"{first} – {last}" for first, last in disguise.spans)
        return
    area = disguise.area
    edges = (area.west, area.south, area.east, area.north)
    yield _("area"), ", ".join(f"{edge / DEGREE:g}" for edge in edges)
    yield _("cells"), f"{area.columns} × {area.rows}"
    yield (
        _("sensitive cells"),
        " | ".join(
            "; ".join(",".join(map(str, box)) for box in level.rectangles) for level in disguise.levels
        ),
    )
    yield _("windows"), " | ".join(_windows(level) for level in disguise.levels)
    yield (
        _("regions"),
        " | ".join("; ".join(",".join(map(str, box)) for box in region) for region in disguise.regions),
    )


def _windows(level: PlanarLevel) -> str:
    """Return the sizes of a level's windows, in cells."""
    sizes = sorted({(across, up) for *_frame, across, up in level.frames})
    return ", ".join(f"{across} × {up}" for across, up in sizes)


def epsilon_text(disguise: WindowChannel | PlanarWindowChannel) -> str:
    """Format the ε of a disguise, one per level if there are several."""
    if isinstance(disguise, PlanarWindowChannel):
        return " / ".join(f"{effective_epsilon(level.amplification):.2f}" for level in disguise.levels)
    return f"{effective_epsilon(disguise.amplification):.2f}"
