"""Horizontal bars with their figures, at the width of a journal's column; kinds of bars hold in grey."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.charts import axes, svg
from surveys.formats.figures import plain

__all__ = ["Bar", "bars_svg", "before_and_after"]

WIDTH: Final = 400.0
EDGE, LINE, THICK, GAP = 6.0, 14.0, 10.0, 3.0
NAME: Final = 165.0
"""The widest label beside a bar; longer ones are cut, the table beside the picture has them whole."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar.

    Attributes
    ----------
    label : str
        Beside it; empty for one that belongs to the label above.
    value : float
        At least 0.
    kind : int
        Place of its name among the `kinds` of the picture; the first is full, the second is hollow.
    group : str
        A heading over the bar where it differs from that of the bar above.
    """

    label: str
    value: float
    kind: int = 0
    group: str = ""


def bars_svg(
    bars: Sequence[Bar],
    *,
    title: str,
    kinds: Sequence[str] = (),
    most: float | None = None,
    logarithmic: bool = False,
    unit: str = "",
    figure: Callable[[float], str] = plain,
    paper: bool = False,
) -> SafeString:
    """Return the picture; with `paper` it has a background and its title on it, to be saved.

    Parameters
    ----------
    bars : sequence of Bar
    title : str
    kinds : sequence of str
        What full and hollow bars are.
    most : float, optional
        The natural end of the scale (1 for a share).
    logarithmic : bool
        Equal ratios have equal lengths; all values are above 0.
    unit : str
        What the figures are, on an axis of its own below; without it only the bars have figures.
    figure : callable
        Writes a value.
    """
    heads = svg.lines_of(title, WIDTH - 2 * EDGE) if paper else []
    left = EDGE + min(NAME, max((svg.text_width(bar.label) for bar in bars), default=0.0)) + 8
    said = [figure(bar.value) for bar in bars]
    right = WIDTH - EDGE - max((svg.text_width(text) for text in said), default=0.0) - 4
    # Lengths of bars are compared, so they begin at 0; on a logarithmic axis at the power below the least.
    values = [bar.value for bar in bars] + ([] if most is None else [most])
    foot = 10.0 ** math.floor(math.log10(min(values))) if logarithmic else 0.0
    across = axes.axis_around([foot, *values], start=left, end=right, logarithmic=logarithmic)
    top = EDGE + LINE * (len(heads) + (1 if kinds else 0)) + (6 if heads or kinds else 0)
    places, y, group = [], top, ""
    for bar in bars:
        if bar.group != group:
            y, group = y + LINE + 4, bar.group
        y += 5 if bar.label else 0
        places.append(y)
        y += THICK + GAP
    height = y + (LINE * 2 + EDGE + 6 if unit else EDGE)
    drawing = svg.drawing(
        WIDTH,
        height,
        title=title,
        said="; ".join(
            " ".join(part for part in (bar.group, bar.label, *kinds[bar.kind : bar.kind + 1], text) if part)
            for bar, text in zip(bars, said, strict=True)
        ),
        paper=paper,
    )
    drawing.attributes["class"] = "bars"
    _draw_heads(drawing, heads, kinds)
    if unit:
        _draw_axis(drawing, across, y)
        svg.text(drawing, WIDTH - EDGE, height - EDGE, f"{unit} →", text_anchor="end")
    group = ""
    for bar, text, position in zip(bars, said, places, strict=True):
        if bar.group != group:
            group = bar.group
            svg.text(drawing, EDGE, position - 8, group, css="strong")
        if bar.label:
            svg.text(drawing, left - 6, position + THICK - 1, svg.cut(bar.label, NAME), text_anchor="end")
        length = max(1.0, across.position(bar.value) - across.start) if bar.value > 0 else 0.0
        _draw_bar(drawing, left, position, length, bar.kind)
        svg.text(drawing, left + length + 4, position + THICK - 1, text)
    return svg.rendered(drawing)


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


def _draw_heads(drawing: svg.Part, heads: Sequence[str], kinds: Sequence[str]) -> None:
    """Draw the lines of the title, and below them what each kind of bar is."""
    for number, words in enumerate(heads):
        svg.text(drawing, EDGE, EDGE + 10 + LINE * number, words, css="strong")
    at, top = EDGE, EDGE + LINE * len(heads)
    for kind, words in enumerate(kinds):
        _draw_bar(drawing, at, top + 2, 16, kind)
        svg.text(drawing, at + 21, top + 11, words)
        at += 21 + svg.text_width(words) + 12


def _draw_axis(drawing: svg.Part, across: axes.Axis, y: float) -> None:
    svg.line(drawing, across.start, y, across.end, y, css="axis", stroke=svg.STRONG)
    for tick in across.ticks:
        x = across.position(tick)
        svg.line(drawing, x, y, x, y + 4, css="axis", stroke=svg.STRONG)
        svg.text(drawing, x, y + LINE + 3, across.label(tick), text_anchor="middle")


def _draw_bar(drawing: svg.Part, x: float, y: float, length: float, kind: int) -> None:
    look = (
        {"class": "mark", "fill": svg.ACCENT, "stroke": svg.ACCENT},
        {"class": "mark--hollow", "fill": svg.PAPER, "stroke": svg.ACCENT},
    )[kind]
    box = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{length:.1f}", "height": f"{THICK:g}"}
    drawing.add("rect", {**box, **look})
