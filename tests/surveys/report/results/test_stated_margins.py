"""Margins of the population are read and written alike, and refused with their place."""

from __future__ import annotations

import pytest

from surveys.errors.error import SurveyError
from surveys.report.results.stated_margins import (
    margins_address,
    margins_from_address,
    margins_read,
    margins_text,
)

SHARES = {"age": {"young|middle": 0.35, "old": 0.65}, "parent": {"yes": 0.5, "no": 0.5}}


def test_text_lines_and_url_give_the_same_margins() -> None:
    assert margins_from_address(margins_address(SHARES)) == SHARES
    assert margins_read(margins_text(SHARES)) == SHARES
    assert margins_read("age, old, 65%\n\nage, young|middle, 0.35") == {
        "age": {"old": 0.65, "young|middle": 0.35}
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there are no margins; write lines such as age,young,0.4"),
        ("question,option,share", "there are no margins"),
        ("age,young", "line 1, “age,young”, must have 3 cells, not 2; write question, option and share"),
        ("age,young,many", "line 1: “many” is not a share; write it as 0.4 or as 40%"),
        ("age,young,.4\nage,young,.6", "line 2: age=young has two shares; name each option once"),
        ("x" * 70_000, "more than 64,000 bytes"),
    ],
)
def test_invalid_margins_are_refused_with_their_place(text: str, said: str) -> None:
    with pytest.raises(SurveyError) as refusal:
        margins_read(text)
    assert refusal.value.code == "margins_file"
    assert said in str(refusal.value)
    assert len(str(refusal.value)) < 200


def test_a_truncated_url_is_refused() -> None:
    with pytest.raises(SurveyError, match="is not a share"):
        margins_from_address("age:young=0.4,old")
