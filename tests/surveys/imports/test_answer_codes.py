"""Codes and telephone keys are left out of answers."""

import pytest

from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("line", ["满意请按1，一般请按2，不满意请按3。", "满意，按1；一般，按2；不满意，按3"])
def test_the_key_to_press_is_no_part_of_an_answer(line: str) -> None:
    asked = read_paste(f"花园\n\n1. 您对花园满意吗？\n{line}\n2. 您有铲子吗？\n有 / 没有").questions[0]
    assert [each.texts["zh-hans"] for each in asked.options] == ["满意", "一般", "不满意"]


@pytest.mark.parametrize(
    ("line", "labels", "points"),
    [
        ("а) ничего (0)     б) ворчит (1)     в) плачет (2)", ["ничего", "ворчит", "плачет"], [0, 1, 2]),
        ("①不喝（0分）\u3000②一两次（1分）\u3000③天天喝（3分）", ["不喝", "一两次", "天天喝"], [0, 1, 3]),
        ("a) nothing (0)     c) much (1)     d) all (2)", ["a) nothing", "c) much", "d) all"], [0, 1, 2]),
    ],
)
def test_letters_that_count_up_before_answers_with_points_are_left_out(
    line: str, labels: list[str], points: list[int]
) -> None:
    asked = read_paste(f"T\n\n1. Что?\n{line}\n\n2. Who?\n{line}").questions[0]
    assert [next(iter(each.texts.values())) for each in asked.options] == labels
    assert [each.points for each in asked.options] == points
