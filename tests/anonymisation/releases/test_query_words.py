"""Questions to a release are shown in words."""

import pytest

from anonymisation.releases.query_words import question_sentence


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("count", "How many records"),
        ("median age where a = x or b = y", "Median of “age” where “a” is x; or “b” is y"),
        ("mean age where age < 3 and age != 2", "Mean of “age” where “age” < 3; “age” is not 2"),
        ("count where a >= 3 and b in (x, '')", "How many records where “a” ≥ 3; “b” is x or missing"),
    ],
)
def test_questions_are_shown_in_words(text: str, said: str) -> None:
    assert question_sentence(text) == said
