"""Lines of a page that hold no content."""

from surveys.imports.page_lines import leave_rules, without_last_page_number, without_running_heads
from surveys.imports.source_lines import LEFT, SourceLine, read_line


def read(*texts: str) -> list[SourceLine]:
    """Read lines; an empty text is a gap above the next line."""
    numbered = list(enumerate(texts, start=1))
    lines = [
        read_line(number, text, has_gap=number == 1 or not texts[number - 2])
        for number, text in numbered
        if text
    ]
    leave_rules(lines)
    return lines


def test_rules_and_page_numbers_are_left_out() -> None:
    lines = read("Do you lie?", "----------", "", "Page 1 of 3", "", "Do you steal?", "", "Page 2 of 3")
    assert [line.text for line in lines if line.role == LEFT] == ["----------", "Page 1 of 3", "Page 2 of 3"]


def test_fractions_next_to_each_other_are_answers() -> None:
    assert [line.role for line in read("How many of them?", "1 / 3", "2 / 3", "3 / 3")] == [""] * 4


def test_a_number_alone_on_the_last_line_is_not_an_answer() -> None:
    pairs = [(1, "1. How often?"), (2, "a) Never"), (3, "b) Often"), (4, ""), (5, "114")]
    assert without_last_page_number(pairs) == pairs[:4]
    assert without_last_page_number(pairs[:3]) == pairs[:3]
    counted = [(1, "How often?"), (2, "1"), (3, "2"), (4, ""), (5, "3")]
    assert without_last_page_number(counted) == counted


def test_the_head_of_a_second_page_is_left_out() -> None:
    pairs = [
        (1, "Strain form      page 1 of 2"),
        (2, "1. Tired?"),
        (3, "Strain form      page 2 of 2"),
        (4, "2. Sad?"),
    ]
    assert without_running_heads(pairs)[2] == (3, "")
    plain = [(1, "Question 1 of 2"), (2, "Tired?"), (3, "Question 2 of 2"), (4, "Sad?")]
    assert without_running_heads(plain) == plain
