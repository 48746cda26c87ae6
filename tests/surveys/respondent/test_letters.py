"""Letters and cards in languages that only respondents read."""

import re
from typing import Any

import pytest
from django.test import Client

from surveys.accounts.roles import Role
from surveys.respondent.letters import letters
from surveys.respondent.poster import posters
from tests.fixtures.devices import published
from tests.fixtures.runs import definition
from tests.fixtures.staff import browser_of

pytestmark = pytest.mark.django_db

WORD = re.compile(r"[A-Za-z]{2,}")


def in_german_and_arabic() -> dict[str, Any]:
    """Return a survey whose texts are in German, Arabic and Vietnamese, with no word of English."""
    document = definition("gewohnheiten", policy="protected")

    def each(value: object) -> object:
        if isinstance(value, dict) and isinstance(value.get("en"), str):
            return {"de-at": "Frage", "ar": "سؤال", "vi": "Câu hỏi"}
        if isinstance(value, dict):
            return {key: each(inner) for key, inner in value.items()}
        return [each(inner) for inner in value] if isinstance(value, list) else value

    return {**{key: each(value) for key, value in document.items()}, "languages": ["de-at", "ar", "vi"]}


@pytest.mark.soak
def test_letters_are_in_the_language_of_the_survey_or_say_that_they_are_not() -> None:
    version = published(in_german_and_arabic())
    german, arabic, vietnamese = letters(version.survey, absolute=lambda path: f"https://example.org{path}")
    assert [one.text_language for one in (german, arabic, vietnamese)] == ["de", "ar", "en"]
    assert [one.is_translated for one in (german, arabic, vietnamese)] == [True, True, False]
    assert german.address.startswith("https://example.org/en/s/gewohnheiten/de-at/#d=")
    assert german.first.startswith("Sie sind eingeladen, „Frage“ zu beantworten.")
    assert re.search("höchstens zu \\d+\N{NO-BREAK SPACE}%", german.first)
    assert re.search("\\d+٪", arabic.first)
    for text in (arabic.first, arabic.reminder):
        assert WORD.findall(text.replace(arabic.address, "")) == []


@pytest.mark.soak
def test_the_page_of_letters_writes_arabic_from_right_to_left() -> None:
    published(in_german_and_arabic())
    page: Client = browser_of("adam", *Role)
    html = page.get("/en/staff/surveys/gewohnheiten/hand-out/").content.decode()
    assert 'lang="ar" dir="auto"' in html
    assert html.count("Sottovoce has no texts in this language.") == 1


def test_a_letter_leaves_out_what_a_practice_survey_does_not_state_and_its_page_says_so() -> None:
    document = in_german_and_arabic()
    unstated = ("researcher", "contact", "ethics", "purpose")
    about = document["about"] | {name: {} for name in unstated}
    version = published({**document, "practice": True, "about": about})
    full = published({**in_german_and_arabic(), "slug": "voll"})
    for survey, is_signed in ((version.survey, False), (full.survey, True)):
        german, *_others = letters(survey, absolute=lambda path: f"https://example.org{path}")
        assert german.is_signed is is_signed
        assert ("Fragen zu dieser Umfrage:" in german.first) is is_signed
        lines = german.first.split("\n")
        assert not any(line.rstrip().endswith(":") for line in lines)
        assert "\n\n\n" not in german.first
        poster, *_more = posters(survey, absolute=str)
        assert (poster.parts[-1].heading == "Wo können Sie nachfragen?") is is_signed
    page: Client = browser_of("adam", *Role)
    html = page.get("/en/staff/surveys/gewohnheiten/hand-out/").content.decode()
    assert html.count("This letter does not say who asks") == 3
    assert "does not say who asks" not in page.get("/en/staff/surveys/voll/hand-out/").content.decode()
