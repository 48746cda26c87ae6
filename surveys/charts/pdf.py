"""Our own pictures as PDF: lines, shapes and texts of an SVG, on white and in millimetres.

No program of another maker draws them: our pictures hold little, and each part of one is an operator of PDF.
Latin letters are Helvetica's, Chinese ones a font that readers of PDF have; neither is embedded.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree  # nosec B405  # reads what `surveys.charts.svg` wrote

from surveys.formats.figures import MINUS

__all__ = ["pdf_of"]

_POINTS: Final = 72 / 25.4
"""To a millimetre."""

_WIDTHS: Final = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 "
    "278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 "
    "667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 "
    "833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
_LATIN: Final = r"[\x20-\x7e\xa0-\xff–—‘’“”…·]"
"""Letters that the first font has."""

_MOVED: Final = re.compile(r"translate\(([-.\d]+) ([-.\d]+)\)(?: scale\(([-.e\d]+) ([-.e\d]+)\))?")
"""A transform: where a part begins, and how large a unit in it is."""

_HELVETICA: Final = [int(width) for width in _WIDTHS.split()]
"""Of the letters from space to tilde, in thousandths; others are taken as wide as a digit."""


def pdf_of(drawing: str, *, millimetres: float) -> bytes:
    """Return a picture as a PDF of one page, so wide.

    Raises
    ------
    ValueError
        The picture holds something that none of these pictures has: a curve, a turn.

    Examples
    --------
    >>> from surveys.charts import svg
    >>> picture = svg.drawing(100, 50, title="t")
    >>> _ = svg.line(picture, 0, 0, 100, 50, css="", stroke="#000000")
    >>> pdf_of(svg.rendered(picture), millimetres=100)[:8]
    b'%PDF-1.4'
    """
    root = ElementTree.fromstring(drawing)  # nosec B314  # as above
    _, _, wide, high = (float(side) for side in root.attrib["viewBox"].split())
    scale = millimetres * _POINTS / wide
    shades: dict[str, str] = {}
    operators = [f"{scale:.5f} 0 0 {-scale:.5f} 0 {high * scale:.3f} cm", *_of(root, shades)]
    content = zlib.compress("\n".join(operators).encode("ascii"))
    states = " ".join(f"/{name} << /ca {alpha} /CA {alpha} >>" for alpha, name in shades.items())
    title = root.findtext("{*}title") or ""
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            (
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {wide * scale:.3f} {high * scale:.3f}] "
                f"/Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> "
                f"/ExtGState << {states} >> >> >>"
            ).encode(),
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(content) + content + b"\nendstream",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H "
            b"/DescendantFonts [7 0 R] >>",
            b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 /FontDescriptor 8 0 R "
            b"/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>",
            b"<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] "
            b"/ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>",
            b"<< /Title <feff" + title.encode("utf-16-be").hex().encode() + b"> >>",
        ]
    )


def _file(objects: list[bytes]) -> bytes:
    """Number the objects and say where each of them begins; the last one tells of the file."""
    out = b"%PDF-1.4\n"
    begins = []
    for number, written in enumerate(objects, start=1):
        begins.append(len(out))
        out += b"%d 0 obj\n" % number + written + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % begin for begin in begins)
    size = len(objects) + 1
    return (
        out
        + b"xref\n0 %d\n0000000000 65535 f \n" % size
        + table
        + b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (size, size - 1, len(out))
    )


def _of(part: ElementTree.Element, shades: dict[str, str]) -> Iterator[str]:
    """Yield the operators of a part and of what it holds."""
    for own in part:
        name = own.tag.rpartition("}")[2]
        if name in ("title", "desc"):
            continue
        yield "q"
        moved = _MOVED.fullmatch(own.get("transform", "translate(0 0)"))
        if moved is None or name not in ("g", "text", *_SHAPES):
            raise ValueError(f"no PDF of {name}")
        yield f"{moved[3] or 1} 0 0 {moved[4] or 1} {moved[1]} {moved[2]} cm"
        if name == "g":
            yield from _of(own, shades)
        elif name == "text":
            yield from _text(own)
        else:
            yield from _shape(own, name, shades)
        yield "Q"


def _shape(own: ElementTree.Element, name: str, shades: dict[str, str]) -> Iterator[str]:
    fill, stroke = (own.get(key, default) for key, default in (("fill", "#000000"), ("stroke", "none")))
    alpha = own.get("fill-opacity") or own.get("stroke-opacity")
    if alpha:
        yield f"/{shades.setdefault(f'{float(alpha):g}', f'G{len(shades)}')} gs"
    if name in ("line", "polyline"):
        fill = own.get("fill", "none") if name == "polyline" else "none"
    if fill != "none":
        yield f"{_colour(fill)} rg"
    if stroke != "none":
        yield f"{_colour(stroke)} RG {own.get('stroke-width', '1')} w [{own.get('stroke-dasharray', '')}] 0 d"
    yield from _SHAPES[name](own)
    yield {(True, True): "B", (True, False): "f", (False, True): "S", (False, False): "n"}[
        fill != "none", stroke != "none"
    ]


def _numbers(own: ElementTree.Element, *names: str) -> list[float]:
    return [float(own.get(name, "0")) for name in names]


def _line(own: ElementTree.Element) -> Iterator[str]:
    x1, y1, x2, y2 = _numbers(own, "x1", "y1", "x2", "y2")
    yield f"{x1:g} {y1:g} m {x2:g} {y2:g} l"


def _rectangle(own: ElementTree.Element) -> Iterator[str]:
    yield " ".join(f"{side:g}" for side in _numbers(own, "x", "y", "width", "height")) + " re"


def _circle(own: ElementTree.Element) -> Iterator[str]:
    x, y, r = _numbers(own, "cx", "cy", "r")
    k = 0.5523 * r
    yield f"{x + r:g} {y:g} m"
    for a, b, c, d, e, f in (
        (x + r, y + k, x + k, y + r, x, y + r),
        (x - k, y + r, x - r, y + k, x - r, y),
        (x - r, y - k, x - k, y - r, x, y - r),
        (x + k, y - r, x + r, y - k, x + r, y),
    ):
        yield f"{a:g} {b:g} {c:g} {d:g} {e:g} {f:g} c"


def _polyline(own: ElementTree.Element) -> Iterator[str]:
    for position, point in enumerate(own.attrib["points"].split()):
        yield point.replace(",", " ") + (" l" if position else " m")


def _polygon(own: ElementTree.Element) -> Iterator[str]:
    yield from _polyline(own)
    yield "h"


def _path(own: ElementTree.Element) -> Iterator[str]:
    """Write a path of corners: to a point (M), so far along or up (h, v), and back to its begin (z)."""
    x = y = 0.0
    for step, given in re.findall(r"([A-Za-z])([^A-Za-z]*)", own.attrib["d"]):
        if step == "M":
            x, y = map(float, given.split())
            yield f"{x:g} {y:g} m"
        elif step in "hv":
            x, y = (x + float(given), y) if step == "h" else (x, y + float(given))
            yield f"{x:g} {y:g} l"
        elif step == "z":
            yield "h"
        else:
            raise ValueError(f"no PDF of a path with {step}")


_SHAPES = {
    "line": _line,
    "rect": _rectangle,
    "circle": _circle,
    "polyline": _polyline,
    "polygon": _polygon,
    "path": _path,
}


def _text(own: ElementTree.Element) -> Iterator[str]:
    """Write a text: letters of Latin in one font, all others in another."""
    x, y, size = _numbers(own, "x", "y", "font-size")
    runs = re.findall(f"{_LATIN}+|[^{_LATIN[1:]}+", (own.text or "").replace(MINUS, "–"))
    wide = sum(_wide(run) for run in runs) * size / 1000
    x -= {"end": wide, "middle": wide / 2}.get(own.get("text-anchor", "start"), 0.0)
    yield f"BT {_colour(own.get('fill', '#000000'))} rg 1 0 0 -1 {x:.3f} {y:g} Tm"
    for run in runs:
        latin = _is_latin(run)
        letters = run.encode("cp1252", "replace") if latin else run.encode("utf-16-be")
        yield f"/F{1 if latin else 2} {size:g} Tf <{letters.hex()}> Tj"
    yield "ET"


def _is_latin(run: str) -> bool:
    return bool(re.match(_LATIN, run))


def _wide(run: str) -> int:
    if not _is_latin(run):
        return 1000 * len(run)
    return sum(_HELVETICA[ord(sign) - 32] if 32 <= ord(sign) <= 126 else 556 for sign in run)


def _colour(written: str) -> str:
    return " ".join(f"{int(written[at : at + 2], 16) / 255:.3f}" for at in (1, 3, 5))
