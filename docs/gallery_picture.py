"""Draw the picture of docs/gallery.md: ``python -m docs.gallery_picture`` from the root of the checkout."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

PICTURE: Final = Path(__file__).parent / "pictures" / "gallery.svg"

Row = tuple[str, float, float, float, float, float]
"""A study; the published estimate and its 95% interval half; own estimate and the ends of its interval."""

LEFT, WIDTH, STEP, TOP = 310, 420, 46, 40


def drawn(rows: list[Row]) -> str:
    """Return the SVG: for each study a ring for the published figure above a dot for our own."""
    height = TOP + STEP * len(rows) + 30
    said = "; ".join(f"{name}: published {value:.3f}, here {own:.3f}" for name, value, _, own, _, _ in rows)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 40} {height}" role="img" '
            'font-family="system-ui, sans-serif" font-size="14">',
            f"<title>Published and own estimates with 95% intervals</title><desc>{escape(said)}</desc>",
            f'<rect width="{LEFT + WIDTH + 40}" height="{height}" fill="#fff"/>',
            *_axis(height),
            *(line for number, row in enumerate(rows) for line in _row(row, TOP + STEP * number + 14)),
            "</svg>\n",
        ]
    )


def _x(share: float) -> float:
    return round(LEFT + WIDTH * share, 1)


def _axis(height: int) -> Iterator[str]:
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10)
        yield f'<line x1="{x}" y1="{TOP - 10}" x2="{x}" y2="{height - 24}" stroke="#ddd"/>'
        yield f'<text x="{x}" y="{height - 6}" text-anchor="middle" fill="#444">{10 * tenth}%</text>'
    yield '<circle cx="300" cy="16" r="5" fill="#fff" stroke="#1f4e79" stroke-width="2"/>'
    yield '<text x="312" y="21" fill="#222">published</text>'
    yield '<circle cx="420" cy="16" r="5" fill="#b5480c"/><text x="432" y="21" fill="#222">here</text>'


def _row(row: Row, y: int) -> Iterator[str]:
    name, value, half, own, low, high = row
    yield f'<text x="{LEFT - 28}" y="{y + 10}" text-anchor="end" fill="#222">{escape(name)}</text>'
    if half:
        ends = f'x1="{_x(value - half)}" x2="{_x(value + half)}"'
        yield f'<line {ends} y1="{y}" y2="{y}" stroke="#1f4e79" stroke-width="2"/>'
    yield f'<circle cx="{_x(value)}" cy="{y}" r="5" fill="#fff" stroke="#1f4e79" stroke-width="2"/>'
    ends = f'x1="{_x(low)}" x2="{_x(high)}"'
    yield f'<line {ends} y1="{y + 14}" y2="{y + 14}" stroke="#b5480c" stroke-width="2"/>'
    yield f'<circle cx="{_x(own)}" cy="{y + 14}" r="5" fill="#b5480c"/>'


def rows_of(session: dict[str, object]) -> list[Row]:
    """Return the rows from what the page's session computed, and the figures that were published."""
    published = {
        "connections with armed groups": (0.2619, 0.0144, "groups", None),
        "for a ban of minarets": (0.8707, 0.0411, "minarets", "share"),
        "crosswise, as answered": (0.195, 0.01445, "anchored", "share, uncorrected"),
        "crosswise, corrected by the anchor": (0.1054, 0.0, "anchored", "share"),
        "upset by a family next door": (0.0678, 0.0496, "neighbours", "share"),
        "affairs (true share)": (0.3225, 0.0, "reports", "affair"),
        "cheaters, directly (true share)": (1.0, 0.0, "dice", ("cheaters", "direct")),
        "cheaters, crosswise (true share)": (1.0, 0.0, "dice", ("cheaters", "crosswise")),
        "cheaters, unrelated (true share)": (1.0, 0.0, "dice", ("cheaters", "unrelated")),
        "cheaters, forced (true share)": (1.0, 0.0, "dice", ("cheaters", "forced")),
        "honest, crosswise (true share)": (0.0, 0.0, "dice", ("honest", "crosswise")),
        "copied in an exam (asked directly)": (0.2181, 0.0154, "copied", None),
        "doping, Daegu": (0.436, 0.0217, "daegu", None),
        "doping, Doha": (0.571, 0.024, "doha", None),
        "infidelity": (0.4023, 0.042, "classes", "unfaithful"),
        "messages while studying": (0.869, 0.0238, "years", "share"),
    }
    rows = []
    for name, (value, error, variable, quantity) in published.items():
        found: Any = session[variable]
        if variable in ("reports", "classes"):
            found = found.share(quantity)
        elif variable == "dice":
            found = found[quantity[0]][quantity[1]]
        elif quantity:
            found = found[quantity]
        rows.append((name, value, 1.96 * error, found.value, *found.interval()))
    return rows


if __name__ == "__main__":
    import doctest
    import re

    argparse.ArgumentParser(description=__doc__).parse_args()
    page = Path(__file__).with_name("gallery.md").read_text(encoding="utf-8")
    text = re.sub(r"^```.*$", "", page, flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, "gallery", None, 0)
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, clear_globs=False)
    PICTURE.write_text(drawn(rows_of(test.globs)), encoding="utf-8")
