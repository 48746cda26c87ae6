"""SVG figures: axes, escaping, and QR codes."""

import math
from xml.dom.minidom import parseString

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.formats import svg


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


@pytest.mark.soak
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


@pytest.mark.soak
@given(st.floats(1e-9, 1e6))
def test_steps_are_one_two_or_five_times_a_power_of_ten(rough: float) -> None:
    step = svg.round_step(rough)
    assert step >= rough * (1 - 1e-9)
    leading = step / 10 ** math.floor(math.log10(step * (1 + 1e-12)))
    assert min(abs(leading - whole) for whole in (1, 2, 5)) < 1e-6


ADDRESS = "https://survey.example.org/en/s/work/"
