"""Charts with intervals: impossible shares, differences about 0, and bars."""

import itertools
import re
from dataclasses import replace

import pytest

from surveys.formats.interval_chart import (
    BAR_WIDTH,
    LEFT,
    RIGHT,
    WIDTH,
    IntervalRow,
    Ruler,
    differences_svg,
    intervals_svg,
    labelled_ticks,
    number_bar,
    points_ruler,
    share_bar,
    share_row,
)
from tests.fixtures.svg_reading import Drawing

ROWS = [
    share_row("yes", "25 % (10 to 40)", value=0.25, low=0.1, high=0.4),
    share_row("rare", "−2 % (−5 to 1)", value=-0.02, low=-0.05, high=0.01),
]
HOURS = Ruler(low=1.0, high=60.0, ticks=((1.0, "1"), (20.0, "20"), (40.0, "40"), (60.0, "60")), unit="hours")
WORKED = IntervalRow(name="worked", text="40 hours", value=40.0, low=30.5, high=60.0, ruler=HOURS)


def marks(drawing: str) -> list[float]:
    return [float(x) for x in re.findall(r'<circle cx="([^"]+)"', drawing)]


def test_an_impossible_share_has_an_interval_but_no_point() -> None:
    drawing = intervals_svg(ROWS, title="t")
    length = WIDTH - LEFT - RIGHT
    assert marks(drawing) == [LEFT + 0.25 * length]
    assert drawing.count('class="whisker"') == 2
    assert all(f">{tick}</text>" in drawing for tick in ("0", "25", "50", "75", "100", "people of 100 →"))
    assert "<desc>yes: 25 % (10 to 40); rare: −2 % (−5 to 1)</desc>" in drawing


def test_a_number_has_an_axis_in_its_unit_with_both_ends_labelled() -> None:
    drawing = intervals_svg([WORKED], title="t")
    length = WIDTH - LEFT - RIGHT
    assert marks(drawing) == pytest.approx([LEFT + 39 / 59 * length], abs=0.01)
    (line,) = places(drawing, "whisker", "x1", "x2")
    assert line == pytest.approx((LEFT + length / 2, WIDTH - RIGHT), abs=0.01)
    assert re.findall(r'text-anchor="(\w+)">([^<]+)<', drawing) == [
        ("middle", "1"), ("middle", "20"), ("middle", "40"), ("middle", "60"), ("end", "hours →"),
    ]  # fmt: skip
    assert "100" not in re.findall(r">([^<]*)</text>", drawing)


def test_a_question_needs_no_colon() -> None:
    asked = replace(WORKED, name="How many hours did you work?")
    assert (asked.said, WORKED.said) == ("How many hours did you work? 40 hours", "worked: 40 hours")


def test_figures_of_two_units_have_two_axes_that_do_not_touch() -> None:
    drawing = Drawing(intervals_svg([*ROWS, WORKED], title="t"))
    texts = [box.words for box in drawing.texts]
    assert (texts.count("people of 100 →"), texts.count("hours →")) == (1, 1)
    assert not [
        (one.words, two.words) for one, two in itertools.combinations(drawing.texts, 2) if one.meets(two)
    ]
    assert all(box.bottom <= drawing.height for box in drawing.texts)


def test_labels_that_would_touch_are_left_out_but_never_those_of_the_ends() -> None:
    ticks = tuple((float(value), f"{value},000,000") for value in range(1, 40))
    ruler = Ruler(low=1.0, high=39.0, ticks=ticks, unit="units of a long name")
    placed = labelled_ticks(ruler, ruler.axis(0, 400), size=12, width=410, with_unit=True)
    names = [label for _x, label, _anchor in placed]
    assert names[0] == "1,000,000"
    assert names[-1].startswith("39,000,000 units of")
    drawing = Drawing(intervals_svg([replace(WORKED, ruler=ruler, low=2.0)], title="t"))
    assert not [
        (one.words, two.words) for one, two in itertools.combinations(drawing.texts, 2) if one.meets(two)
    ]
    assert all(box.left >= 0 and box.right <= drawing.width for box in drawing.texts)


def difference(name: str, value: float, half: float, ruler: Ruler) -> IntervalRow:
    return IntervalRow(name=name, text="", value=value, low=value - half, high=value + half, ruler=ruler)


def test_differences_centre_on_zero_and_open_intervals_reach_the_edge() -> None:
    rows = [difference(f"{value}", value, 2.0, points_ruler()) for value in (-10.0, 0.0, 10.0)]
    drawing = differences_svg(rows, title="t")
    less, same, more = marks(drawing)
    assert abs((same - less) - (more - same)) < 0.05
    assert drawing.count('class="axis"') == 1
    row = difference("x", 30.0, float("inf"), points_ruler())
    (ends,) = places(differences_svg([row], title="t"), "whisker", "x1", "x2")
    assert ends == (LEFT + 8, WIDTH - RIGHT)


def test_a_difference_of_means_is_not_drawn_in_points() -> None:
    """An axis for both would show 3 hours as 3 points, or as a share of the range."""
    more = replace(HOURS, unit="hours more")
    drawing = differences_svg(
        [difference("share", 10.0, 5.0, points_ruler()), difference("mean", 3.0, 1.0, more)], title="t"
    )
    texts = re.findall(r">([^<]*)</text>", drawing)
    first, second = texts.index("points more →"), texts.index("hours more →")
    assert texts[first + 1] == "share"
    # 3 hours of an axis from -5 to 5.
    assert texts[first + 2 : second + 2] == ["−5", "0", "5", "hours more →", "mean"]
    assert drawing.count('class="axis"') == 2
    middle, end = (LEFT + 8 + WIDTH - RIGHT) / 2, WIDTH - RIGHT
    assert marks(drawing)[1] == pytest.approx(middle + 3 / 5 * (end - middle), abs=0.02)


def test_a_number_has_a_point_on_its_bar_because_a_bar_from_its_left_end_would_mislead() -> None:
    drawing = number_bar(WORKED)
    assert "<title>worked: 40 hours</title>" in drawing
    assert 'class="share"' not in drawing
    assert marks(drawing) == pytest.approx([1 + 39 / 59 * (BAR_WIDTH - 2)], abs=0.01)
    assert marks(number_bar(replace(WORKED, value=70.0))) == []


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
