import math
import re
from xml.etree import ElementTree

import pytest

from surveys.charts import svg
from surveys.questionnaire.labels import ItemLabel, Labels
from surveys.report.pictures.grouped_matrix import (
    MOST_CONSEQUENTS,
    MOST_GROUPS,
    MatrixRule,
    group_label,
    grouped_matrix,
    matrix_svg,
)

LABELS = Labels(
    items=tuple(
        ItemLabel(index=i, key=f"i{i}", short=f"item <{i}>", question="q", text="", option="", protected=True)
        for i in range(60)
    )
)


def rule(antecedent: tuple[int, ...], consequent: int, lift: float, *, width: float = 0.1) -> MatrixRule:
    return MatrixRule(
        antecedent=antecedent, consequent=(consequent,), support=0.1, lift=lift,
        lift_low=lift - width, lift_high=lift + width, clear=abs(lift - 1) > width,
    )  # fmt: skip


def test_left_sides_with_equal_profiles_are_one_group() -> None:
    # Ten left sides raise 50 and lower 51, ten do the opposite, and ten raise both.
    lifts = {0: (2.0, 0.5), 1: (0.5, 2.0), 2: (3.0, 3.0)}
    rules = [
        rule((10 * kind + number,), 50 + place, lift * (1 + number / 1000))
        for number in range(10)
        for kind, pair in lifts.items()
        for place, lift in enumerate(pair)
    ]
    matrix = grouped_matrix(rules)
    for group in matrix.groups:
        assert len({items[0] // 10 for items in group}) == 1
    assert sum(len(group) for group in matrix.groups) == 30
    assert len(matrix.groups) <= MOST_GROUPS
    # The strongest group stands first, and the order in which rules come does not matter.
    assert {items[0] // 10 for items in matrix.groups[0]} == {2}
    assert {frozenset(group) for group in grouped_matrix(rules[::-1]).groups} == {
        frozenset(group) for group in matrix.groups
    }


def test_a_cell_is_the_median_of_its_rules() -> None:
    matrix = grouped_matrix([rule((1,), 50, 2.0), rule((1,), 51, 0.9, width=0.2)])
    both = {matrix.consequents[column][0]: cell for (_row, column), cell in matrix.cells.items()}
    assert (both[50].lift, both[50].rules, both[50].clear) == (2.0, 1, 1)
    assert (both[51].lift, both[51].clear) == (0.9, 0)


def test_right_sides_beyond_the_commonest_are_counted_not_drawn() -> None:
    rules = [rule((1,), 20 + number, 1.5) for number in range(MOST_CONSEQUENTS + 3)]
    matrix = grouped_matrix(rules)
    assert (len(matrix.consequents), matrix.left_out) == (MOST_CONSEQUENTS, 3)


def test_a_lift_of_zero_or_below_is_drawn_at_the_end_of_the_scale() -> None:
    matrix = grouped_matrix([rule((1,), 50, 0.0), rule((2,), 50, -0.3), rule((3,), 50, 9e9)])
    assert sum(len(group) for group in matrix.groups) == 3
    assert "<svg" in matrix_svg(matrix, LABELS, title="Matrix")


def test_the_picture_escapes_names_and_has_neither_style_nor_script() -> None:
    drawing = matrix_svg(grouped_matrix([rule((1, 2), 50, 1.4)]), LABELS, title="<b>", paper=True)
    assert "item &lt;50&gt;" in drawing
    assert "<b>" not in drawing
    assert "style=" not in drawing
    assert "[1.30, 1.50]" in drawing


def test_a_group_is_named_by_its_commonest_item() -> None:
    assert group_label([(1, 2)], LABELS) == "item <1>, item <2>"
    assert group_label([(1, 2), (2, 3), (2,)], LABELS) == "item <2> … (3)"
    assert group_label([(1, 2), (2, 3), (2,)], LABELS, 60) == "it… (3)"


@pytest.mark.parametrize(
    "name", ["Has ever taken the pills of a colleague", "从来没有服用过同事的任何药片", "M" * 40]
)
def test_no_label_leaves_the_picture(name: str) -> None:
    labels = Labels(
        items=tuple(
            ItemLabel(index=i, key=f"i{i}", short=name, question="q", text="", option="", protected=True)
            for i in range(12)
        )
    )
    matrix = grouped_matrix([rule((group,), 11, 1.5 + group) for group in range(10)])
    drawing = ElementTree.fromstring(matrix_svg(matrix, labels, title="Matrix"))
    _x, _y, width, height = map(float, drawing.attrib["viewBox"].split())
    texts = [text for text in drawing.iter() if text.tag.endswith("text") and name[:5] in str(text.text)]
    assert len(texts) > 1
    for text in texts:
        x, y, long = float(text.attrib["x"]), float(text.attrib["y"]), svg.text_width(str(text.text))
        if text.attrib.get("text-anchor") == "end":
            assert x - long >= 0
        else:
            turned = re.fullmatch(r"rotate\(-28 [\d.]+ [\d.]+\)", text.attrib["transform"])
            assert turned
            slope = math.radians(28)
            assert x + (long * math.cos(slope)) <= width
            assert y - long * math.sin(slope) - 12 * math.cos(slope) >= 0
        assert y <= height
