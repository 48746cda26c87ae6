"""Languages of a pasted survey: side by side, line by line, or in sequence."""

import pytest

from surveys.imports.lines.language_streams import streams_of
from surveys.imports.lines.text_languages import languages_of
from surveys.imports.lines.text_lines import lines_of


def streams(text: str, languages: tuple[str, ...]) -> list[list[str]] | None:
    found = streams_of(list(enumerate(lines_of(text), start=1)), languages)
    return found and [[line for _number, line in stream if line] for stream in found]


@pytest.mark.parametrize(
    "text",
    [
        "Sleep | 睡眠\n1. Bad? | 不好吗？\n- Never | 从不",
        "Sleep\t睡眠\n1. Bad?\t1. 不好吗？\n- Never\t- 从不",
        "Sleep / 睡眠\n1. Bad? / 不好吗？\n- Never / 从不",
        "Sleep\n睡眠\n1. Bad?\n不好吗？\n- Never\n- 从不",
        "Sleep\n1. Bad?\n- Never\n===\n睡眠\n1. 不好吗？\n- 从不",
        "Sleep\n1. Bad?\n- Never\n\n睡眠\n1. 不好吗？\n- 从不",
    ],
)
def test_two_languages_are_separated_in_every_layout(text: str) -> None:
    languages = languages_of(lines_of(text))
    assert languages == ("en", "zh-hans")
    assert streams(text, languages) == [
        ["Sleep", "1. Bad?", "- Never"],
        ["睡眠", "1. 不好吗？", "- 从不"],
    ]


def test_two_languages_in_one_script_need_a_separator() -> None:
    assert streams("Sleep\n1. Bad?\nSommeil\n1. Mal ?", ("en", "fr")) is None
    assert streams("Sleep | Sommeil\n1. Bad? | Mal ?", ("en", "fr")) == [
        ["Sleep", "1. Bad?"],
        ["Sommeil", "1. Mal ?"],
    ]


def test_lines_without_letters_belong_to_both_languages() -> None:
    found = streams("1. Hours? | 几小时？\n0-79\n", ("en", "zh-hans"))
    assert found is not None
    assert [stream[1] for stream in found] == ["0-79"] * 2
