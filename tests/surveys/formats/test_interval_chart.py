"""Charts with intervals: impossible shares, differences about 0, and bars."""

import re

import pytest

from surveys.formats.interval_chart import (
    BAR_WIDTH,
    LEFT,
    RIGHT,
    WIDTH,
    IntervalRow,
    differences_svg,
    share_bar,
    shares_svg,
)

ROWS = [
    IntervalRow(name="yes", text="25 % (10 to 40)", value=0.25, low=0.1, high=0.4),
    IntervalRow(name="rare", text="−2 % (−5 to 1)", value=-0.02, low=-0.05, high=0.01),
]


def _marks(drawing: str) -> list[float]:
    return [float(x) for x in re.findall(r'<circle cx="([^"]+)"', drawing)]


def test_an_impossible_share_has_an_interval_but_no_point() -> None:
    drawing = shares_svg(ROWS, title="t", unit="people of 100")
    length = WIDTH - LEFT - RIGHT
    assert _marks(drawing) == [LEFT + 0.25 * length]
    assert drawing.count('class="whisker"') == 2
    assert all(f">{tick}</text>" in drawing for tick in ("0", "25", "50", "75", "100"))
    assert "<desc>yes: 25 % (10 to 40); rare: −2 % (−5 to 1)</desc>" in drawing


def test_differences_centre_on_zero_and_open_intervals_reach_the_edge() -> None:
    rows = [
        IntervalRow(name=name, text="", value=value, low=value - 0.02, high=value + 0.02)
        for name, value in (("less", -0.1), ("same", 0.0), ("more", 0.1))
    ]
    drawing = differences_svg(rows, title="t", unit="points more")
    less, same, more = _marks(drawing)
    assert abs((same - less) - (more - same)) < 0.05
    assert drawing.count('class="axis"') == 1
    row = IntervalRow(name="x", text="", value=0.3, low=-float("inf"), high=float("inf"))
    drawing = differences_svg([row], title="t", unit="points more")
    (ends,) = re.findall(r'<line x1="([^"]+)" y1="[^"]+" x2="([^"]+)"[^>]*class="whisker"', drawing)
    assert [float(end) for end in ends] == [LEFT + 8, WIDTH - RIGHT]


def places(drawing: str, css: str, *names: str) -> list[tuple[float, ...]]:
    """Return attributes of the elements with a class."""
    parts = re.findall(rf"<[a-z]+ [^>]*class=\"{css}\"[^>]*>", drawing)
    return [tuple(float(re.findall(rf' {name}="([^"]*)"', part)[0]) for name in names) for part in parts]


def test_share_bars_show_the_share_and_its_interval() -> None:
    drawing = share_bar(0.25, 0.125, 0.5, text="a quarter")
    assert "<title>a quarter</title>" in drawing
    inner = BAR_WIDTH - 2
    assert places(drawing, "share", "x", "width") == [(1, inner / 4)]
    (reach, *ends) = places(drawing, "reach", "x1", "x2")
    assert reach == (1 + inner / 8, 1 + inner / 2)
    assert ends == [(reach[0], reach[0]), (reach[1], reach[1])]
    assert "truth" not in drawing


def test_share_bars_mark_the_true_share() -> None:
    drawing = share_bar(0.5, 0.4, 0.6, text="half", truth=0.75)
    (diamond,) = re.findall(r'points="([\d.]+),', drawing)
    assert float(diamond) == 1 + (BAR_WIDTH - 2) * 0.75


def test_values_out_of_range_are_drawn_at_the_edge() -> None:
    drawing = share_bar(-0.1, -0.3, 1.2, text="beyond")
    assert places(drawing, "share", "width") == [(0,)]
    assert places(drawing, "reach", "x1", "x2")[0] == (1, BAR_WIDTH - 1)


@pytest.mark.parametrize(("value", "low", "high"), [(1.03, 0.9, 1.1), (-0.02, -0.05, 0.07), (0.5, 0.6, 0.7)])
def test_an_impossible_share_has_no_bar(value: float, low: float, high: float) -> None:
    """A bar to the right edge for "at least 90" looked like 100."""
    drawing = share_bar(value, low, high, text="at least")
    assert 'class="share" x="1" width="0"' in drawing
    assert drawing.count('class="reach"') == 3
