"""Lines of a page that hold no content."""

from surveys.imports.page_lines import leave_rules
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
