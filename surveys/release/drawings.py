"""Pictures of a report as SVG with presentation attributes only; each has a table twin in the report."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from privacy.sdc.lattice import Lattice, SamaratiResult
from privacy.sdc.nodes import NodeReport

__all__ = ["bars", "curve", "lattice_picture", "paired_bars"]

_INK: Final = "#1d2b3a"
_SOFT: Final = "#9fb3c8"
_STRONG: Final = "#0b6e99"
_WARM: Final = "#c2571a"
_MOST_CIRCLES: Final = 4000


def _svg(width: float, height: float, title: str, body: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" font-family="sans-serif" font-size="12" fill="{_INK}">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def bars(title: str, rows: Sequence[tuple[str, float]], *, most: float | None = None) -> str:
    """Draw horizontal bars, one per row, each with its figure."""
    top = most or max([value for _, value in rows] + [1e-12])
    body = []
    for number, (label, value) in enumerate(rows):
        y = 6 + number * 22
        body.append(_text(150, y + 13, label, "end"))
        body.append(
            f'<rect x="158" y="{y}" width="{max(0.0, 300 * value / top):.1f}" height="16" fill="{_STRONG}"/>'
        )
        body.append(_text(464 if value >= top else 164 + 300 * value / top, y + 13, f"{value:.4g}"))
    return _svg(540, 14 + 22 * len(rows), title, body)


def paired_bars(title: str, rows: Sequence[tuple[str, float, float]]) -> str:
    """Draw two bars per row: before and after."""
    top = max([max(before, after) for _, before, after in rows] + [1e-12])
    body = []
    for number, (label, before, after) in enumerate(rows):
        y = 6 + number * 28
        body.append(_text(150, y + 16, label, "end"))
        for offset, value, colour in ((0, before, _SOFT), (11, after, _STRONG)):
            width = 300 * value / top
            body.append(f'<rect x="158" y="{y + offset}" width="{width:.1f}" height="10" fill="{colour}"/>')
    return _svg(480, 14 + 28 * len(rows), title, body)


def curve(
    title: str, series: Sequence[tuple[str, Sequence[tuple[float, float]]]], across: str, up: str
) -> str:
    """Draw one or several lines over common axes, from 0 upwards."""
    points = [point for _, line in series for point in line]
    right = max([x for x, _ in points] + [1e-12])
    top = max([y for _, y in points] + [1e-12])
    colours = (_STRONG, _WARM, "#4b7f52", "#7a4b94", "#555555")
    body = [
        f'<path d="M50 10 V210 H450" fill="none" stroke="{_INK}"/>',
        _text(450, 228, f"{across} (to {right:.4g})", "end"),
        _text(54, 20, f"{up} (to {top:.4g})"),
    ]
    for number, (name, line) in enumerate(series):
        colour = colours[number % len(colours)]
        path = " ".join(
            f"{'L' if place else 'M'}{50 + 400 * x / right:.1f} {210 - 190 * y / top:.1f}"
            for place, (x, y) in enumerate(line)
        )
        body.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body.append(f'<rect x="460" y="{14 + 18 * number}" width="10" height="10" fill="{colour}"/>')
        body.append(_text(474, 23 + 18 * number, name))
    return _svg(640, 236, title, body)


def lattice_picture(lattice: Lattice, search: SamaratiResult, chosen: NodeReport) -> str:
    """Draw the lattice by height: all nodes, the good ones found, and the chosen path from the bottom.

    Heights with more nodes than can be drawn show as many as fit; the number stands beside the row.
    """
    path = lattice.path(chosen.levels)
    on_path = {report.levels for report in path}
    good = {report.levels for report in search.nodes}
    top = sum(lattice.heights)
    rows = {height: list(lattice.nodes_at(height)) for height in range(top + 1)}
    widest = min(max(len(nodes) for nodes in rows.values()), _MOST_CIRCLES // (top + 1))
    places: dict[tuple[int, ...], tuple[float, float]] = {}
    body: list[str] = []
    for height, nodes in rows.items():
        y = 20.0 + (top - height) * 26
        shown = nodes[:widest]
        extra = [node for node in nodes[widest:] if node in on_path or node in good]
        shown += extra
        for number, node in enumerate(shown):
            places[node] = (60 + 520 * (number + 0.5) / max(1, len(shown)), y)
        body.append(_text(4, y + 4, f"{height}"))
        body.append(_text(636, y + 4, f"{len(nodes)}", "end"))
    steps = " ".join(
        f"{'L' if number else 'M'}{places[report.levels][0]:.1f} {places[report.levels][1]:.1f}"
        for number, report in enumerate(path)
    )
    body.append(f'<path d="{steps}" fill="none" stroke="{_WARM}" stroke-width="2"/>')
    for node, (x, y) in places.items():
        colour = _WARM if node in on_path else _STRONG if node in good else _SOFT
        radius = 4 if node in on_path or node in good else 1.5
        body.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>')
    return _svg(640, 40 + 26 * top, "Lattice of generalisations", body)
