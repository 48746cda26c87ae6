"""Draw curves and measured points with error bars, at the width of a journal's column.

Every series has its own dash and mark, so the chart also works in grey. Names are next to the plot, in the
order in which the curves end, and never on a curve. Identical curves are drawn once, labelled with all their
names. Marks that would hide each other are drawn side by side.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final

from django.utils.safestring import SafeString

from surveys.formats import svg
from surveys.formats.numbers import plain

RADIUS: Final = 3.6


@dataclass(frozen=True, kw_only=True)
class Look:
    """A line's dash, the shape of its marks, whether the marks are open, and its colour.

    Attributes
    ----------
    shape : sequence of (float, float)
        Corners of the mark, in radii; empty for a circle.
    strokes : bool
        Whether pairs of corners are the ends of strokes, instead of corners of an area.
    """

    dash: str
    colour: str
    shape: tuple[tuple[float, float], ...] = ()
    open: bool = False
    strokes: bool = False


LOOKS: Final = (
    Look(dash="", colour=svg.ACCENT),
    Look(dash="7 3", colour=svg.WARN, shape=((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)), open=True),
    Look(dash="2 3", colour=svg.INK, shape=((0, -1.1), (1.1, 0.9), (-1.1, 0.9))),
    Look(dash="10 3 2 3", colour=svg.SOFT, shape=((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)), open=True),
    Look(
        dash="5 2 1 2 1 2",
        colour=svg.ACCENT,
        shape=((-0.9, -0.9), (0.9, 0.9), (-0.9, 0.9), (0.9, -0.9)),
        strokes=True,
    ),
    Look(dash="14 4", colour=svg.WARN, shape=((0, -1.2), (0, 1.2), (-1.2, 0), (1.2, 0)), strokes=True),
)
"""Looks of the series of a chart, in order; a chart cannot distinguish more series."""


def group_of(parent: svg.SvgPart, number: int) -> svg.SvgPart:
    """Return an SVG group for a series, in a colour that a page's style sheet may override."""
    colour = LOOKS[number].colour
    return parent.add("g", {"class": f"series series-{number + 1}", "stroke": colour, "fill": colour})


def draw_mark(group: svg.SvgPart, number: int, x: float, y: float) -> svg.SvgPart:
    """Draw the mark of a series."""
    look = LOOKS[number]
    css = "open" if look.open else "full"
    paint = {"fill": svg.PAPER} if look.open else {}
    corners = [(round(x + RADIUS * dx, 2), round(y + RADIUS * dy, 2)) for dx, dy in look.shape]
    if look.strokes:
        ends = zip(corners[::2], corners[1::2], strict=True)
        path = "".join(f"M{x1:g} {y1:g}L{x2:g} {y2:g}" for (x1, y1), (x2, y2) in ends)
        return group.add("path", {"d": path, "class": css, "stroke-width": "1.5"})
    if corners:
        points = " ".join(f"{px:g},{py:g}" for px, py in corners)
        return group.add("polygon", {"points": points, "class": css, "stroke-width": "1.25", **paint})
    attributes = {"cx": f"{x:g}", "cy": f"{y:g}", "r": f"{RADIUS:g}"}
    return group.add("circle", {**attributes, "class": css, "stroke-width": "1.25", **paint})


WIDTH: Final = 400.0
"""Scaled to 84 mm, the width of a journal's column, 12 px letters are 7 points high."""

PLOT: Final = 190.0
EDGE, LINE, BETWEEN, TICK = 6.0, 14.0, 5.0, 4.0
LEADER, SAMPLE, NAME = 12.0, 26.0, 108.0
"""Space to the right of the plot: a line to each name, a sample of its curve, and the widest name."""

HIDDEN, SPACING = RADIUS, 5.0
"""Marks with the same x that are closer than `HIDDEN` px are moved `SPACING` px apart."""

SAME: Final = 0.5
"""Curves that are closer than this everywhere, in px, look identical."""

MOST_READ: Final = 12

TO_ZERO: Final = 0.2
"""An axis extends to 0 if its data begin below this share of their other end."""

MARGIN: Final = 0.04
"""Free space beyond the data, as a share of their length."""

MOST_TICKS: Final = 7
LABELS_APART: Final = 6.0
LABEL_HEIGHT: Final = 18.0
_SUPERSCRIPT: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, kw_only=True)
class LogAxis(svg.Axis):
    """A logarithmic scale, on which equal ratios have equal lengths; both ends are above 0.

    Attributes
    ----------
    step : float
        Decades between two ticks; if below 1, ticks are at 1, 2 and 5 in each decade.
    """

    def _along(self, value: float) -> float:
        return math.log(value / self.low) / math.log(self.high / self.low)

    @property
    def ticks(self) -> list[float]:
        """Powers of ten, or 1, 2 and 5 times each."""
        every = max(1, round(self.step))
        factors = (1,) if self.step >= 1 else (1, 2, 5)
        return [
            factor * 10.0**power
            for power in self._powers()
            if power % every == 0
            for factor in factors
            if self._holds(factor * 10.0**power)
        ]

    @property
    def small_ticks(self) -> list[float]:
        """The other whole multiples of each power of ten, unless there are too many."""
        if self.step > 2:
            return []
        every = [
            factor * 10.0**power
            for power in self._powers()
            for factor in range(1, 10)
            if self._holds(factor * 10.0**power)
        ]
        return [tick for tick in every if tick not in self.ticks]

    def label(self, tick: float) -> str:
        """Return the printed tick; axes beyond a hundred thousand or below a thousandth use powers of ten."""
        if self.low >= 0.0005 and self.high < 200_000:
            return svg.format_decimals(tick, max(0, -math.floor(math.log10(tick) + 1e-9)))
        power = math.floor(math.log10(tick) + 1e-9)
        factor = round(tick / 10.0**power)
        return f"{'' if factor == 1 else f'{factor}·'}10{str(power).translate(_SUPERSCRIPT)}"

    def _powers(self) -> range:
        return range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)

    def _holds(self, tick: float) -> bool:
        return self.low * (1 - 1e-9) <= tick <= self.high * (1 + 1e-9)


def axis_around(
    values: Sequence[float], *, start: float, end: float, logarithmic: bool = False, upright: bool = False
) -> svg.Axis:
    """Return an axis that contains all `values` and little more, with labels that do not overlap.

    Parameters
    ----------
    values : sequence of float
        Finite; above 0 for a logarithmic axis.
    start, end : float
        Positions of the two ends in the chart.
    logarithmic : bool
        Whether equal ratios have equal lengths; data within a factor of 10 get a linear axis anyway.
    upright : bool
        Whether labels are stacked vertically instead of in a row.

    Examples
    --------
    >>> axis = axis_around([5, 20], start=0, end=200)
    >>> axis.low, axis.high, axis.ticks
    (4.4, 20.6, [5.0, 10.0, 15.0, 20.0])
    >>> [axis.label(tick) for tick in axis_around([500, 1e5], start=0, end=200, logarithmic=True).ticks]
    ['1,000', '10,000', '100,000']
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    if logarithmic and low > 0 and high > 10 * low:
        beyond = (high / low) ** MARGIN
        ends = {"low": low / beyond, "high": high * beyond, "start": start, "end": end}
        decades = math.ceil(math.log10(high / low) / 4)
        return _finest([LogAxis(step=step, **ends) for step in (decades, 2.0, 1.0, 0.3)], upright)
    if low == high:
        low, high = (0.0, 1.0) if low == 0 else (min(low, 0.0), max(low, 0.0))
    at_low, at_high = low, high
    if 0 < low <= TO_ZERO * high:
        low = at_low = 0.0
    if 0 > high >= TO_ZERO * low:
        high = at_high = 0.0
    beyond = MARGIN * (high - low)
    low, high = (0.0 if at_low == 0 else low - beyond), (0.0 if at_high == 0 else high + beyond)
    steps = dict.fromkeys(svg.round_step((high - low) / parts) for parts in range(2, MOST_TICKS))
    return _finest([svg.Axis(low=low, high=high, start=start, end=end, step=step) for step in steps], upright)


def _finest(axes: Sequence[svg.Axis], upright: bool) -> svg.Axis:
    """Return the axis with the most ticks among those whose labels do not overlap."""
    clear = [axis for axis in axes if len(axis.ticks) <= MOST_TICKS and all(_gaps(axis, upright))]
    return max(clear or axes[:1], key=lambda axis: len(axis.ticks))


def _gaps(axis: svg.Axis, upright: bool) -> Iterator[bool]:
    places = [(axis.position(tick), svg.text_width(axis.label(tick))) for tick in axis.ticks]
    for (left, its_width), (other, other_width) in pairwise(places):
        yield abs(other - left) >= (LABEL_HEIGHT if upright else (its_width + other_width) / 2 + LABELS_APART)


@dataclass(frozen=True, kw_only=True)
class Series:
    """Points of one kind.

    Attributes
    ----------
    label : str
        The full name.
    x, y : sequence of float
        Points whose y is not finite are left out.
    errors : sequence of float
        Half the lengths of the error bars.
    expected : sequence of float
        Heights of the curve by a formula; if empty, the points are joined.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float] = ()
    errors: Sequence[float] = ()
    expected: Sequence[float] = ()

    @property
    def points(self) -> list[tuple[float, float, float]]:
        """The finite points: x, y and half the length of the error bar."""
        bars = self.errors or [0.0] * len(self.y)
        return [
            (x, y, bar if math.isfinite(bar) else 0.0)
            for x, y, bar in zip(self.x, self.y, bars, strict=False)
            if math.isfinite(y)
        ]

    @property
    def curve(self) -> list[tuple[float, float]]:
        """Return the points of the line, by the formula if there is one."""
        heights = self.expected or self.y
        return [(x, y) for x, y in zip(self.x, heights, strict=False) if math.isfinite(y)]


@dataclass(frozen=True, kw_only=True)
class _Frame:
    """The plot, and the text around it."""

    across: svg.Axis
    upright: svg.Axis
    title: list[str]
    above: list[str]
    below: list[str]
    height: float


@dataclass(frozen=True, kw_only=True)
class _Placed:
    """A series in the chart: lines of its name, positions of its curve, marks with their error bars."""

    number: int
    name: list[str]
    curve: list[tuple[float, float]]
    marks: list[tuple[float, float, float, float]]


def curves_svg(
    series: Sequence[Series],
    *,
    title: str,
    x_label: str,
    y_label: str,
    log_x: bool = False,
    log_y: bool = False,
) -> SafeString:
    """Return a chart to save as a file, with a background and a title.

    Parameters
    ----------
    series : sequence of Series
        At most as many as there are `LOOKS`; series without points are left out.
    title : str
    x_label, y_label : str
        Labels of the axes, with their units.
    log_x, log_y : bool
        Whether the axis is logarithmic; points that are not above 0 are then left out.

    Raises
    ------
    ValueError
        There are too many series to distinguish.
    """
    visible = [
        line for line in (_above_zero(line, log_x, log_y) for line in series) if line.points or line.curve
    ]
    rough = _frame(visible, [], title, x_label, y_label, log_x, log_y)
    different = _without_copies(visible, rough)
    if len(different) > len(LOOKS):
        raise ValueError(f"{len(different)} curves cannot be told apart in one picture, {len(LOOKS)} can")
    names = [svg.lines_of(line.label, NAME) for line in different] if len(visible) > 1 else []
    frame = _frame(different, names, title, x_label, y_label, log_x, log_y)
    drawing = on_paper(WIDTH, frame.height, title=title, description=_description(different, frame))
    drawing.attributes["class"] = "curves"
    _draw_frame(drawing, frame)
    curves = _place_curves(different, names, frame)
    for line in curves:
        _draw_series(drawing, line)
    if names:
        _draw_names(drawing, curves, frame)
    return svg.render_svg(drawing)


def on_paper(width: float, height: float, *, title: str, description: str = "") -> svg.SvgPart:
    """Return an empty drawing with a background."""
    drawing = svg.drawing(width, height, title=title, description=description)
    drawing.add("rect", {"width": f"{width:g}", "height": f"{height:g}", "fill": svg.PAPER})
    return drawing


def _above_zero(line: Series, log_x: bool, log_y: bool) -> Series:
    """Leave out points that a logarithmic axis cannot show."""
    if not log_x and not log_y:
        return line
    indices = [position for position, x in enumerate(line.x) if x > 0 or not log_x]

    def heights(values: Sequence[float]) -> list[float]:
        return [values[index] if values[index] > 0 or not log_y else math.nan for index in indices if values]

    return Series(
        label=line.label,
        x=[line.x[index] for index in indices],
        y=heights(line.y),
        errors=[line.errors[index] for index in indices if line.errors],
        expected=heights(line.expected),
    )


def _frame(
    series: Sequence[Series],
    names: Sequence[Sequence[str]],
    title: str,
    x_label: str,
    y_label: str,
    log_x: bool,
    log_y: bool,
) -> _Frame:
    """Return the plot, which fills the space left by titles, ticks and names."""
    title_lines, above, below = (
        svg.lines_of(text, WIDTH - 2 * EDGE)
        for text in (title, f"↑ {y_label}", f"{x_label} →")
    )  # fmt: skip
    top = EDGE + LINE * (len(title_lines) + len(above)) + 10
    bottom = top + max(PLOT, sum(LINE * len(lines) + BETWEEN for lines in names))
    heights = [y for line in series for _x, y in line.curve]
    ends = [end for line in series for _x, y, bar in line.points for end in (y - bar, y + bar)]
    heights += [end for end in ends if end > 0 or not log_y]
    upright = axis_around(heights, start=bottom, end=top, logarithmic=log_y, upright=True)
    widths = [svg.text_width(upright.label(tick)) for tick in upright.ticks]
    left = EDGE + max(widths, default=0.0) + TICK + 4
    right = WIDTH - EDGE
    if names:
        right -= LEADER + SAMPLE + 6 + max(svg.text_width(line) for lines in names for line in lines)
    values = [
        x for line in series for x in (*(x for x, _y in line.curve), *(x for x, _y, _bar in line.points))
    ]
    across = axis_around(values, start=left, end=right, logarithmic=log_x)
    if not names:
        # The last label may extend beyond its tick.
        reach = max(
            (across.position(tick) + svg.text_width(across.label(tick)) / 2 for tick in across.ticks),
            default=0,
        )
        across = replace(across, end=right - max(0.0, reach - right) - EDGE)
    return _Frame(
        across=across,
        upright=upright,
        title=title_lines,
        above=above,
        below=below,
        height=bottom + TICK + LINE * (1 + len(below)) + EDGE + 4,
    )


def _without_copies(series: Sequence[Series], frame: _Frame) -> list[Series]:
    """Return each curve once, with the names of all series that look identical."""
    different: list[tuple[list[float], Series]] = []
    for line in series:
        places = [
            position
            for x, y, bar in [*((x, y, 0.0) for x, y in line.curve), *line.points]
            for position in (
                frame.across.position(x),
                frame.upright.position(y),
                frame.upright.position(y + bar),
            )
        ]
        for number, (others, other) in enumerate(different):
            if len(places) == len(others) and all(
                abs(here - there) < SAME for here, there in zip(places, others, strict=True)
            ):
                different[number] = (others, replace(other, label=f"{other.label} = {line.label}"))
                break
        else:
            different.append((places, line))
    return [line for _places, line in different]


def _place_curves(series: Sequence[Series], names: Sequence[list[str]], frame: _Frame) -> list[_Placed]:
    """Compute the positions of all curves and marks, moving marks that would hide each other."""
    at = {
        (number, x): (frame.across.position(x), frame.upright.position(y))
        for number, line in enumerate(series)
        for x, y, _bar in line.points
    }
    # A series with a single point marks a place on a curve, so it is not moved.
    alone = {number for number, line in enumerate(series) if len(line.points) == 1}
    columns = {x for x, _y in at.values()}
    positions = dict(at)
    in_curves = sorted((key for key in at if key[0] not in alone), key=lambda key: (*at[key], key[0]))
    for x, column in groupby(in_curves, key=lambda key: at[key][0]):
        # Do not move marks onto those of neighbouring columns.
        room = min((0.8 * abs(x - beside) for beside in columns - {x}), default=WIDTH)
        for close in _close(list(column), at):
            step = min(SPACING, room / max(1, len(close) - 1))
            for position, key in enumerate(sorted(close)):
                positions[key] = (round(x + step * (position - (len(close) - 1) / 2), 2), at[key][1])
    result = []
    for number, line in enumerate(series):
        curve = [
            (frame.across.position(x), frame.upright.position(y)) if line.expected else positions[number, x]
            for x, y in line.curve
        ]
        marks = [
            (*positions[number, x], frame.upright.position(y - bar), frame.upright.position(y + bar))
            for x, y, bar in line.points
        ]
        name = names[number] if names else []
        result.append(_Placed(number=number, name=name, curve=curve, marks=marks))
    return result


def _close(
    keys: Sequence[tuple[int, float]], at: dict[tuple[int, float], tuple[float, float]]
) -> list[list[tuple[int, float]]]:
    """Split the marks of one x, sorted by height, into groups that touch."""
    parts: list[list[tuple[int, float]]] = []
    for key in keys:
        if parts and at[key][1] - at[parts[-1][-1]][1] < HIDDEN:
            parts[-1].append(key)
        else:
            parts.append([key])
    return parts


def _draw_frame(drawing: svg.SvgPart, frame: _Frame) -> None:
    across, upright = frame.across, frame.upright
    left, right, bottom, top = across.start, across.end, upright.start, upright.end
    base = 10 + EDGE
    for number, words in enumerate([*frame.title, *frame.above]):
        css = "strong" if number < len(frame.title) else ""
        svg.text(drawing, EDGE, base + LINE * number, words, css=css)
    for tick in upright.ticks:
        y = upright.position(tick)
        svg.line(drawing, left, y, right, y, css="grid", stroke=svg.LINE)
        svg.line(drawing, left - TICK, y, left, y, css="axis", stroke=svg.STRONG)
        svg.text(drawing, left - TICK - 4, y + 4, upright.label(tick), text_anchor="end")
    for tick in upright.small_ticks if isinstance(upright, LogAxis) else ():
        y = upright.position(tick)
        svg.line(drawing, left - TICK / 2, y, left, y, css="axis", stroke=svg.STRONG)
    for tick in across.ticks:
        x = across.position(tick)
        svg.line(drawing, x, bottom, x, bottom + TICK, css="axis", stroke=svg.STRONG)
        svg.text(drawing, x, bottom + TICK + LINE, across.label(tick), text_anchor="middle")
    for tick in across.small_ticks if isinstance(across, LogAxis) else ():
        x = across.position(tick)
        svg.line(drawing, x, bottom, x, bottom + TICK / 2, css="axis", stroke=svg.STRONG)
    svg.line(drawing, left, bottom, right, bottom, css="axis", stroke=svg.STRONG)
    svg.line(drawing, left, top, left, bottom, css="axis", stroke=svg.STRONG)
    if upright.low < 0 < upright.high:
        svg.line(
            drawing, left, upright.position(0), right, upright.position(0), css="axis", stroke=svg.STRONG
        )
    end = max(right, EDGE + max(svg.text_width(words) for words in frame.below))
    for number, words in enumerate(frame.below):
        svg.text(drawing, end, bottom + TICK + LINE * (number + 2) + 2, words, text_anchor="end")


def _draw_series(drawing: svg.SvgPart, line: _Placed) -> None:
    group = group_of(drawing, line.number)
    if len(line.curve) > 1:
        _draw_line(group, line.number, line.curve)
    for x, y, low, high in line.marks:
        if abs(low - high) > 2 * RADIUS:
            svg.line(group, x, low, x, high, css="bar", stroke_width="1.25")
        draw_mark(group, line.number, x, y)


def _draw_line(group: svg.SvgPart, number: int, places: Sequence[tuple[float, float]]) -> None:
    dash = {"stroke-dasharray": LOOKS[number].dash} if LOOKS[number].dash else {}
    points = " ".join(f"{x:g},{y:g}" for x, y in places)
    group.add("polyline", {"points": points, "class": "curve", "fill": "none", "stroke-width": "1.5", **dash})


def _draw_names(drawing: svg.SvgPart, placed: Sequence[_Placed], frame: _Frame) -> None:
    """Write names next to the plot, each near the end of its curve, without overlaps."""
    right = frame.across.end
    ends = {line.number: max([*line.curve, *((x, y) for x, y, *_bar in line.marks)]) for line in placed}
    order = sorted(placed, key=lambda line: (ends[line.number][1], line.number))
    sizes = [LINE * len(line.name) + BETWEEN for line in order]
    tops = [ends[line.number][1] - size / 2 for line, size in zip(order, sizes, strict=True)]
    highest = frame.upright.end
    for position, size in enumerate(sizes):
        tops[position] = highest = max(tops[position], highest)
        highest += size
    lowest = frame.upright.start
    for position in reversed(range(len(order))):
        tops[position] = lowest = min(tops[position], lowest - sizes[position])
    for line, size, top in zip(order, sizes, tops, strict=True):
        x, y = ends[line.number]
        middle, start = round(top + size / 2, 1), right + LEADER
        if x > right - 2 * LEADER:
            svg.line(
                drawing,
                x + RADIUS + 1,
                y,
                start - 1,
                middle,
                css="axis",
                stroke=svg.STRONG,
                stroke_width=".75",
            )
        group = group_of(drawing, line.number)
        if len(line.curve) > 1:
            _draw_line(group, line.number, [(start, middle), (start + SAMPLE, middle)])
        if line.marks:
            draw_mark(group, line.number, start + SAMPLE / 2, middle)
        for number, words in enumerate(line.name):
            at = top + BETWEEN / 2 + LINE * number + 11
            svg.text(drawing, start + SAMPLE + 6, round(at, 1), words, css="name")


def _description(series: Sequence[Series], frame: _Frame) -> str:
    """Describe each series by its numbers, for readers who do not see the chart."""
    parts = []
    for line in series:
        points = line.points or [(x, y, 0.0) for x, y in line.curve]
        if len(points) > MOST_READ:
            points = [points[number * (len(points) - 1) // (MOST_READ - 1)] for number in range(MOST_READ)]
        parts.append(
            f"{line.label}: "
            + "; ".join(
                f"{plain(x)} → {plain(y, 3)}" + (f" ± {plain(bar, 2)}" if bar else "") for x, y, bar in points
            )
        )
    around = [" ".join(frame.below), " ".join(frame.above)]
    return " · ".join([" ".join(around), *parts])
