"""A finding as one picture of 1,200 by 630 px, the size in which messages and pages show a link.

It needs no font and no server: browsers use their own font, and the text is large enough for a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.safestring import SafeString

from surveys.formats.interval_chart import IntervalRow
from surveys.formats.svg import (
    ACCENT,
    INK,
    LINE,
    PAPER,
    SOFT,
    Axis,
    Part,
    circle,
    cut,
    drawing,
    line,
    lines_of,
    render_svg,
    text,
)

CARD_SIZE: Final = (1200.0, 630.0)
_MARGIN: Final = 60.0
_SIZES: Final = (36, 32, 28, 24, 21, 18)
"""Sizes of the sentences, in px; the largest at which they fit is used."""
_ROW: Final = 62.0
_HALO: Final = {"stroke": PAPER, "stroke_width": "6", "paint_order": "stroke"}
"""Keeps a label readable where it crosses the axis."""
_MOST: Final = 1_300
"""More characters of a sentence never fit."""
_LETTER: Final = 12
"""`lines_of` and `cut` measure texts of this size."""


def card_svg(
    *, title: str, heading: str, lines: Sequence[str], rows: Sequence[IntervalRow], unit: str, foot: str
) -> SafeString:
    """Draw a card.

    Parameters
    ----------
    title, heading : str
    lines : sequence of str
        Sentences, largest first; what does not fit at the smallest size ends with an ellipsis.
    rows : sequence of IntervalRow
        At most two are drawn, on an axis from 0 to 1.
    unit, foot : str
    """
    width, height = CARD_SIZE
    shown = [*rows][:2]
    description = " ".join([*lines, "; ".join(f"{row.name}: {row.text}" for row in shown), foot])
    picture = drawing(width, height, title=f"{title}: {heading}", description=description)
    picture.add(
        "rect", {"width": f"{width:g}", "height": f"{height:g}", "fill": PAPER, "class": "ground-of-card"}
    )
    picture.add("rect", {"width": "16", "height": f"{height:g}", "fill": ACCENT, "class": "share"})
    _write(picture, 58.0, [_cut(title, 24)], 24)
    _write(picture, 118.0, [_cut(heading, 44)], 44, css="sized strong", font_weight="bold")
    chart_top = height - 84.0 - _ROW * len(shown) - (46.0 if shown else 0.0)
    size, broken = _fitted(lines, chart_top - 150.0)
    _write(picture, 132.0 + 1.25 * size, broken, size, css="sized strong")
    if shown:
        _chart(picture, shown, unit, chart_top)
    _write(picture, height - 40.0, lines_of(foot[:_MOST], _room(18))[:2], 18)
    return render_svg(picture)


def _write(picture: Part, y: float, broken: Sequence[str], size: int, **style: str) -> None:
    for number, content in enumerate(broken):
        text(
            picture,
            _MARGIN,
            y + 1.25 * size * number,
            content,
            **{"fill": INK if style else SOFT, "css": "sized", **style, "font_size": f"{size}"},
        )


def _room(size: int) -> float:
    return (CARD_SIZE[0] - 2 * _MARGIN) * _LETTER / size


def _cut(content: str, size: int) -> str:
    return cut(content, _room(size))


def _fitted(lines: Sequence[str], height: float) -> tuple[int, list[str]]:
    """Return the largest size at which sentences fit into a height, and their lines."""
    for size in _SIZES:
        broken = [part for content in lines for part in lines_of(content[:_MOST], _room(size))]
        most = max(1, int(height / (1.25 * size)))
        if len(broken) <= most:
            return size, broken
    return size, [
        *broken[: most - 1],
        _cut(f"{broken[most - 1]} …" + "…" * 200, size)[:-1].rstrip("… ") + " …",
    ]


def _chart(picture: Part, rows: Sequence[IntervalRow], unit: str, top: float) -> None:
    across = Axis(low=0.0, high=1.0, start=_MARGIN, end=CARD_SIZE[0] - _MARGIN, step=0.25)
    bottom = top + _ROW * len(rows) + 8
    for tick in across.ticks:
        x = across.position(tick)
        line(picture, x, top, x, bottom, css="grid", stroke=LINE, stroke_width="2")
        anchor = "start" if tick == 0 else "end" if tick == 1 else "middle"
        name = f"{100 * tick:g} {unit}" if tick == 1 else f"{100 * tick:g}"
        text(picture, x, bottom + 24, name, text_anchor=anchor, css="sized", font_size="20")
    for number, row in enumerate(rows):
        base = top + _ROW * number
        label = cut(f"{row.name}: {row.text}", _room(22))
        text(picture, _MARGIN + 8, base + 24, label, css="sized strong", font_size="22", fill=INK, **_HALO)
        low, high, y = across.position(row.low), across.position(row.high), base + 44
        line(picture, low, y, high, y, css="whisker sized", stroke=ACCENT, stroke_width="6")
        if max(row.low, 0.0) <= row.value <= min(row.high, 1.0):
            circle(picture, across.position(row.value), y, 11, css="mark", fill=ACCENT)
