from itertools import combinations
from xml.dom.minidom import parseString

import pytest
from django.utils.translation import override

from surveys.charts.comparison import Row, comparison_svg
from tests.fixtures.drawn import Drawn

ROW = Row(label="late", naive=0.30, naive_error=0.006, robust=0.32, robust_error=0.007, truth=0.322)


def test_each_itemset_has_both_estimates_with_their_bars_and_the_truth() -> None:
    drawing = parseString(comparison_svg([ROW, ROW]))
    classes = [
        element.getAttribute("class")
        for name in ("circle", "polygon", "line")
        for element in drawing.getElementsByTagName(name)
    ]
    # One more of each mark stands in the key.
    assert (classes.count("mark"), classes.count("mark--hollow"), classes.count("truth")) == (3, 3, 3)
    assert classes.count("whisker") == 4


def test_the_naive_estimate_lies_where_its_value_says() -> None:
    drawing = parseString(comparison_svg([ROW]))
    marks = {
        element.getAttribute("class"): float(element.getAttribute("cx"))
        for element in drawing.getElementsByTagName("circle")
        if float(element.getAttribute("cy")) > 20
    }
    assert marks["mark--hollow"] < marks["mark"]


def test_without_a_truth_there_is_no_diamond() -> None:
    row = Row(label="late", naive=0.3, naive_error=0.01, robust=0.32, robust_error=0.01, truth=None)
    assert parseString(comparison_svg([row])).getElementsByTagName("polygon") == []


def test_the_table_twin_has_their_difference() -> None:
    assert round(ROW.difference, 9) == -0.02


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_words_of_the_key_stand_beside_each_other(language: str) -> None:
    with override(language):
        key = [box for box in Drawn(comparison_svg([ROW])).texts if box.top < 20]
    assert len(key) == 3
    assert not any(one.meets(other) for one, other in combinations(key, 2))
