"""Pictures as SVG text: a drawing area with axes that start where they should.

Colours are presentation attributes, so that a saved file looks right anywhere; the page's style sheet
overrides them by class and follows the reader's colour scheme. No style attribute, no script: the pictures
live under the strict content policy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from html import escape
from unicodedata import east_asian_width

from django.utils.safestring import SafeString, mark_safe

from surveys.formats.figures import number

PAPER, INK, SOFT, LINE, STRONG, ACCENT, WARN = (
    "#fffdf9", "#1d2423", "#55605d", "#dcd5c8", "#8a867c", "#0b5d5b", "#7a4a00",
)  # fmt: skip
FONT = "system-ui, sans-serif"


@dataclass(frozen=True, kw_only=True)
class Axis:
    """A linear scale from values to places on the picture.

    Attributes
    ----------
    low, high : float
        Values at the two ends; ``low < high``.
    start, end : float
        Places of the two ends.
    step : float
        Distance of two ticks.
    """

    low: float
    high: float
    start: float
    end: float
    step: float

    def place(self, value: float) -> float:
        """Return where `value` lies; what lies outside is drawn at the edge."""
        inside = min(max(value, self.low), self.high)
        return round(self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start), 2)

    @property
    def ticks(self) -> list[float]:
        """Round values from one end to the other."""
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        return [index * self.step for index in range(first, last + 1)]

    def label(self, tick: float) -> str:
        """Return the tick as it is printed, with as many decimals as the step needs."""
        if abs(tick) < self.step / 2:
            return "0"
        return number(tick, max(0, -math.floor(math.log10(self.step) + 1e-9)))


def axis_over(values: list[float], *, start: float, end: float, most: float | None = None) -> Axis:
    """Return an axis that starts at 0, or below where an estimate lies below, and holds all `values`.

    Parameters
    ----------
    values : list of float
        Finite values that must be visible.
    start, end : float
        Places of the two ends on the picture.
    most : float, optional
        The natural end of the scale (1 for a share): the axis goes beyond it only for an estimate beyond.

    Examples
    --------
    >>> axis_over([0.05, 0.43], start=0, end=100).ticks
    [0.0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5]
    """
    low, high = min([0.0, *values]), max([*values, 0.01])
    step = _round_step((high - low) / 5)
    top = math.ceil(high / step - 1e-9) * step
    if most is not None and high <= most < top:
        top = most
    return Axis(low=math.floor(low / step + 1e-9) * step, high=top, start=start, end=end, step=step)


@dataclass(kw_only=True)
class Part:
    """An element of a picture, with what it holds."""

    name: str
    attributes: dict[str, str]
    text: str = ""
    parts: list[Part] = field(default_factory=list)

    def add(self, name: str, attributes: dict[str, str] | None = None, *, text: str = "") -> Part:
        """Put an element inside this one, and return it."""
        part = Part(name=name, attributes=attributes or {}, text=text)
        self.parts.append(part)
        return part

    def __html__(self) -> SafeString:
        """Return the element as text."""
        # Every attribute and text in it was escaped.
        return mark_safe(self._written())  # nosec B308 B703

    def _written(self) -> str:
        attributes = "".join(f' {name}="{escape(value)}"' for name, value in self.attributes.items())
        inside = "".join(part._written() for part in self.parts)
        return f"<{self.name}{attributes}>{escape(self.text)}{inside}</{self.name}>"


def drawing(
    width: float,
    height: float,
    *,
    title: str,
    paper: bool = False,
    role: str = "img",
    in_its_size: bool = False,
) -> Part:
    """Return an empty picture with its name for those who do not see it; with `paper` it has a background.

    A picture with links in it is a "group", so that they are found. One that is drawn `in_its_size` scrolls
    where it does not fit; others shrink.
    """
    svg = Part(
        name="svg",
        attributes={
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width:g} {height:g}",
            "role": role,
            "font-family": FONT,
        },
    )
    if in_its_size:
        svg.attributes |= {"width": f"{width:g}", "height": f"{height:g}"}
    svg.add("title", text=title)
    if paper:
        svg.add("rect", {"width": f"{width:g}", "height": f"{height:g}", "fill": PAPER})
    return svg


def line(parent: Part, x1: float, y1: float, x2: float, y2: float, *, css: str, **attributes: str) -> Part:
    """Draw a line of class `css`."""
    places = {"x1": f"{x1:g}", "y1": f"{y1:g}", "x2": f"{x2:g}", "y2": f"{y2:g}"}
    return _element(parent, "line", css, places, attributes)


def circle(parent: Part, x: float, y: float, radius: float, *, css: str, **attributes: str) -> Part:
    """Draw a circle of class `css`."""
    return _element(parent, "circle", css, {"cx": f"{x:g}", "cy": f"{y:g}", "r": f"{radius:g}"}, attributes)


def diamond(parent: Part, x: float, y: float, radius: float, *, css: str, **attributes: str) -> Part:
    """Draw a square on its tip: the true value."""
    points = f"{x:g},{y - radius:g} {x + radius:g},{y:g} {x:g},{y + radius:g} {x - radius:g},{y:g}"
    return _element(parent, "polygon", css, {"points": points}, attributes)


def text(parent: Part, x: float, y: float, content: str, *, css: str = "", **attributes: str) -> Part:
    """Write `content` at a place."""
    places = {
        "x": f"{x:g}", "y": f"{y:g}", "fill": INK if css in ("strong", "label") else SOFT, "font-size": "12",
    }  # fmt: skip
    element = _element(parent, "text", css, places, attributes)
    element.text = content
    return element


def text_width(content: str) -> float:
    """Return about how wide a text of 12 px is, rather too much: 12 for Chinese, 10 for a capital.

    Examples
    --------
    >>> text_width("ab"), text_width("AB"), text_width("问卷")
    (15.0, 20.0, 24.0)
    """
    return sum(
        12.0 if east_asian_width(sign) in "WF" else 10.0 if sign.isupper() or sign in "mw@%→…" else 7.5
        for sign in content
    )


def cut(content: str, widest: float) -> str:
    """Return as much of a text as `widest` px hold, with an ellipsis where something is left out.

    Examples
    --------
    >>> cut("abc", 22.5), cut("abcd", 25)
    ('abc', 'ab…')
    """
    if text_width(content) <= widest:
        return content
    while content and text_width(f"{content}…") > widest:
        content = content[:-1]
    return f"{content.rstrip()}…"


def rendered(svg: Part) -> SafeString:
    """Return the picture as text."""
    return svg.__html__()


def _element(parent: Part, name: str, css: str, places: dict[str, str], attributes: dict[str, str]) -> Part:
    painted = {key.replace("_", "-"): value for key, value in attributes.items()}
    classes = {"class": css} if css else {}
    return parent.add(name, {**places, **classes, **painted})


def _round_step(rough: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least `rough`."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
