"""Words that mix alphabets are found, and words that rightly have letters of several are not."""

import unicodedata

import pytest

from surveys.questionnaire.checks.letters import mixed_words
from surveys.questionnaire.findings import Level
from tests.fixtures.checked_surveys import findings_of, protected, several, unprotected, yes_no


@pytest.mark.parametrize(
    ("text", "word", "name"),
    [
        ("Did you ch\u0435at?", "ch\u0435at", "CYRILLIC SMALL LETTER IE"),
        ("P\u0430ris", "P\u0430ris", "CYRILLIC SMALL LETTER A"),
        ("N\u039fNE of these", "N\u039fNE", "GREEK CAPITAL LETTER OMICRON"),
        ("w\u03bfrk", "w\u03bfrk", "GREEK SMALL LETTER OMICRON"),
        ("te\u03b5th", "te\u03b5th", "GREEK SMALL LETTER EPSILON"),
        ("he\uff4cp", "he\uff4cp", "FULLWIDTH LATIN SMALL LETTER L"),
        ("h\U0001d41elp", "h\U0001d41elp", "MATHEMATICAL BOLD SMALL E"),
        ("Вы oбманывали?", "oбманывали", "LATIN SMALL LETTER O"),
        ("您喝c\u043ela吗", "您喝c\u043ela吗", "CYRILLIC SMALL LETTER O"),
        # All letters of the word are Cyrillic, in an English sentence.
        ("Did a \u0441\u043e\u0440 stop you?", "\u0441\u043e\u0440", "CYRILLIC SMALL LETTER ES"),
        ("e\u0301t\u0435", "\u00e9t\u0435", "CYRILLIC SMALL LETTER IE"),
    ],
)
def test_a_letter_of_another_alphabet_is_named(text: str, word: str, name: str) -> None:
    (found,) = mixed_words(text)
    assert (found.word, found.name) == (word, name)


@pytest.mark.parametrize(
    "text",
    [
        *("α-Test", "TNFα", "IL1β", "5 μm", "5 µm", "Δt", "πr²", "χ²-Test", "γGT"),
        *("A型血", "用WhatsApp吗？", "您用过 LSD 吗？", "Ｈｏｗ", "全角ＡＢ和半角 AB", "VIP客户"),
        *("Café, naïve, Zürich, Łódź, İstanbul", "Cafe\u0301", "Вы обманывали?", "IT-отдел", "Η ερώτηση"),
        *(
            "Do you read Russian (русский язык)?",
            "The letter а in азбука",
            "Did you drink?",
            "",
            "3x, H2O, 1st",
        ),
        *("ترجمه SMS", "スマホでLINE", "मेरा SMS", "İ, ı, ß, ø"),
    ],
)
def test_words_that_rightly_have_letters_of_several_alphabets_pass(text: str) -> None:
    assert [*mixed_words(text)] == []


def test_every_text_that_respondents_read_is_checked() -> None:
    bad = "ch\u0435at"
    question = several("means", "Pills", bad, help={"en": bad})
    blocks = (
        unprotected("you", question),
        protected("b", yes_no("steal", text={"en": f"Did you {bad}?"}), title={"en": bad}),
    )
    found = [one for one in findings_of(*blocks, title={"en": bad}) if one.code == "mixed_letters"]
    assert [one.path for one in found] == [
        "title",
        "blocks[0].questions[0].options[1]",
        "blocks[0].questions[0].help",
        "blocks[1].title",
        "blocks[1].questions[0]",
    ]
    assert {one.level for one in found} == {Level.WARN}
    assert all(bad in one.message and unicodedata.name("\u0435") in one.message for one in found)


def test_a_whole_text_in_the_wrong_letters_gives_a_limited_number_of_findings() -> None:
    text = " ".join(f"{chr(97 + n % 26)}{chr(97 + n // 26)}\u0435" for n in range(200))
    found = [
        one
        for one in findings_of(protected("b", yes_no("steal", help={"en": text})))
        if one.code == "mixed_letters"
    ]
    assert len(found) == 20
