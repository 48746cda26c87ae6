"""Headers and items over several lines are joined."""

import pytest

from surveys.imports.layouts.wrapped_rows import join_headers
from surveys.imports.pasted_text import read_paste


def test_a_header_of_three_lines_is_joined() -> None:
    header = (
        "            very     rather   not      ",
        "            good     good     so      ",
        "                              good",
    )
    rows = "\n".join(f"{item:12}O        O        O" for item in ("1 Pay", "2 Food"))
    found = read_paste("T\n\n" + "\n".join(header) + "\n" + rows).questions
    labels = [option.texts["en"] for option in found[0].options]
    assert labels == ["very good", "rather good", "not so good"]


@pytest.mark.parametrize("stem", ["", "How often did you suffer", "How often did you suffer:"])
@pytest.mark.parametrize(
    ("cell", "gap"), [("", "\t"), *((cell, gap) for cell in ("☐", "○", "( )") for gap in ("\t", "    "))]
)
def test_rows_that_begin_with_a_small_letter_are_no_part_of_the_header(
    stem: str, cell: str, gap: str
) -> None:
    header = gap.join([stem or " " * 9, "Never", "Once", "More often"])
    rows = [gap.join([f"{item:9}", cell, cell, cell]) for item in ("insults", "threats", "blows")]
    found = read_paste("\n".join(["Violence at work", header, *rows])).questions
    assert [each.texts["en"] for each in found] == ["insults", "threats", "blows"]
    assert {tuple(option.texts["en"] for option in each.options) for each in found} == {
        ("Never", "Once", "More often")
    }


def test_answers_with_points_below_an_item_are_not_joined() -> None:
    items = ("They call me names", "I have company", "They insult me")
    rows = "\n".join(f"{n}. {item}\n  never (0)  often (1)" for n, item in enumerate(items, start=1))
    found = read_paste(f"School\n{rows}").questions
    assert [each.texts["en"] for each in found] == [*items]


@pytest.mark.parametrize("answers", ["Yes   No", "O   O", "never   often"])
def test_items_with_the_same_answers_are_no_header(answers: str) -> None:
    lines = [
        f"   {letter}) they {verb} you?      {answers}" for letter, verb in (("a", "hit"), ("b", "hurt"))
    ]
    assert join_headers(["7. In the past year, did", *lines]) == ["7. In the past year, did", *lines]
