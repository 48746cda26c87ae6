"""Answers in brackets above lettered items are those of each item."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, text_of
from surveys.imports.layouts.stem_answers import write_stem_answers
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    ("stem", "kind", "labels"),
    [
        (
            "In the last year, how often have you (never / once / often):",
            "single",
            ("never", "once", "often"),
        ),
        ("Heeft u ooit (ja/nee):", "yes_no", ()),
        ("Haben Sie im letzten Jahr ... [nie – einmal – oft]", "single", ("nie", "einmal", "oft")),
        ("你是否（是/否）：", "yes_no", ()),
    ],
)
@pytest.mark.parametrize("end", ["", "?"])
def test_each_item_has_the_answers_of_its_stem(
    stem: str, kind: str, labels: tuple[str, ...], end: str
) -> None:
    """Before, the items were the answers of one question, or had no answers."""
    text = f"Theft\n1. {stem}\n   a) stolen money{end}\n   b) used a card{end}\n2. Sorry?\n   - yes\n   - no"
    survey = read_paste(text)
    items = survey.questions[-3:-1]
    assert [text_of(item) for item in items] == [f"stolen money{end}", f"used a card{end}"]
    assert {(item.kind, labels_of(item)) for item in items} == {(kind, labels)}


def test_words_for_one_answer_are_no_answers() -> None:
    lines = ["1. What is true? (tick one / circle one)", "a) I lie", "b) I steal"]
    assert write_stem_answers(lines) == lines
