"""Lines of a pasted survey: marks, and languages side by side, line by line, or in sequence."""

import pytest

from surveys.imports.lines import languages_of, lines_of, plain, streams_of


def roles(text: str, languages: tuple[str, ...] = ("en",)) -> list[list[tuple[str, str]]] | None:
    streams = streams_of(list(enumerate(lines_of(text), start=1)), languages)
    return streams and [[(line.role, line.text) for line in stream] for stream in streams]


@pytest.mark.parametrize(
    ("line", "role", "text"),
    [
        ("# Nights", "heading", "Nights"),
        ("一、夜晚", "heading", "夜晚"),
        ("1. Bad?", "question", "Bad?"),
        ("Q12: Bad?", "question", "Bad?"),
        ("3、您睡得不好吗？", "question", "您睡得不好吗？"),
        ("- Never", "option", "Never"),
        ("b) Never", "option", "Never"),
        ("A、从不", "option", "从不"),
        ("☐ Never", "option", "Never"),
        ("> Think of last week.", "help", "Think of last week."),
        ("Contact: ana@example.org", "about", "ana@example.org"),
        ("目的：研究睡眠", "about", "研究睡眠"),
        ("Never", "plain", "Never"),
        ("1.5 hours", "plain", "1.5 hours"),
        ("-5 to 5", "plain", "-5 to 5"),
        ("- 18 to 24", "option", "18 to 24"),
        ("", "blank", ""),
    ],
)
def test_line_marks_determine_the_role(line: str, role: str, text: str) -> None:
    assert roles(line) == [[(role, text)]]


def test_the_first_numbering_style_marks_questions() -> None:
    found = roles("1. How often?\n1) Never\n2) Often\n2. And now?")
    assert found is not None
    assert [role for role, _text in found[0]] == ["question", "option", "option", "question"]


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
    found = roles(text, languages)
    assert found is not None
    written = [[(role, said) for role, said in stream if role != "blank"] for stream in found]
    assert written[0] == [("plain", "Sleep"), ("question", "Bad?"), ("option", "Never")]
    assert written[1] == [("plain", "睡眠"), ("question", "不好吗？"), ("option", "从不")]


def test_two_languages_in_one_script_need_a_separator() -> None:
    assert roles("Sleep\n1. Bad?\nSommeil\n1. Mal ?", ("en", "fr")) is None
    assert roles("Sleep | Sommeil\n1. Bad? | Mal ?", ("en", "fr")) == [
        [("plain", "Sleep"), ("question", "Bad?")],
        [("plain", "Sommeil"), ("question", "Mal ?")],
    ]


def test_lines_without_letters_belong_to_both_languages() -> None:
    found = roles("1. Hours? | 几小时？\n0-79\n", ("en", "zh-hans"))
    assert found is not None
    assert [stream[1] for stream in found] == [("plain", "0-79")] * 2


def test_brackets_that_are_not_flags_are_kept() -> None:
    (line,) = (streams_of([(1, "1. Did you [name of drug]? [several]")], ("en",)) or [[]])[0]
    assert (line.text, line.flags) == ("Did you [name of drug]?", {"several"})


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("**Bold** and *soft*", "Bold and soft"),
        ("__Bold__ words", "Bold words"),
        ("<span style='x'>a</span> &amp; b&nbsp;c", "a & b c"),
        ("[Read this](https://example.org/a)", "Read this"),
        ("## A heading", "A heading"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("x < 5 and y > 3", "x < 5 and y > 3"),
        ("snake_case_word ____", "snake_case_word ____"),
    ],
)
def test_markup_is_removed_and_other_characters_stay(text: str, clean: str) -> None:
    assert plain(text) == clean
