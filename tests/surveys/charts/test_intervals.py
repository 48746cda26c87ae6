"""Rows of figures with their intervals: drawn where they are, and said to those who do not see them."""

from __future__ import annotations

import re

from surveys.charts.intervals import LEFT, RIGHT, WIDTH, IntervalRow, odds_svg, shares_svg

ROWS = [
    IntervalRow(name="yes", text="25 % (10 to 40)", value=0.25, low=0.1, high=0.4),
    IntervalRow(name="rare", text="−2 % (−5 to 1)", value=-0.02, low=-0.05, high=0.01),
]


def _marks(drawing: str) -> list[float]:
    return [float(x) for x in re.findall(r'<circle cx="([^"]+)"', drawing)]


def test_shares_lie_on_an_axis_of_all_people_and_at_its_edge_where_they_are_outside() -> None:
    drawing = shares_svg(ROWS, title="t", unit="people of 100")
    length = WIDTH - LEFT - RIGHT
    assert _marks(drawing) == [LEFT + 0.25 * length, LEFT]
    assert all(f">{tick}</text>" in drawing for tick in ("0", "25", "50", "75", "100"))
    assert "<desc>yes: 25 % (10 to 40); rare: −2 % (−5 to 1)</desc>" in drawing


def test_odds_ratios_lie_about_one_on_an_axis_of_equal_doublings() -> None:
    rows = [
        IntervalRow(name=name, text="", value=value, low=value / 1.5, high=value * 1.5)
        for name, value in (("half", 0.5), ("one", 1.0), ("double", 2.0))
    ]
    half, one, double = _marks(odds_svg(rows, title="t", unit="odds ratio"))
    assert abs((one - half) - (double - one)) < 0.05
    drawing = odds_svg(rows, title="t", unit="odds ratio")
    assert ">1/2</text>" in drawing
    assert drawing.count('class="axis"') == 1


def test_an_interval_without_an_end_is_drawn_to_the_edge() -> None:
    row = IntervalRow(name="x", text="", value=3.0, low=0.0, high=float("inf"))
    drawing = odds_svg([row], title="t", unit="odds ratio")
    (ends,) = re.findall(r'<line x1="([^"]+)" y1="[^"]+" x2="([^"]+)"[^>]*class="whisker"', drawing)
    assert [float(end) for end in ends] == [LEFT, WIDTH - RIGHT]
