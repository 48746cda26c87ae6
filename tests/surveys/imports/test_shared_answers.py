"""Answers stated once serve the items above or below, and no questions that have their own."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.questionnaire import points_of


def read(text: str) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    return [
        (
            next(iter(each.texts.values())),
            tuple(next(iter(option.texts.values())) for option in each.options),
            tuple(points_of(each)) if each.points or each.options else (),
        )
        for each in read_paste(text).questions
    ]


SCALE = ("never", "sometimes", "often")


@pytest.mark.parametrize(
    "text",
    [
        "Stress\n0 = never, 1 = sometimes, 2 = often\n\n1. I sleep badly\n2. I cry",
        "Stress\n\n1. I sleep badly\n2. I cry\n\nAnswers: 0 = never; 1 = sometimes; 2 = often",
        "Stress\n0: never\n1: sometimes\n2: often\n\n1. I sleep badly\n2. I cry",
        "Stress\nCircle one: never (0), sometimes (1), often (2)\n\n- I sleep badly  0 1 2\n- I cry  0 1 2",
    ],
)
def test_a_legend_serves_the_items_beside_it(text: str) -> None:
    assert read(text) == [("I sleep badly", SCALE, (0, 1, 2)), ("I cry", SCALE, (0, 1, 2))]


def test_each_part_has_its_own_legend() -> None:
    text = "Part 1 (never / sometimes / often)\n1.1 I eat alone.\n1.2 I hide food.\n\n"
    text += "Part 2 (mine / ours / theirs)\n2.1 The key is\n2.2 The house is"
    assert [options for _text, options, _points in read(text)] == [
        SCALE,
        SCALE,
        *[("mine", "ours", "theirs")] * 2,
    ]


def test_items_that_continue_on_the_next_line_are_joined() -> None:
    text = "S\n1 = no, 2 = perhaps, 3 = yes\n\n(1) people speak\n    to me as to a child.\n(2) I can say no."
    assert [asked for asked, _options, _points in read(text)] == [
        "people speak to me as to a child.",
        "I can say no.",
    ]


def test_questions_with_their_own_answers_are_left_alone() -> None:
    text = (
        "T\n1. How do you go?\nby bus, on foot, by car\n2. Where?\n- home\n- abroad\n3. Why?\n- work\n- fun"
    )
    assert [options for _text, options, _points in read(text)] == [
        ("by bus", "on foot", "by car"),
        ("home", "abroad"),
        ("work", "fun"),
    ]


def test_items_with_the_sign_of_reversed_ones_are_reversed() -> None:
    text = "T\n0 = no, 1 = perhaps, 2 = yes\n1. I am sad. (-)\n2. I am glad.\n\nItems with (-) are reversed."
    assert [(asked, points) for asked, _options, points in read(text)] == [
        ("I am sad.", (2, 1, 0)),
        ("I am glad.", (0, 1, 2)),
    ]
