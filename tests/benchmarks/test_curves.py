"""Pictures of curves, read back as geometry, for data of every shape seen so far and for random data."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.curves import LOOKS, MARGIN, TO_ZERO, WIDTH, Series, axis_around, curves_svg
from tests.fixtures.svg_reading import Box, Drawing, assert_readable, look_of

AT = [2, 5, 10, 20, 50]
LONG = "utility-optimised square, width of the square mechanism"
DATA = {
    "apart": [Series(label=f"curve {n}", x=AT, y=[n + 1 / k for k in AT]) for n in range(4)],
    "coinciding": [
        Series(label="bottom-up", x=AT, y=[5, 4, 3, 2, 1]),
        Series(label="ILP-based", x=AT, y=[4, 3, 2, 1, 0]),
        Series(label="ILP-based, after its L step", x=AT, y=[4, 3, 2, 1, 0]),
    ],
    "the same in part": [
        Series(label=name, x=AT, y=[high, 0, 0, 0, 0])
        for name, high in (("bottom-up", 0.2), ("ILP-based", 0.03), ("KACLUK", 0.3), ("none", 0.0))
    ],
    "skewed": [
        Series(label=LONG, x=[500, 5_000, 100_000], y=[1e6, 3e3, 20], errors=[5e4, 100, 1]),
        Series(label="piecewise mechanism for each axis", x=[500, 5_000, 100_000], y=[9e5, 8e5, 7e5]),
    ],
    "one point on a curve": [
        Series(label="every p", x=[0.5, 1, 2, 4], y=[9, 4, 2, 1]), Series(label="your p: 50 %", x=[1], y=[4]),
    ],
    "one point": [Series(label="alone", x=[3], y=[7])],
    "the same at 0": [Series(label="a", x=[0, 1], y=[1, 1]), Series(label="b", x=[0, 1], y=[1, 2])],
    "all zero": [Series(label="a", x=AT, y=[0] * 5), Series(label="b", x=AT, y=[0] * 5)],
    "below zero": [Series(label="a", x=AT, y=[-3, -1, 0, 1, 2], errors=[1] * 5)],
    "with holes": [Series(label="a", x=AT, y=[math.nan, 2, math.nan, 1, math.nan])],
    "a formula": [Series(label="k direct (equations 7 to 16)", x=AT, y=[4, 3, 3, 2, 1], expected=AT)],
    "many, all with long names": [Series(label=f"{LONG} {n}", x=AT, y=[1, 1, 1, 1, n]) for n in range(6)],
    "Chinese": [Series(label=label, x=AT, y=AT) for label in ("有风险的记录所占的份额", "丢失的信息")],
    "nothing": [],
}  # fmt: skip
SCALES = list(itertools.product((False, True), repeat=2))


def picture(series, **options):
    given = {"title": "What was found, said at a length that one line cannot hold, and one word more"}
    return curves_svg(series, **given, x_label="rows", y_label="mean error of a support", **options)


@pytest.mark.soak
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize(("log_x", "log_y"), SCALES)
def test_text_overlaps_no_other_text_line_or_edge(name, log_x, log_y):
    drawn = assert_readable(picture(DATA[name], log_x=log_x, log_y=log_y))
    assert (drawn.width, len(drawn.all("rect"))) == (WIDTH, 1)


@pytest.mark.parametrize("box", [Box(0, 0, 10, 10), Box(4, -5, 6, 15)])
def test_the_drawing_checks_detect_overlaps_and_crossings(box):
    assert box.meets(Box(5, 5, 20, 20))
    assert not box.meets(Box(10, 0, 20, 10))
    assert box.crossed_by(((-5, 5), (15, 6)))
    assert box.crossed_by(((5, 1), (5, 2)))
    assert not box.crossed_by(((-5, 20), (15, 20)))
    assert not box.crossed_by(((12, 0), (12, 10)))
    on_it = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 99">{}<text x="40" y="40">words</text></svg>'
    )
    for fault in (
        '<polyline points="0,0 90,80"/>',
        '<text x="50" y="45">more</text>',
        '<text x="80" y="9">off</text>',
    ):
        with pytest.raises(AssertionError):
            assert_readable(on_it.format(fault))
    assert_readable(on_it.format(""))


@pytest.mark.soak
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize(("log_x", "log_y"), SCALES)
def test_every_series_has_a_unique_dash_and_mark_in_the_legend(name, log_x, log_y):
    drawn = Drawing(picture(DATA[name], log_x=log_x, log_y=log_y))
    looks = {number: {look_of(group) for group in groups} for number, groups in drawn.series.items()}
    assert all(len(own) == 1 for own in looks.values())
    for part in (0, 1):
        seen = [own[part] for (own,) in looks.values() if own[part] is not None]
        assert len(set(seen)) == len(seen)


def test_curves_differ_in_dash_and_marker_up_to_six():
    assert len({look.dash for look in LOOKS}) == len({look.shape for look in LOOKS}) == len(LOOKS)
    more = [Series(label=str(n), x=AT, y=[n + k for k in AT]) for n in range(len(LOOKS) + 1)]
    picture(more[:-1])
    with pytest.raises(ValueError, match="7 curves cannot be told apart"):
        picture(more)


@settings(max_examples=60)
@given(
    st.lists((st.floats(-1e6, 1e6) | st.floats(0, 1)).map(lambda x: round(x, 9)), min_size=1, max_size=9),
    st.booleans(),
    st.booleans(),
)
def test_axes_fit_their_data_closely_with_round_spaced_ticks(values, logarithmic, upright):
    axis = axis_around(values, start=40, end=240, logarithmic=logarithmic, upright=upright)
    low, high = min(values), max(values)
    assert axis.low <= low
    assert axis.high >= high
    places = [axis.position(value) for value in values]
    if high - low > 1e-9 * max(abs(low), abs(high)) and high - low > 1e-9:
        # Beyond the data there is only the margin, or the distance to 0.
        assert max(places) - min(places) >= 200 * (1 - TO_ZERO) * (1 - 2 * MARGIN) - 1
    ticks = [axis.position(tick) for tick in axis.ticks]
    assert all(
        axis.low <= tick * (1 + 1e-9) + 1e-12 and tick <= axis.high * (1 + 1e-6) + 1e-12
        for tick in axis.ticks
    )
    assert all(after - before >= 17.9 for before, after in itertools.pairwise(ticks))
    assert len(axis.ticks) >= 1
