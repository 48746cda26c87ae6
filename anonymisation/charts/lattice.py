"""Risk against loss of many generalisations: each a mark, the ones that matter by shape, and the way to one.

Shapes tell the kinds apart without any colour: a dot, a ring, a triangle, a square on its tip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from django.utils.safestring import SafeString

from surveys.charts import axes, svg

__all__ = ["Dot", "Words", "lattice_svg"]

WIDTH, HEIGHT = 400.0, 372.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 16.0, 92.0, 40.0

Kind = Literal["below", "good", "minimal", "chosen"]
KINDS: Final[tuple[Kind, ...]] = ("below", "good", "minimal", "chosen")
"""From those that matter least to the one that matters most; drawn in this order."""


@dataclass(frozen=True, kw_only=True)
class Dot:
    """One generalisation; both shares in [0, 1], `said` is shown under the pointer."""

    loss: float
    risk: float
    kind: Kind
    said: str = ""


@dataclass(frozen=True, kw_only=True)
class Words:
    """The texts of the picture in the reader's language; `kinds` in the order of `KINDS`."""

    title: str
    loss: str
    risk: str
    path: str
    kinds: tuple[str, str, str, str]


def lattice_svg(dots: Sequence[Dot], path: Sequence[Dot], words: Words) -> SafeString:
    """Return the picture.

    Parameters
    ----------
    dots : sequence of Dot
    path : sequence of Dot
        The way from the table as it is to the chosen node, in order; a dashed line.
    words : Words
    """
    drawing = svg.drawing(WIDTH, HEIGHT, title=words.title)
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    across = axes.axis_over([dot.loss for dot in (*dots, *path)], start=LEFT, end=right, most=1.0)
    up = axes.axis_over([dot.risk for dot in (*dots, *path)], start=bottom, end=TOP, most=1.0)
    for tick in up.ticks:
        css, stroke = ("axis", svg.STRONG) if tick == up.low else ("grid", svg.LINE)
        svg.line(drawing, LEFT, up.position(tick), right, up.position(tick), css=css, stroke=stroke)
        svg.text(drawing, LEFT - 6, up.position(tick) + 4, up.label(tick), text_anchor="end")
    for tick in across.ticks:
        svg.text(drawing, across.position(tick), bottom + 17, across.label(tick), text_anchor="middle")
    svg.text(drawing, right, HEIGHT - 6, f"{words.loss} →", text_anchor="end")
    svg.text(drawing, 4, TOP - 14, f"↑ {words.risk}")
    _key(drawing, words)
    for kind in KINDS[:2]:
        _marks(drawing, dots, kind, across, up)
    places = " ".join(f"{across.position(dot.loss):g},{up.position(dot.risk):g}" for dot in path)
    drawing.add("polyline", {"points": places, **_PATH})
    for kind in KINDS[2:]:
        _marks(drawing, dots, kind, across, up)
    return svg.rendered(drawing)


_PATH: Final = {
    "fill": "none", "stroke": svg.INK, "stroke-width": "1.25", "stroke-dasharray": "5 3", "class": "reach",
}  # fmt: skip


def _key(drawing: svg.Part, words: Words) -> None:
    for position, (kind, name) in enumerate(zip(KINDS, words.kinds, strict=True)):
        x, y = 12 + (WIDTH - 12) / 2 * (position % 2), 14 + 18 * (position // 2)
        _mark(drawing, x, y, kind)
        svg.text(drawing, x + 12, y + 4, svg.cut(name, (WIDTH - 12) / 2 - 20))
    drawing.add("polyline", {"points": "4,50 22,50", **_PATH})
    svg.text(drawing, 28, 54, svg.cut(words.path, WIDTH - 40))


def _marks(drawing: svg.Part, dots: Sequence[Dot], kind: Kind, across: axes.Axis, up: axes.Axis) -> None:
    # Generalisations that are alike in both lie on one place, and are drawn once.
    seen: dict[tuple[float, float], list[str]] = {}
    for dot in dots:
        if dot.kind == kind:
            seen.setdefault((across.position(dot.loss), up.position(dot.risk)), []).append(dot.said)
    for (x, y), said in seen.items():
        mark = _mark(drawing, x, y, kind)
        if any(said):
            mark.add("title", text="\n".join(filter(None, said)))


def _mark(parent: svg.Part, x: float, y: float, kind: Kind) -> svg.Part:
    if kind == "below":
        return svg.circle(parent, x, y, 1.75, css="mark--quiet", fill=svg.STRONG)
    if kind == "good":
        return svg.circle(
            parent, x, y, 3.5, css="mark--hollow", fill=svg.PAPER, stroke=svg.ACCENT, stroke_width="1.75"
        )
    if kind == "minimal":
        points = f"{x:g},{y - 6:g} {x + 5.5:g},{y + 4:g} {x - 5.5:g},{y + 4:g}"
        return parent.add("polygon", {"points": points, "fill": svg.ACCENT, "class": "mark"})
    return svg.diamond(
        parent, x, y, 7.5, css="mark--below", fill=svg.WARN, stroke=svg.PAPER, stroke_width="1.5"
    )
