"""A finding as one picture of 1,200 by 630 px, the size in which messages and pages show a link.

It needs no font and no server: browsers use their own font, and the text is large enough for a phone.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from django.utils.safestring import SafeString

from surveys.formats.interval_chart import IntervalRow, labelled_ticks, mark_row
from surveys.formats.joints import join_sentences, labelled, series_text
from surveys.formats.svg import (
    ACCENT,
    INK,
    LINE,
    PAPER,
    SOFT,
    SvgPart,
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
_AXIS: Final = 46.0
"""Height of a row, and of the axis below rows with the same unit."""
_HALO: Final = {"stroke": PAPER, "stroke_width": "6", "paint_order": "stroke"}
"""Keeps a label readable where it crosses the axis."""
_MOST: Final = 1_300
"""More characters of a sentence never fit."""
_LETTER: Final = 12
"""`lines_of` and `cut` measure texts of this size."""


def card_svg(
    *, title: str, heading: str, lines: Sequence[str], rows: Sequence[IntervalRow], foot: str
) -> SafeString:
    """Draw a card.

    Parameters
    ----------
    title, heading : str
    lines : sequence of str
        Sentences, largest first; what does not fit at the smallest size ends with an ellipsis.
    rows : sequence of IntervalRow
        At most two are drawn, with an axis for each unit.
    foot : str
    """
    width, height = CARD_SIZE
    shown = [*rows][:2]
    description = join_sentences([*lines, series_text(row.said for row in shown), foot])
    picture = drawing(width, height, title=labelled(title, heading), description=description)
    picture.add(
        "rect", {"width": f"{width:g}", "height": f"{height:g}", "fill": PAPER, "class": "ground-of-card"}
    )
    picture.add("rect", {"width": "16", "height": f"{height:g}", "fill": ACCENT, "class": "share"})
    _write(picture, 58.0, [_cut(title, 24)], 24)
    _write(picture, 118.0, [_cut(heading, 44)], 44, css="sized strong", font_weight="bold")
    panels = [[*members] for _ruler, members in itertools.groupby(shown, key=lambda row: row.ruler)]
    chart_top = height - 84.0 - _ROW * len(shown) - _AXIS * len(panels)
    size, broken = _fitted(lines, chart_top - 150.0)
    _write(picture, 132.0 + 1.25 * size, broken, size, css="sized strong")
    for rows_of_panel in panels:
        chart_top = _chart(picture, rows_of_panel, chart_top)
    _write(picture, height - 40.0, lines_of(foot[:_MOST], _room(18))[:2], 18)
    return render_svg(picture)


def _write(picture: SvgPart, y: float, broken: Sequence[str], size: int, **style: str) -> None:
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


def _chart(picture: SvgPart, rows: Sequence[IntervalRow], top: float) -> float:
    """Draw rows with the same ruler and its axis; return the height at which the next ones begin."""
    ruler = rows[0].ruler
    across = ruler.axis(_MARGIN, CARD_SIZE[0] - _MARGIN)
    bottom = top + _ROW * len(rows) + 8
    for x, label, anchor in labelled_ticks(ruler, across, size=20, width=CARD_SIZE[0], with_unit=True):
        line(picture, x, top, x, bottom, css="grid", stroke=LINE, stroke_width="2")
        text(picture, x, bottom + 24, label, text_anchor=anchor, css="sized", font_size="20")
    for number, row in enumerate(rows):
        base = top + _ROW * number
        label = cut(row.said, _room(22))
        text(picture, _MARGIN + 8, base + 24, label, css="sized strong", font_size="22", fill=INK, **_HALO)
        mark_row(picture, row, across, base + 44, radius=11, thick=6, css="whisker sized")
    return top + _ROW * len(rows) + _AXIS
