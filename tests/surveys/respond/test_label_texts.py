"""The label's sentences: easy to read, and whole in both languages."""

import re

import pytest

from surveys.respond.label_texts import label_texts

VOWELS = re.compile(r"[aeiouy]+")


def syllables(word: str) -> int:
    """Count groups of vowels, a silent e at the end left out; at least one."""
    word = word.lower()
    count = len(VOWELS.findall(word))
    if word.endswith("e") and not word.endswith("le") and count > 1:
        count -= 1
    return max(1, count)


def reading_grade(text: str) -> float:
    """Return the Flesch-Kincaid grade: .39 words a sentence + 11.8 syllables a word - 15.59."""
    sentences = [part for part in re.split(r"[.:;?!]", text) if part.strip()]
    words = re.findall(r"[A-Za-z\u2019']+|\d+", text)
    return 0.39 * len(words) / len(sentences) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


def test_the_grade_is_that_of_a_sentence_counted_by_hand() -> None:
    # "The cat sat on the mat": 6 words of one syllable.
    assert reading_grade("The cat sat on the mat.") == pytest.approx(0.39 * 6 + 11.8 - 15.59)
    assert [syllables(word) for word in ("answers", "people", "device", "the", "chance")] == [2, 2, 2, 1, 1]


@pytest.mark.parametrize("key", [key for key in label_texts() if key not in ("odds_none", "odds_all")])
def test_a_sentence_of_the_label_is_read_at_grade_eight_at_most(key: str) -> None:
    text = label_texts()[key].replace("{n}", "57").replace("{m}", "89")
    lead = label_texts()["odds_posterior_lead" if "posterior" in key else "odds_even_lead"]
    assert reading_grade(text if key.endswith("_lead") else f"{lead} {text}") <= 8


def test_the_numbers_stand_where_the_page_fills_them_in() -> None:
    texts = label_texts()
    for moment in ("", "_listed", "_worst", "_skip", "_skip_listed"):
        assert texts.get(f"odds_posterior{moment}", "").count("{n}") == 1, moment
        assert texts.get(f"odds_even{moment}", "").count("{m}") == 1, moment
