"""The label's sentences: easy to read, and whole in both languages."""

import re

import pytest

from surveys.respondent.label_texts import label_texts

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
    text = label_texts()[key].replace("{n}", "57").replace("{m}", "89").replace("{k}", "10")
    leads = {"posterior": "odds_posterior_lead", "even": "odds_even_lead"}
    lead = next((label_texts()[name] for part, name in leads.items() if part in key), "")
    assert reading_grade(text if key.endswith("_lead") else f"{lead} {text}") <= 8


def test_the_numbers_stand_where_the_page_fills_them_in() -> None:
    numbers = {
        "odds_whole_most": ["m"],
        "odds_whole_rare": ["n"],
        "odds_posterior": ["k", "n"],
        "odds_posterior_worst": ["k", "n"],
        "odds_posterior_skip": ["n"],
        "odds_even": ["m"],
        "odds_even_skip": ["m"],
        "odds_skipped": ["m"],
    }
    for key, text in label_texts().items():
        assert re.findall(r"{(\w+)}", text) == numbers.get(key, []), key


def test_the_first_line_names_what_somebody_may_know_already() -> None:
    """Answers that are sent as they are, and the way of answering: nothing holds for these."""
    said = {
        (is_open, has_groups): label_texts(has_open=is_open, has_groups=has_groups)
        for is_open in (False, True)
        for has_groups in (False, True)
    }
    for (is_open, has_groups), texts in said.items():
        assert ("what you sent as it is" in texts["odds_whole"]) is is_open
        assert ("which way you answer" in texts["odds_whole"]) is has_groups
        assert ("odds_direct" in texts) is has_groups


def test_no_sentence_says_what_is_false_where_one_answer_gives_away_another() -> None:
    """A part is spoken of alone or under a stated share; only the first line is about everything."""
    texts = label_texts()
    assert all(
        re.search(r"\b[Ii]f\b", texts[key]) for key in texts if "posterior" in key and "lead" not in key
    )
    assert all("This part alone" in texts[key] for key in ("odds_even", "odds_even_skip"))
    assert "one of your answers gives away another" in texts["odds_whole_any"]
