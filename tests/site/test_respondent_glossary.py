"""One word for one thing in each language that respondents read: a survey, a device, a code, the disguise."""

import re
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from django.utils.translation import to_language

from surveys.questionnaire import formality
from tests.site.test_respondent_languages import LANGUAGES, PLACEHOLDER, catalogue_of, forms_of

GLOSSARY: Final = Path(__file__).with_name("glossary_respondents.tsv")


class Term(NamedTuple):
    """A word of one language for an English one."""

    language: str
    english: re.Pattern[str]
    word: re.Pattern[str]
    forbidden: str


def read_terms(text: str) -> list[Term]:
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [
        Term(language, re.compile(english, re.IGNORECASE), re.compile(word, re.IGNORECASE), forbidden)
        for language, english, word, forbidden in rows
    ]


TERMS: Final = read_terms(GLOSSARY.read_text(encoding="utf-8"))


def faults(language: str, english: str, translated: str) -> list[str]:
    """Return the terms that a translation lacks, and the words that it must not have."""
    said, meant = PLACEHOLDER.sub("", translated), PLACEHOLDER.sub("", english)
    found = []
    for term in TERMS:
        if term.language != language or not term.english.search(meant):
            continue
        if not term.word.search(said):
            found.append(f"lacks {term.word.pattern}: {said}")
        if term.forbidden and (wrong := re.search(term.forbidden, said, re.IGNORECASE)):
            found.append(f"says {wrong[0]}: {said}")
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_uses_the_word_of_the_glossary(language: str) -> None:
    found, forms = [], formality.forms_of(language)
    for message in chain(catalogue_of(language), catalogue_of(language, forms.other) if forms else ()):
        if message.id:
            english = message.id if isinstance(message.id, str) else message.id[1]
            for form in forms_of(message):
                found += faults(to_language(language), english, form)
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_a_word_for_a_survey_a_device_and_a_code(language: str) -> None:
    terms = [term for term in TERMS if term.language == language]
    for english in ("this survey", "this device", "your code"):
        assert any(term.english.search(english) for term in terms), english


@pytest.mark.parametrize(
    ("language", "english", "translated"),
    [
        ("de", "The survey has closed", "Die Befragung ist beendet"),
        ("fr", "Both ways help this survey.", "Les deux manières sont utiles à cette étude."),
        ("zh-hant", "stays on this device", "留在這台設備上"),
        ("it", "This code cannot be used", "Questa password non vale"),
        ("ru", "Your real answers are stored.", "Ваши реальные ответы сохраняются."),
        ("zh-hant", "Taken together: at most {m}%.", "合起來看，也不超過 {m}%。這個人始終無法確定。"),
        ("zh-hant", "This could make someone nearly sure.", "別人就幾乎能確定。"),
        (
            "es",
            "“Prefer not to say” to it each time could …",
            "Responder cada vez “Prefiero no responder” podría …",
        ),
        ("fr", "Who does not learn them?", "Qui ne les reçoit pas ?"),
        ("de", "This could make them at most {k}% sure.", "Das könnte diese Person zu {k} % sicher machen."),
        ("it", "No one can see which.", "Non si vede quale."),
    ],
)
def test_another_word_is_found(language: str, english: str, translated: str) -> None:
    assert faults(language, english, translated)
    assert {term.language for term in TERMS} == {*LANGUAGES}
