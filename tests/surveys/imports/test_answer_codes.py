"""Codes and telephone keys are left out of answers."""

import pytest

from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("line", ["满意请按1，一般请按2，不满意请按3。", "满意，按1；一般，按2；不满意，按3"])
def test_the_key_to_press_is_no_part_of_an_answer(line: str) -> None:
    asked = read_paste(f"花园\n\n1. 您对花园满意吗？\n{line}\n2. 您有铲子吗？\n有 / 没有").questions[0]
    assert [each.texts["zh-hans"] for each in asked.options] == ["满意", "一般", "不满意"]
