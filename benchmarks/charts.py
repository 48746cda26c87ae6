"""Pictures of a measurement: engines side by side, how the cost grows, errors. All axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

__all__ = ["bars", "curves", "lines"]

INK, SOFT, OURS, PEERS = "#1c1c1c", "#767676", "#12686b", "#b9a88f"
FONT = 'font-family="system-ui, sans-serif" font-size="12"'


def bars(title: str, groups: Sequence[tuple[str, Sequence[tuple[str, float, bool]]]]) -> str:
    """Horizontal bars of seconds; a bar is (name, seconds, ours)."""
    values = [seconds for _, rows in groups for _, seconds, _ in rows]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    left, width = 190, 560
    parts, y = [], 40.0

    def across(seconds: float) -> float:
        return left + width * (math.log10(seconds) - low) / max(1, high - low)

    for name, rows in groups:
        parts.append(_text(8, y + 12, name, INK, weight="bold"))
        y += 20
        for engine, seconds, ours in rows:
            end = max(across(seconds), left + 1)
            parts.append(_text(20, y + 11, engine, INK))
            parts.append(
                f'<rect x="{left}" y="{y:.0f}" width="{end - left:.1f}" height="13" '
                f'fill="{OURS if ours else PEERS}"/>'
            )
            parts.append(_text(end + 5, y + 11, _seconds(seconds), SOFT))
            y += 17
        y += 8
    marks = "".join(
        f'<line x1="{across(10.0**power):.1f}" x2="{across(10.0**power):.1f}" y1="30" y2="{y:.0f}" '
        f'stroke="{SOFT}" stroke-opacity=".25"/>'
        for power in range(low, high + 1)
    )
    return _drawing(title, left + width + 90, y + 10, marks + "".join(parts))


def lines(title: str, label: str, points: Sequence[tuple[float, float]]) -> str:
    """Seconds over something that grows."""
    size_x, size_y, left, top = 560, 240, 70, 40
    xs, ys = [math.log10(x) for x, _ in points], [math.log10(y) for _, y in points]
    low_x, high_x = math.floor(min(xs)), math.ceil(max(xs))
    low_y, high_y = math.floor(min(ys)), math.ceil(max(ys))

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            left + size_x * (x - low_x) / max(1, high_x - low_x),
            top + size_y * (1 - (y - low_y) / max(1, high_y - low_y)),
        )

    parts = []
    for power in range(low_y, high_y + 1):
        _, at = place(low_x, power)
        parts.append(
            f'<line x1="{left}" x2="{left + size_x}" y1="{at:.1f}" y2="{at:.1f}" stroke="{SOFT}" '
            'stroke-opacity=".25"/>'
        )
        parts.append(_text(8, at + 4, _seconds(10.0**power), SOFT))
    for power in range(low_x, high_x + 1):
        at, _ = place(power, low_y)
        parts.append(_text(at - 12, top + size_y + 18, f"{10**power:,}" if power < 4 else f"1e{power}", SOFT))
    parts.append(_text(left + size_x - 8 * len(label), top + size_y + 36, label, INK))
    places = [place(x, y) for x, y in zip(xs, ys, strict=True)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts.append(f'<polyline points="{path}" fill="none" stroke="{OURS}" stroke-width="2"/>')
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{OURS}"/>' for x, y in places]
    return _drawing(title, left + size_x + 30, top + size_y + 50, "".join(parts))


def curves(
    title: str,
    label: str,
    lines_of: Mapping[str, Sequence[tuple[float, float]]],
    points_of: Mapping[str, Sequence[tuple[float, float]]],
) -> str:
    """Lines by formula, named at their ends, with measured points on them; the last line is a bound."""
    width, height, left, top = 560, 300, 60, 40
    values = [at for points in [*lines_of.values(), *points_of.values()] for at in points]
    low_x, high_x = (pick(math.log10(x) for x, _ in values) for pick in (min, max))
    low_y, high_y = math.floor(math.log10(min(y for _, y in values))), math.log10(max(y for _, y in values))

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            left + width * (math.log10(x) - low_x) / (high_x - low_x),
            top + height * (1 - (math.log10(y) - low_y) / (high_y - low_y)),
        )

    parts = []
    for power in range(low_y, math.ceil(high_y)):
        _, at = place(10**low_x, 10.0**power)
        parts.append(
            f'<line x1="{left}" x2="{left + width}" y1="{at:.1f}" y2="{at:.1f}" stroke="{SOFT}" '
            'stroke-opacity=".25"/>'
        )
        parts.append(_text(8, at + 4, f"{10.0**power:g}", SOFT))
    for x in sorted({x for points in points_of.values() for x, _ in points}):
        at, _ = place(x, 10.0**low_y)
        parts.append(_text(at - 16, top + height + 18, f"{x:,.0f}", SOFT))
    parts.append(_text(left + width - 8 * len(label), top + height + 36, label, INK))
    for number, (name, points) in enumerate(lines_of.items()):
        colour = (PEERS, OURS, INK)[min(number, 2)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*at) for at in points))
        dashed = ' stroke-dasharray="4 4"' if name not in points_of else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>')
        end_x, end_y = place(*points[-1])
        parts.append(_text(end_x + 6, end_y + 4, name, colour, weight="bold"))
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
            for x, y in (place(*at) for at in points_of.get(name, ()))
        ]
    return _drawing(title, left + width + 150, top + height + 50, "".join(parts))


def _drawing(title: str, width: float, height: float, inside: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f"aria-label={quoteattr(title)}><title>{escape(title)}</title>"
        '<rect width="100%" height="100%" fill="#fff"/>'
        f"{_text(8, 20, title, INK, weight='bold')}{inside}</svg>\n"
    )


def _text(x: float, y: float, text: str, fill: str, *, weight: str = "normal") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {FONT} font-weight="{weight}" fill="{fill}">{escape(text)}</text>'


def _seconds(seconds: float) -> str:
    """Write a time with two digits.

    >>> _seconds(0.00042), _seconds(0.312), _seconds(12.3)
    ('0.42 ms', '312 ms', '12 s')
    """
    if seconds >= 1:
        return f"{seconds:.2g} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.01 else f"{1000 * seconds:.2g} ms"
