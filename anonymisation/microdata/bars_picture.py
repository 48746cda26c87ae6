"""Pictures of bars in a publisher's report, and of shares before and after generalisation.

Kinds differ by shape and shades of grey, not by colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.formats import svg
from surveys.formats.numbers import plain

WIDTH: Final = 400.0
EDGE, LINE, THICK, GAP = 6.0, 14.0, 10.0, 3.0
NAME: Final = 165.0
"""Width of the widest label next to a bar; longer labels are cut, but the table shows them in full."""


@dataclass(frozen=True, kw_only=True)
class RiskBar:
    """One bar.

    Attributes
    ----------
    label : str
        Text next to the bar; empty if the bar belongs to the label above.
    value : float
        At least 0.
    kind : int
        Index of its name in the `kinds` of the chart; the first kind is solid, the second hollow.
    """

    label: str
    value: float
    kind: int = 0


def bars_svg(
    bars: Sequence[RiskBar], *, title: str, kinds: Sequence[str] = (), most: float | None = None
) -> SafeString:
    """Draw a bar chart.

    Parameters
    ----------
    bars : sequence of RiskBar
    title : str
    kinds : sequence of str
        Meanings of solid and hollow bars.
    most : float, optional
        The natural end of the scale (1 for a share).
    """
    left = EDGE + min(NAME, max((svg.text_width(bar.label) for bar in bars), default=0.0)) + 8
    labels = [plain(bar.value) for bar in bars]
    right = WIDTH - EDGE - max((svg.text_width(text) for text in labels), default=0.0) - 4
    # Readers compare the lengths of bars, so all bars begin at 0.
    longest = max([most or 0.0, *(bar.value for bar in bars)]) or 1.0
    y, places = EDGE + (LINE + 6 if kinds else 0), []
    for bar in bars:
        y += 5 if bar.label else 0
        places.append(y)
        y += THICK + GAP
    drawing = svg.drawing(
        WIDTH,
        y + EDGE,
        title=title,
        description="; ".join(
            " ".join(part for part in (bar.label, *kinds[bar.kind : bar.kind + 1], text) if part)
            for bar, text in zip(bars, labels, strict=True)
        ),
    )
    drawing.attributes["class"] = "bars"
    _draw_kinds(drawing, kinds)
    for bar, text, position in zip(bars, labels, places, strict=True):
        if bar.label:
            svg.text(drawing, left - 6, position + THICK - 1, svg.cut(bar.label, NAME), text_anchor="end")
        length = max(1.0, round((right - left) * bar.value / longest, 2)) if bar.value > 0 else 0.0
        _draw_bar(drawing, left, position, length, bar.kind)
        svg.text(drawing, left + length + 4, position + THICK - 1, text)
    return svg.render_svg(drawing)


def before_and_after(
    title: str, rows: Sequence[tuple[str, float, float]], *, most: float | None = None
) -> SafeString:
    """Draw two bars for each (name, before, after), with a hollow bar for "before".

    Parameters
    ----------
    title : str
    rows : sequence of tuple
    most : float, optional
        The natural end of the scale (1 for a share).
    """
    bars = []
    for label, before, after in rows:
        bars += [RiskBar(label=label, value=before, kind=1), RiskBar(label="", value=after)]
    return bars_svg(bars, title=title, kinds=(_("after"), _("before")), most=most)


def _draw_kinds(drawing: svg.SvgPart, kinds: Sequence[str]) -> None:
    """Draw the legend: one bar of each kind with its name."""
    x = EDGE
    for kind, words in enumerate(kinds):
        _draw_bar(drawing, x, EDGE + 2, 16, kind)
        svg.text(drawing, x + 21, EDGE + 11, words)
        x += 21 + svg.text_width(words) + 12


def _draw_bar(drawing: svg.SvgPart, x: float, y: float, length: float, kind: int) -> None:
    look = (
        {"class": "mark", "fill": svg.ACCENT, "stroke": svg.ACCENT},
        {"class": "mark--hollow", "fill": svg.PAPER, "stroke": svg.ACCENT},
    )[kind]
    box = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{length:.1f}", "height": f"{THICK:g}"}
    drawing.add("rect", {**box, **look})
