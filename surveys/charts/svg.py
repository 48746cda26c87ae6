"""Pictures as SVG text: a drawing area, and the parts placed on it.

Colours are presentation attributes, so that a saved file looks right anywhere; the page's style sheet
overrides them by class and follows the reader's colour scheme. There are no style attributes and no scripts,
as the strict content security policy requires.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from unicodedata import east_asian_width

from django.utils.safestring import SafeString, mark_safe

PAPER, INK, SOFT, LINE, STRONG, ACCENT, WARN = (
    "#fffdf9", "#1d2423", "#55605d", "#dcd5c8", "#8a867c", "#0b5d5b", "#7a4a00",
)  # fmt: skip
FONT = "system-ui, sans-serif"


@dataclass(kw_only=True)
class Part:
    """An element of a picture, with its contents."""

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
        # Every attribute and text in it is escaped.
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
    said: str = "",
    paper: bool = False,
) -> Part:
    """Return an empty picture with its name for readers who do not see it; with `paper` it has a background.

    `said` describes the content in words, in addition to the name.
    """
    svg = Part(
        name="svg",
        attributes={
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width:g} {height:g}",
            "role": "img",
            "font-family": FONT,
        },
    )
    svg.add("title", text=title)
    if said:
        svg.add("desc", text=said)
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
    """Estimate generously the width of a text of 12 px: 12 for Chinese, 10 for a capital.

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
    """Return as much of a text as `widest` px hold, with an ellipsis if something is left out.

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


def lines_of(content: str, widest: float) -> list[str]:
    """Return a text in lines of at most `widest` px: broken at spaces and hyphens, else where it must be.

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
            room = max(1, max(at for at in range(len(piece)) if text_width(piece[:at]) <= widest))
            lines.append(piece[:room])
            piece = piece[room:]
        line += piece
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def rendered(svg: Part) -> SafeString:
    """Return the picture as text."""
    return svg.__html__()


def in_millimetres(picture: str, width: float) -> str:
    """Return a finished picture for print: of a width in millimetres, and on white.

    Examples
    --------
    >>> in_millimetres(rendered(drawing(400, 200, title="t", paper=True)), 120)[:85]
    '<svg width="120mm" height="60mm" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 '
    """
    wide, high = size_of(picture)
    sized = f'<svg width="{width:g}mm" height="{width * high / wide:g}mm" '
    white = picture.removeprefix("<svg ").replace(f'fill="{PAPER}"', 'fill="#ffffff"')
    sheet = f'<rect width="{wide:g}" height="{high:g}" fill="#ffffff"></rect>'
    # A picture drawn for a page has no background of its own.
    return sized + (white if sheet in white else white.replace("</title>", f"</title>{sheet}", 1))


def size_of(picture: str) -> tuple[float, float]:
    """Return width and height of a finished picture, in its own px.

    Raises
    ------
    ValueError
        It does not begin with its size.
    """
    sides = re.match(r'<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"', picture)
    if sides is None:
        raise ValueError("a picture begins with its size")
    return float(sides[1]), float(sides[2])


def _element(parent: Part, name: str, css: str, places: dict[str, str], attributes: dict[str, str]) -> Part:
    painted = {key.replace("_", "-"): value for key, value in attributes.items()}
    classes = {"class": css} if css else {}
    return parent.add(name, {**places, **classes, **painted})
