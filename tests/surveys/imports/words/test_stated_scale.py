"""Scales whose two ends a sentence states."""

import pytest

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.words.stated_scale import stated_scale


@pytest.mark.parametrize(
    ("text", "first", "last", "points"),
    [
        ("On a scale from 1 to 5, how sad are you?", "1", "5", (1, 2, 3, 4, 5)),
        ("Auf einer Skala von 0 bis 3: wie müde?", "0", "3", (0, 1, 2, 3)),
        ("Sur une échelle de 0 (jamais) à 3 (toujours)", "0 – jamais", "3 – toujours", (0, 1, 2, 3)),
        ("En una escala (1 = nada, 4 = mucho)", "1 – nada", "4 – mucho", (1, 2, 3, 4)),
        (
            "De 0 (à gauche) à 5 (à droite), où êtes-vous ?",
            "0 – à gauche",
            "5 – à droite",
            (0, 1, 2, 3, 4, 5),
        ),
        ("Оцените работу от 1 (плохо) до 3 (отлично): ____", "1 – плохо", "3 – отлично", (1, 2, 3)),
        ("请打分：1分（没有）到3分（很强）", "1 – 没有", "3 – 很强", (1, 2, 3)),
    ],
)
def test_a_sentence_states_the_ends_and_their_words(
    text: str, first: str, last: str, points: tuple[int, ...]
) -> None:
    scale = stated_scale(text)
    assert scale is not None
    assert (scale.labels[0], scale.labels[-1], scale.points) == (first, last, points)


@pytest.mark.parametrize(
    "text",
    [
        "Did you sleep 1 to 5 hours?",
        "On a scale from 2 to 5, how sad are you?",
        "On a scale from 1 to 50, how sad are you?",
        "On a scale from 1 to 5, or on a scale from 0 to 9?",
        "Do you play a scale?",
    ],
)
def test_other_numbers_are_not_a_scale(text: str) -> None:
    assert stated_scale(text) is None


def test_ranges_with_labelled_ends_become_ratings_in_both_languages() -> None:
    reading = read_paste(
        "Pain | 疼痛\n1. How strong is it? (1 = none, 5 = very strong) | 有多强？（1=没有，5=很强）"
    )
    assert not reading.notes
    (question,) = draft_of(reading)["blocks"][0]["questions"]
    assert (question["kind"], question["look"]) == ("single", "rating")
    assert [option["text"]["en"] for option in question["options"]] == [
        "1 – none", "2", "3", "4", "5 – very strong",
    ]  # fmt: skip
    assert question["options"][-1]["text"]["zh-hans"] == "5 – 很强"
    assert question["text"] == {"en": "How strong is it?", "zh-hans": "有多强？"}
