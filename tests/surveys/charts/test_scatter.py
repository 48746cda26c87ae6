"""What the support-confidence picture is made of, element by element."""

from dataclasses import replace
from xml.dom.minidom import Element, parseString

from surveys.charts.scatter import HEIGHT, WIDTH, Mark, Panel, panel_svg

MARK = Mark(
    rank=1, label="age: old", support=0.2, support_low=0.15, support_high=0.25,
    confidence=0.5, confidence_low=0.4, confidence_high=0.6,
)  # fmt: skip


def elements(panel: Panel, name: str, css: str) -> list[Element]:
    document = parseString(panel_svg(panel))
    return [found for found in document.getElementsByTagName(name) if found.getAttribute("class") == css]


def value(element: Element, name: str) -> float:
    return float(element.getAttribute(name))


def test_a_rule_is_a_point_with_a_bar_in_each_direction() -> None:
    panel = Panel(title="late", marks=(MARK,))
    (point,) = elements(panel, "circle", "mark")
    across, upright = elements(panel, "line", "whisker")
    assert value(across, "y1") == value(across, "y2") == value(point, "cy")
    assert value(across, "x1") < value(point, "cx") < value(across, "x2")
    assert value(upright, "x1") == value(upright, "x2") == value(point, "cx")
    # Upwards is more: the lower limit is further down, which SVG counts as larger.
    assert value(upright, "y1") > value(point, "cy") > value(upright, "y2")


def test_a_limit_that_is_not_estimable_draws_no_bar() -> None:
    mark = replace(MARK, confidence_low=None, confidence_high=None)
    assert len(elements(Panel(title="late", marks=(mark,)), "line", "whisker")) == 1


def test_the_true_place_is_a_diamond_tied_to_its_estimate() -> None:
    panel = Panel(title="late", marks=(replace(MARK, truth=(0.22, 0.45)),))
    (link,) = elements(panel, "line", "truth-link")
    (point,) = elements(panel, "circle", "mark")
    assert (value(link, "x1"), value(link, "y1")) == (value(point, "cx"), value(point, "cy"))
    assert len(elements(panel, "polygon", "truth")) == 1
    assert elements(Panel(title="late", marks=(MARK,)), "polygon", "truth") == []


def test_the_dashed_line_is_at_the_share_of_everybody_and_says_it() -> None:
    panel = Panel(title="late", marks=(MARK,), base=0.5)
    (dashes,) = elements(panel, "line", "base")
    (point,) = elements(panel, "circle", "mark")
    assert value(dashes, "y1") == value(dashes, "y2") == value(point, "cy")
    texts = [text.firstChild.data for text in elements(panel, "text", "strong")]
    assert texts == ["→ late", ".500"]


def test_a_share_of_everybody_above_all_rules_is_drawn_inside_the_picture() -> None:
    (dashes,) = elements(Panel(title="late", marks=(MARK,), base=0.95), "line", "base")
    assert 0 < value(dashes, "y1") < HEIGHT


def test_both_axes_start_at_zero() -> None:
    ticks = [text.firstChild.data for text in elements(Panel(title="late", marks=(MARK,)), "text", "")]
    assert ticks.count("0") == 2


def test_names_never_lie_upon_each_other_and_stay_inside() -> None:
    crowd = tuple(
        replace(MARK, rank=number, support=0.2 + number / 500, confidence=0.5 + number / 300)
        for number in range(40)
    )
    labels = elements(Panel(title="late", marks=crowd), "text", "label")
    assert 0 < len(labels) < 40
    places = [(value(label, "x"), value(label, "y")) for label in labels]
    for place, (x, y) in enumerate(places):
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT
        for other_x, other_y in places[place + 1 :]:
            assert abs(y - other_y) >= 13 or abs(x - other_x) >= 40


def test_every_point_says_its_rule_to_whoever_rests_on_it() -> None:
    (group,) = elements(Panel(title="late", marks=(MARK,)), "g", "rule")
    assert group.firstChild.firstChild.data == "1. age: old: support .200, confidence .500"


def test_an_estimate_outside_its_range_is_drawn_where_it_is() -> None:
    panel = Panel(title="late", marks=(replace(MARK, support=-0.04, support_low=-0.1, confidence=1.2),))
    ticks = [text.firstChild.data for text in elements(panel, "text", "")]
    assert "1.5" in ticks
    assert any(tick.startswith("−") for tick in ticks)


def test_an_infinite_limit_does_not_stretch_the_axis() -> None:
    panel = Panel(title="late", marks=(replace(MARK, confidence_high=float("inf")),))
    assert len(elements(panel, "circle", "mark")) == 1
