"""SVG figures: axes, escaping, bars, and QR codes."""

import math
import re
from xml.dom.minidom import parseString

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from surveys.formats import svg
from surveys.formats.svg import (
    BAR_WIDTH,
    LEFT,
    RIGHT,
    WIDTH,
    IntervalRow,
    differences_svg,
    qr_code,
    share_bar,
    shares_svg,
)


@pytest.mark.parametrize(
    ("values", "most", "low", "high", "labels"),
    [
        ([0.05, 0.43], 1.0, 0.0, 0.5, ["0", ".1", ".2", ".3", ".4", ".5"]),
        ([0.93], 1.0, 0.0, 1.0, ["0", ".2", ".4", ".6", ".8", "1.0"]),
        ([1.12], 1.0, 0.0, 1.5, ["0", ".5", "1.0", "1.5"]),
        ([-0.03, 0.2], 1.0, -0.05, 0.2, ["−.05", "0", ".05", ".10", ".15", ".20"]),
        ([], 1.0, 0.0, 0.01, ["0", ".002", ".004", ".006", ".008", ".010"]),
    ],
)
def test_axes_start_at_zero_and_extend_only_for_values_out_of_range(
    values: list[float], most: float, low: float, high: float, labels: list[str]
) -> None:
    axis = svg.axis_over(values, start=0, end=100, most=most)
    assert (axis.low, axis.high) == pytest.approx((low, high))
    assert [axis.label(tick) for tick in axis.ticks] == labels


@given(st.lists(st.floats(-0.5, 2.0), min_size=1, max_size=9))
def test_every_value_lies_on_its_axis(values: list[float]) -> None:
    axis = svg.axis_over(values, start=40, end=390)
    assert axis.low <= min([0.0, *values]) + 1e-9
    assert axis.high >= max(values) - 1e-9
    for value in values:
        assert 40 <= axis.position(value) <= 390
    assert len(axis.ticks) <= 13


def test_axis_positions_are_proportional_and_can_run_upwards() -> None:
    axis = svg.Axis(low=0, high=1, start=300, end=100, step=0.5)
    assert (axis.position(0), axis.position(0.5), axis.position(1), axis.position(7)) == (300, 200, 100, 100)


def test_texts_and_attributes_are_escaped() -> None:
    drawing = svg.drawing(10, 10, title="<script>&")
    svg.text(drawing, 1, 1, 'a"<b>', css='x" onload="y')
    said = svg.render_svg(drawing)
    assert "<script" not in said
    (text,) = parseString(said).getElementsByTagName("text")
    assert text.firstChild.data == 'a"<b>'
    assert text.getAttribute("class") == 'x" onload="y'


def test_drawings_have_an_accessible_title() -> None:
    root = parseString(svg.render_svg(svg.drawing(10, 10, title="Rules"))).documentElement
    assert root.getAttribute("role") == "img"
    assert root.firstChild.tagName == "title"
    assert root.firstChild.firstChild.data == "Rules"


def test_drawings_use_no_inline_styles() -> None:
    drawing = svg.drawing(10, 10, title="t")
    svg.line(drawing, 0, 0, 1, 1, css="axis", stroke="#000", stroke_width="2")
    svg.diamond(drawing, 5, 5, 2, css="truth")
    assert "style" not in svg.render_svg(drawing)
    assert 'stroke-width="2"' in svg.render_svg(drawing)


@given(st.floats(1e-9, 1e6))
def test_steps_are_one_two_or_five_times_a_power_of_ten(rough: float) -> None:
    step = svg.round_step(rough)
    assert step >= rough * (1 - 1e-9)
    leading = step / 10 ** math.floor(math.log10(step * (1 + 1e-12)))
    assert min(abs(leading - whole) for whole in (1, 2, 5)) < 1e-6


ADDRESS = "https://survey.example.org/en/s/work/"


def test_qr_codes_have_a_margin_of_four_modules() -> None:
    drawn = qr_code(ADDRESS)
    made = segno.make(ADDRESS, error="m", micro=False)
    width = made.symbol_size(border=4)[0]
    assert f'viewBox="0 0 {width} {width}"' in drawn
    assert drawn == qr_code(ADDRESS)
    assert drawn != qr_code(ADDRESS + "x")
    assert "#fff" in drawn
    assert "#000" in drawn
    assert "example" not in drawn


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
