"""Points of items that count double."""

import pytest

from surveys.imports.drafts.questionnaire import WRONG, points_of
from surveys.imports.pasted_text import read_paste

ASKED = "Quiz\n1. Are you ill?\n2. Are you sad?\n3. Are you late?\n\n"


@pytest.mark.parametrize(
    "rule",
    [
        "Question 3 counts double.",
        "item 3 is worth double",
        "Question 3 counts double (yes = 2).",
        "Question 3 counts double (0, 2).",
        "The points of question 3 count twice.",
    ],
)
def test_the_points_of_one_item_are_doubled_once(rule: str) -> None:
    """They used to count once, without a note."""
    survey = read_paste(f"{ASKED}Each yes counts 1 point, each no 0. {rule}\n0-1: fine\n2-4: rest")
    assert [points_of(question) for question in survey.questions] == [[0, 1], [0, 1], [0, 2]]
    assert [start for start, _name in survey.scores[0].levels] == [None, 2]


@pytest.mark.parametrize(
    ("language", "items", "rule"),
    [
        (
            "de",
            ("Bin ich krank?", "Bin ich traurig?", "Bin ich spät?"),
            "Jedes Ja zählt 1 Punkt. Frage 3 zählt doppelt.",
        ),
        (
            "fr",
            ("Es-tu malade ?", "Es-tu triste ?", "Es-tu seul ?"),
            "Chaque oui compte 1 point. La question 3 compte double.",
        ),
        ("zh", ("您生病吗？", "您难过吗？", "您迟到吗？"), "每个“是”计1分。第3题加倍。"),
    ],
)
def test_other_languages(language: str, items: tuple[str, ...], rule: str) -> None:
    numbered = "\n".join(f"{number}. {item}" for number, item in enumerate(items, start=1))
    survey = read_paste(f"Test\n{numbered}\n\n{rule}\n0-1: a\n2-4: b", (language,))
    assert points_of(survey.questions[2]) == [0, 2]


def test_a_rule_that_names_no_item_is_noted() -> None:
    survey = read_paste(
        f"{ASKED}Each yes counts 1 point. Serious answers count double.\n0-1: fine\n2-4: rest"
    )
    assert any(note.effect == WRONG and "doubles the points" in note.message for note in survey.notes)
