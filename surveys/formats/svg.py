"""Pictures as SVG text: drawing primitives and axes.

Colours are presentation attributes, so that a saved file looks right anywhere. The page's style sheet
overrides them by class and follows the reader's colour scheme. The strict content security policy forbids
style attributes and scripts.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final
from unicodedata import east_asian_width

from django.utils.safestring import SafeString, mark_safe

from surveys.formats.numbers import MINUS

PAPER, INK, SOFT, LINE, STRONG, ACCENT, WARN = (
    "#fffdf9", "#1d2423", "#55605d", "#dcd5c8", "#8a867c", "#0b5d5b", "#7a4a00",
)  # fmt: skip
FONT = "system-ui, sans-serif"


@dataclass(kw_only=True)
class SvgPart:
    """An SVG element with its contents."""

    name: str
    attributes: dict[str, str]
    text: str = ""
    parts: list[SvgPart] = field(default_factory=list)

    def add(self, name: str, attributes: dict[str, str] | None = None, *, text: str = "") -> SvgPart:
        """Add a child element, and return it."""
        part = SvgPart(name=name, attributes=attributes or {}, text=text)
        self.parts.append(part)
        return part

    def __html__(self) -> SafeString:
        """Return the element as markup."""
        # All attributes and texts have been escaped.
        return mark_safe(self._markup())  # noqa: S308

    def _markup(self) -> str:
        attributes = "".join(f' {name}="{escape(value)}"' for name, value in self.attributes.items())
        inner_markup = "".join(part._markup() for part in self.parts)
        return f"<{self.name}{attributes}>{escape(self.text)}{inner_markup}</{self.name}>"


def drawing(width: float, height: float, *, title: str, description: str = "") -> SvgPart:
    """Return an empty picture with a title for screen readers.

    `description` describes the content in words, in addition to the title.
    """
    svg = SvgPart(
        name="svg",
        attributes={
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width:g} {height:g}",
            "role": "img",
            "font-family": FONT,
        },
    )
    svg.add("title", text=title)
    if description:
        svg.add("desc", text=description)
    return svg


def line(
    parent: SvgPart, x1: float, y1: float, x2: float, y2: float, *, css: str, **attributes: str
) -> SvgPart:
    """Draw a line with the class `css`."""
    places = {"x1": f"{x1:g}", "y1": f"{y1:g}", "x2": f"{x2:g}", "y2": f"{y2:g}"}
    return _element(parent, "line", css, places, attributes)


def circle(parent: SvgPart, x: float, y: float, radius: float, *, css: str, **attributes: str) -> SvgPart:
    """Draw a circle with the class `css`."""
    return _element(parent, "circle", css, {"cx": f"{x:g}", "cy": f"{y:g}", "r": f"{radius:g}"}, attributes)


def diamond(parent: SvgPart, x: float, y: float, radius: float, *, css: str, **attributes: str) -> SvgPart:
    """Draw a diamond, the sign for a true value."""
    points = f"{x:g},{y - radius:g} {x + radius:g},{y:g} {x:g},{y + radius:g} {x - radius:g},{y:g}"
    return _element(parent, "polygon", css, {"points": points}, attributes)


def text(parent: SvgPart, x: float, y: float, content: str, *, css: str = "", **attributes: str) -> SvgPart:
    """Write `content` at a position."""
    places = {
        "x": f"{x:g}", "y": f"{y:g}", "fill": INK if css in ("strong", "label") else SOFT, "font-size": "12",
    }  # fmt: skip
    element = _element(parent, "text", css, places, attributes)
    element.text = content
    return element


_NARROWEST: Final = 7.5
"""Width of the narrowest sign."""


def text_width(content: str) -> float:
    """Estimate an upper limit for the width of a text at 12 px: 12 px per Chinese character, 10 per capital.

    Examples
    --------
    >>> text_width("ab"), text_width("AB"), text_width("问卷")
    (15.0, 20.0, 24.0)
    """
    return sum(
        12.0 if east_asian_width(sign) in "WF" else 10.0 if sign.isupper() or sign in "mw@%→…" else _NARROWEST
        for sign in content
    )


def cut(content: str, widest: float) -> str:
    """Shorten a text to `widest` px, with an ellipsis if anything is cut off.

    Examples
    --------
    >>> cut("abc", 22.5), cut("abcd", 25)
    ('abc', 'ab…')
    """
    if text_width(content) <= widest:
        return content
    content = content[: int(widest / _NARROWEST) + 1]
    while content and text_width(f"{content}…") > widest:
        content = content[:-1]
    return f"{content.rstrip()}…"


def lines_of(content: str, widest: float) -> list[str]:
    """Break a text into lines of at most `widest` px, at spaces and hyphens if possible.

    Examples
    --------
    >>> lines_of("square, own width", 80), lines_of("well-being", 60), lines_of("问卷调查", 30)
    (['square,', 'own width'], ['well-', 'being'], ['问卷', '调查'])
    """
    lines, line = [], ""
    for piece in re.findall(r"[^ -]*-+|[^ -]+| +", content):
        while text_width((line + piece).rstrip()) > widest:
            if line:
                lines.append(line.rstrip())
                line, piece = "", piece.lstrip()
                continue
            room = max(1, sum(end <= widest for end in itertools.accumulate(map(text_width, piece))))
            lines.append(piece[:room])
            piece = piece[room:]
        line += piece
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def render_svg(svg: SvgPart) -> SafeString:
    """Return the picture as markup."""
    return svg.__html__()


def in_millimetres(picture: str, width: float) -> str:
    """Prepare a finished picture for print: with a width in millimetres, and on white.

    Examples
    --------
    >>> in_millimetres(render_svg(drawing(400, 200, title="t")), 120)[:85]
    '<svg width="120mm" height="60mm" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 '
    """
    wide, high = size_of(picture)
    opening = f'<svg width="{width:g}mm" height="{width * high / wide:g}mm" '
    white = picture.removeprefix("<svg ").replace(f'fill="{PAPER}"', 'fill="#ffffff"')
    sheet = f'<rect width="{wide:g}" height="{high:g}" fill="#ffffff"></rect>'
    return opening + white.replace("</title>", f"</title>{sheet}", 1)


def with_note(picture: str, note: str) -> str:
    """Write a note below a finished picture, which becomes higher by it.

    Examples
    --------
    >>> size_of(with_note(render_svg(drawing(400, 200, title="t")), "One line"))
    (400.0, 224.0)
    """
    wide, high = size_of(picture)
    lines = lines_of(note, wide - 2 * _NOTE_MARGIN)
    grown = high + _NOTE_LINE * len(lines) + _NOTE_MARGIN
    written = SvgPart(name="g", attributes={})
    sheet = {"y": f"{high:g}", "width": f"{wide:g}", "height": f"{grown - high:g}", "fill": PAPER}
    written.add("rect", sheet)
    for number, content in enumerate(lines, 1):
        text(written, _NOTE_MARGIN, high + _NOTE_LINE * number, content)
    opening = f'viewBox="0 0 {wide:g} {high:g}"'
    sized = picture.replace(opening, f'viewBox="0 0 {wide:g} {grown:g}"', 1)
    return f"{sized.removesuffix('</svg>')}{render_svg(written)}</svg>"


_NOTE_LINE: Final = 16
_NOTE_MARGIN: Final = 8


def size_of(picture: str) -> tuple[float, float]:
    """Return width and height of a finished picture, in px.

    Raises
    ------
    ValueError
        The markup does not begin with the size.
    """
    sides = re.match(r'<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"', picture)
    if sides is None:
        raise ValueError("a picture begins with its size")
    return float(sides[1]), float(sides[2])


def _element(
    parent: SvgPart, name: str, css: str, places: dict[str, str], attributes: dict[str, str]
) -> SvgPart:
    style = {key.replace("_", "-"): value for key, value in attributes.items()}
    classes = {"class": css} if css else {}
    return parent.add(name, {**places, **classes, **style})


@dataclass(frozen=True, kw_only=True)
class Axis:
    """A linear scale from values to positions in the picture.

    Attributes
    ----------
    low, high : float
        Values at the two ends; ``low < high``.
    start, end : float
        Positions of the two ends.
    step : float
        Distance between two ticks.
    """

    low: float
    high: float
    start: float
    end: float
    step: float

    def position(self, value: float) -> float:
        """Return the position of `value`; values outside the axis are moved to its edge."""
        clipped = min(max(value, self.low), self.high)
        return round(self.start + self._along(clipped) * (self.end - self.start), 2)

    def _along(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[float]:
        """Multiples of the step from one end to the other."""
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        return [index * self.step for index in range(first, last + 1)]

    def label(self, tick: float) -> str:
        """Format a tick with as many decimals as the step needs."""
        if abs(tick) < self.step / 2:
            return "0"
        return format_decimals(tick, max(0, -math.floor(math.log10(self.step) + 1e-9)))


def axis_over(values: Sequence[float], *, start: float, end: float, most: float | None = None) -> Axis:
    """Return an axis that contains all `values` and starts at 0, or lower if an estimate is negative.

    Parameters
    ----------
    values : list of float
        Finite values that must be visible.
    start, end : float
        Positions of the two ends in the picture.
    most : float, optional
        The natural end of the scale (1 for a share); only estimates beyond it extend the axis.

    Examples
    --------
    >>> axis_over([0.05, 0.43], start=0, end=100).ticks
    [0.0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5]
    """
    low, high = min([0.0, *values]), max([*values, 0.01])
    step = round_step((high - low) / 5)
    top = math.ceil(high / step - 1e-9) * step
    if most is not None and high <= most < top:
        top = most
    return Axis(low=math.floor(low / step + 1e-9) * step, high=top, start=start, end=end, step=step)


def format_decimals(value: float, decimals: int) -> str:
    """Format a number with commas between thousands and without a zero before the point."""
    text = f"{abs(value):,.{decimals}f}"
    return (MINUS if value < 0 else "") + (text[1:] if text.startswith("0.") else text)


def round_step(rough: float, factors: Sequence[float] = (1, 2, 5, 10)) -> float:
    """Return the smallest power of ten, times one of the factors, that is at least `rough`."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in factors if factor * power >= rough * (1 - 1e-9))
