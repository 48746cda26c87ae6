"""The label's sentences: easy to read, and whole in both languages."""

import re

import pytest

from surveys.respondent.first_texts import first_texts, label_texts
from surveys.respondent.texts import instead_texts, later_texts, rare_texts

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
    text = re.sub(r"{[a-z]}", "57", label_texts()[key])
    assert reading_grade(text) <= 8


def test_the_numbers_stand_where_the_page_fills_them_in() -> None:
    numbers = {
        "promise_short": ["k", "m"],
        "promise": ["k", "m"],
        "promise_rare": ["k", "n"],
        "promise_rare_one": ["l", "n"],
        "odds_whole_times": ["g"],
        "odds_posterior": ["k", "n"],
        "odds_posterior_worst": ["k", "n"],
        "odds_posterior_skip": ["n"],
    }
    for key, text in label_texts().items():
        assert re.findall(r"{(\w+)}", text) == numbers.get(key, []), key


def test_the_promise_bounds_everything_and_says_what_it_assumes_is_known() -> None:
    """M bounds everything together. K alone would promise too much, so it never appears without M."""
    short = label_texts()["promise_short"]
    assert short.startswith(
        "Someone who suspects you, 50:50, could become at most {k}% sure from one disguised answer"
    )
    assert short.endswith(" and {m}% from all you send.")
    for key, text in label_texts().items():
        if key.startswith("promise") and key != "promise_short":
            assert text.startswith("Suppose someone knows your answers that are not disguised")
            assert "Everything your device sends, taken together" in text
            assert "One of your disguised answers" in text


def test_what_rests_on_a_guess_says_about_and_never_at_most() -> None:
    for key, text in label_texts().items():
        if "posterior" in key:
            assert text.startswith(("If ", "These answers ", "Take the most revealing "))
            assert "about {n}" in text
            assert "at most" not in text


def test_no_sentence_says_that_nobody_can_know() -> None:
    """Anyone may guess right by luck; the promise is that no one can be sure."""
    said = [
        text
        for texts in (first_texts(), later_texts(), rare_texts(), *instead_texts().values())
        for text in texts.values()
    ]
    assert [text for text in said if re.search(r"[Nn]o(?:body| one) can(?! be sure| see which)", text)] == []
    assert any("No one can be sure" in text for text in said)
