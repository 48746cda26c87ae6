"""The support-confidence picture: one panel per consequent, every point with its error bars.

Inside one panel all rules say the same thing, so the dashed line "share of everybody" is the lift of 1:
a rule above it raises the chance of its consequent, a rule below lowers it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.charts import axes, svg
from surveys.formats.figures import number

WIDTH, HEIGHT = 400.0, 330.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 34.0, 44.0, 40.0
LETTER = 6.3
LONGEST_LABEL = 40
MOST_LABELS = 7
# Keeps a name readable where it crosses a bar.
HALO = {"stroke": svg.PAPER, "stroke_width": "3", "paint_order": "stroke"}


@dataclass(frozen=True, kw_only=True)
class Mark:
    """One rule on the picture; an end of an interval is None where it is not estimable."""

    rank: int
    label: str
    support: float
    support_low: float | None
    support_high: float | None
    confidence: float
    confidence_low: float | None
    confidence_high: float | None
    truth: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class Panel:
    """The rules of one consequent; `base` is the share of everybody who has it."""

    title: str
    marks: tuple[Mark, ...]
    base: float | None = None

    @property
    def has_base(self) -> bool:
        """Whether the share is estimable, and its line drawn."""
        return self.base is not None and math.isfinite(self.base)


def panel_svg(panel: Panel) -> SafeString:
    """Return one panel as a picture of its own."""
    drawing = svg.drawing(WIDTH, HEIGHT, title=panel.title)
    _draw(drawing, panel)
    return svg.rendered(drawing)


def _draw(parent: svg.Part, panel: Panel) -> None:
    across = axes.axis_over(
        _finite(
            value
            for mark in panel.marks
            for value in (mark.support, mark.support_high, mark.truth[0] if mark.truth else None)
        ),
        start=LEFT, end=WIDTH - RIGHT, most=1.0,
    )  # fmt: skip
    shares = [
        value
        for mark in panel.marks
        for value in (mark.confidence, mark.confidence_high, mark.truth[1] if mark.truth else None)
    ]
    upward = axes.axis_over(
        _finite([*shares, panel.base]),
        start=HEIGHT - BOTTOM, end=TOP, most=1.0,
    )  # fmt: skip
    svg.text(parent, 4, 17, f"→ {panel.title}", css="strong", font_weight="600")
    _draw_axes(parent, across, upward)
    if panel.base is not None and panel.has_base:
        _draw_base(parent, panel.base, across, upward)
    for mark in panel.marks:
        _draw_mark(parent, mark, across, upward)
    base = None if panel.base is None or not panel.has_base else upward.position(panel.base)
    _draw_labels(parent, panel.marks, across, upward, base)


def _draw_axes(parent: svg.Part, across: axes.Axis, upward: axes.Axis) -> None:
    for tick in upward.ticks:
        y = upward.position(tick)
        css, stroke = ("axis", svg.STRONG) if tick == upward.low else ("grid", svg.LINE)
        svg.line(parent, LEFT, y, WIDTH - RIGHT, y, css=css, stroke=stroke)
        svg.text(parent, LEFT - 6, y + 4, upward.label(tick), text_anchor="end")
    for tick in across.ticks:
        x = across.position(tick)
        svg.line(parent, x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 4, css="axis", stroke=svg.STRONG)
        svg.text(parent, x, HEIGHT - BOTTOM + 17, across.label(tick), text_anchor="middle")
    svg.text(parent, WIDTH - RIGHT, HEIGHT - 6, _("support") + " →", text_anchor="end")
    svg.text(parent, 4, TOP - 12, "↑ " + _("confidence"))


def _draw_base(parent: svg.Part, base: float, across: axes.Axis, upward: axes.Axis) -> None:
    y = upward.position(base)
    dashes = svg.line(parent, LEFT, y, WIDTH - RIGHT, y, css="base", stroke=svg.SOFT, stroke_dasharray="2 4")
    dashes.add("title", text=_("share of everybody"))
    svg.text(parent, WIDTH - RIGHT + 4, y + 4, number(base), css="strong")


def _draw_mark(parent: svg.Part, mark: Mark, across: axes.Axis, upward: axes.Axis) -> None:
    x, y = across.position(mark.support), upward.position(mark.confidence)
    group = parent.add("g", {"class": "rule"})
    support, confidence = _("support"), _("confidence")
    figures = f"{support} {number(mark.support)}, {confidence} {number(mark.confidence)}"
    group.add("title", text=f"{mark.rank}. {mark.label}: {figures}")
    whisker = {"css": "whisker", "stroke": svg.ACCENT, "stroke_width": "1.25", "stroke_opacity": ".55"}
    if mark.support_low is not None and mark.support_high is not None:
        svg.line(
            group, across.position(mark.support_low), y, across.position(mark.support_high), y, **whisker
        )
    if mark.confidence_low is not None and mark.confidence_high is not None:
        svg.line(
            group,
            x,
            upward.position(mark.confidence_low),
            x,
            upward.position(mark.confidence_high),
            **whisker,
        )
    if mark.truth is not None:
        true_x, true_y = across.position(mark.truth[0]), upward.position(mark.truth[1])
        svg.line(group, x, y, true_x, true_y, css="truth-link", stroke=svg.WARN, stroke_width="1")
        svg.diamond(group, true_x, true_y, 4.5, css="truth", fill="none", stroke=svg.WARN, stroke_width="1.5")
    svg.circle(group, x, y, 4, css="mark", fill=svg.ACCENT)


Box = tuple[float, float, float, float]


def _draw_labels(
    parent: svg.Part, marks: tuple[Mark, ...], across: axes.Axis, upward: axes.Axis, base: float | None
) -> None:
    """Name the first rules beside their points, off marks, bars and the dashed line, where there is room."""
    taken: list[Box] = [] if base is None else [(LEFT, base - 1, WIDTH - RIGHT, base + 1)]
    for mark in marks:
        x, y = across.position(mark.support), upward.position(mark.confidence)
        taken.append((x - 6, y - 6, x + 6, y + 6))
        if mark.support_low is not None and mark.support_high is not None:
            ends = across.position(mark.support_low), across.position(mark.support_high)
            taken.append((min(ends), y - 1, max(ends), y + 1))
        if mark.confidence_low is not None and mark.confidence_high is not None:
            ends = upward.position(mark.confidence_high), upward.position(mark.confidence_low)
            taken.append((x - 1, min(ends), x + 1, max(ends)))
    written = 0
    for mark in marks:
        if written == MOST_LABELS:
            break
        label = mark.label if len(mark.label) <= LONGEST_LABEL else mark.label[: LONGEST_LABEL - 1] + "…"
        x, y = across.position(mark.support), upward.position(mark.confidence)
        width = len(label) * LETTER
        for left, baseline in (
            (x + 8, y - 6), (x + 8, y + 14), (x - 8 - width, y - 6), (x - 8 - width, y + 14),
        ):  # fmt: skip
            box = (left, baseline - 10, left + width, baseline + 3)
            inside = (
                box[0] >= LEFT and box[2] <= WIDTH - RIGHT and box[1] >= TOP - 6 and box[3] <= HEIGHT - BOTTOM
            )
            if inside and not any(_overlap(box, other) for other in taken):
                svg.text(parent, left, baseline, label, css="label", **HALO)
                taken.append(box)
                written += 1
                break


def _overlap(first: Box, other: Box) -> bool:
    return first[0] < other[2] and other[0] < first[2] and first[1] < other[3] and other[1] < first[3]


def _finite(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None and math.isfinite(value)]
