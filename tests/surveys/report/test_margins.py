"""Margins as staff give them."""

import pytest

from surveys.errors.error import SurveyError
from surveys.report.weights import margins_address, margins_from_address, margins_read, margins_text

SHARES = {"age": {"young|middle": 0.35, "old": 0.65}, "parent": {"yes": 0.5, "no": 0.5}}


def test_lines_and_address_say_the_same() -> None:
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
        ("age,young", "line 1, “age,young”, has 2 cells instead of 3; write question, option and share"),
        ("age,young,many", "line 1: “many” is not a share; write it as 0.4 or as 40%"),
        ("age,young,.4\nage,young,.6", "line 2: age=young has two shares; name each option once"),
        ("x" * 70_000, "more than 64000 bytes"),
    ],
)
def test_what_holds_no_margins_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(SurveyError) as refusal:
        margins_read(text)
    assert refusal.value.code == "margins_file"
    assert said in str(refusal.value)
    assert len(str(refusal.value)) < 200


def test_an_address_that_was_cut_is_refused() -> None:
    with pytest.raises(SurveyError, match="is not a share"):
        margins_from_address("age:young=0.4,old")
