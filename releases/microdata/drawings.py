"""Pictures of a release: figures before and after, and the lattice; each has its table beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.sdc.hierarchy import NodeReport
from privacy.sdc.lattice import Lattice, SamaratiResult
from releases.charts.bars import Bar, bars_svg
from surveys.charts import svg

__all__ = ["before_and_after", "lattice_picture"]

WIDTH: Final = 400.0
LEFT, RIGHT, TOP, ROW, EDGE = 54.0, 54.0, 46.0, 24.0, 6.0
MOST_NODES: Final = 4000
"""A height with more nodes than its share of these is drawn with so many, beside their number."""


def before_and_after(
    title: str, rows: Sequence[tuple[str, float, float]], *, most: float | None = None
) -> SafeString:
    """Draw two bars for each (name, before, after), the one before hollow.

    Parameters
    ----------
    title : str
    rows : sequence of tuple
    most : float, optional
        The natural end of the scale (1 for a share).
    """
    bars = []
    for label, before, after in rows:
        bars += [Bar(label=label, value=before, kind=1), Bar(label="", value=after)]
    return bars_svg(bars, title=title, kinds=(_("after"), _("before")), most=most)


def lattice_picture(lattice: Lattice, search: SamaratiResult, chosen: NodeReport) -> SafeString:
    """Draw the lattice by height: all nodes, the good ones found, and the chosen path from the bottom.

    Nodes of the path are squares on its line, the other good ones are circles, all others dots.
    """
    path = lattice.path(chosen.levels)
    on_path = {report.levels for report in path}
    good = {report.levels for report in search.nodes}
    top = sum(lattice.heights)
    rows = {height: list(lattice.nodes_at(height)) for height in range(top + 1)}
    widest = min(max(len(nodes) for nodes in rows.values()), MOST_NODES // (top + 1))
    title = _("Lattice of generalisations")
    drawing = svg.drawing(WIDTH, TOP + ROW * (top + 1) + 40, title=title)
    drawing.attributes["class"] = "lattice"
    svg.text(drawing, EDGE, 16, _("↑ height"))
    svg.text(drawing, WIDTH - EDGE, 32, _("generalisations of this height"), text_anchor="end")
    places: dict[tuple[int, ...], tuple[float, float]] = {}
    for height, nodes in rows.items():
        y = TOP + (top - height + 0.5) * ROW
        shown = nodes[:widest] + [node for node in nodes[widest:] if node in on_path or node in good]
        for number, node in enumerate(shown):
            x = LEFT + (WIDTH - LEFT - RIGHT) * (number + 0.5) / len(shown)
            places[node] = (round(x, 1), y)
        svg.text(drawing, EDGE, y + 4, f"{height}")
        svg.text(drawing, WIDTH - EDGE, y + 4, f"{len(nodes):,}", text_anchor="end")
    for node, (x, y) in places.items():
        if node not in on_path and node not in good:
            svg.circle(drawing, x, y, 1.5, css="mark--quiet", fill=svg.STRONG)
    points = " ".join(f"{x:g},{y:g}" for x, y in (places[report.levels] for report in path))
    drawing.add(
        "polyline",
        {"points": points, "class": "shape", "fill": "none", "stroke": svg.WARN, "stroke-width": "2"},
    )
    for node in sorted(good - on_path):
        svg.circle(drawing, *places[node], 4, css="mark", fill=svg.ACCENT)
    for report in path:
        _draw_square(drawing, *places[report.levels])
    x, y = EDGE + 4, TOP + ROW * (top + 1) + 14
    _draw_square(drawing, x, y - 4)
    svg.text(drawing, x + 10, y, _("chosen path"))
    svg.circle(drawing, x, y + 12, 4, css="mark", fill=svg.ACCENT)
    svg.text(drawing, x + 10, y + 16, _("others that keep k at the least height"))
    return svg.rendered(drawing)


def _draw_square(drawing: svg.Part, x: float, y: float) -> None:
    box = {"x": f"{x - 4:g}", "y": f"{y - 4:g}", "width": "8", "height": "8"}
    drawing.add(
        "rect", {**box, "class": "mark--hollow", "fill": svg.PAPER, "stroke": svg.WARN, "stroke-width": "2"}
    )
