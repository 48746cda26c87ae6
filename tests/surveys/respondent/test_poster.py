"""The poster: in each language of the survey, only about answers that every device disguises."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.models import Survey
from surveys.respondent.letters import letters
from surveys.respondent.poster import Poster, posters
from surveys.respondent.survey_access import survey_access
from tests.fixtures.devices import published
from tests.fixtures.runs import definition
from tests.fixtures.staff import browser_of

pytestmark = pytest.mark.django_db

LATIN = re.compile(r"[A-Za-z]{2,}")


def in_languages(document: dict[str, Any], *tags: str) -> dict[str, Any]:
    def each(value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("en"), str):
            return dict.fromkeys(tags, "…")
        if isinstance(value, dict):
            return {key: each(inner) for key, inner in value.items()}
        return [each(inner) for inner in value] if isinstance(value, list) else value

    return {**each(document), "languages": [*tags]}


def posters_of(document: dict[str, Any]) -> tuple[Poster, ...]:
    return posters(published(document).survey, absolute=lambda path: f"https://example.org{path}")


def text_of(poster: Poster) -> str:
    return "\n".join(line for part in poster.parts for line in (part.heading, *part.sentences))


def test_a_poster_has_no_english_word_in_a_language_with_a_catalogue() -> None:
    document = in_languages(definition("wall", policy="protected"), "ar", "ru", "en")
    arabic, russian, english = posters_of(document)
    assert LATIN.findall(text_of(arabic)) == LATIN.findall(text_of(russian)) == []
    assert "Who does not learn them?" in text_of(english)
    assert "Suppose someone" in text_of(english)
    assert [len(part.sentences) > 1 for part in english.parts] == [True] * 3


@pytest.mark.soak
def test_the_address_is_the_one_of_the_letter() -> None:
    version = published(definition("wall", policy="protected"))
    for poster, letter in zip(
        posters(version.survey, absolute=str), letters(version.survey, absolute=str), strict=True
    ):
        assert poster.address == letter.address
        assert poster.picture is not None


@pytest.mark.soak
def test_by_invitation_the_poster_has_no_code_to_scan() -> None:
    survey = survey_import(definition("wall", policy="protected"), by="alice")
    survey_access(survey, by_invitation=True, by="alice")
    survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    (poster, *_) = posters(survey, absolute=str)
    assert poster.picture is None
    assert "You need an invitation code to take part." in text_of(poster)


@pytest.mark.soak
def test_a_survey_in_which_some_devices_send_true_answers_has_no_poster() -> None:
    assert posters_of(definition("mixed", policy="choice")) == ()
    page = browser_of("adam", *Role).get("/en/staff/surveys/mixed/poster/").content.decode()
    assert "In this survey some devices send true answers." in page


def test_open_questions_are_named_only_if_there_are_any() -> None:
    (poster, *_) = posters_of(definition("wall", policy="protected"))
    document = definition("shut", policy="protected")
    document["blocks"] = [block for block in document["blocks"] if block["protected"]]
    (shut, *_) = posters_of(document)
    assert "Stored as answered" in text_of(poster)
    assert "Stored as answered" not in text_of(shut)


@pytest.mark.soak
def test_the_page_prints_a_poster_for_each_language_and_needs_a_published_survey() -> None:
    published(in_languages(definition("wall", policy="protected"), "ar", "sw"))
    browser = browser_of("adam", *Role)
    page = browser.get("/en/staff/surveys/wall/poster/").content.decode()
    assert page.count('class="poster card stack"') == 2
    assert 'lang="ar" dir="rtl"' in page
    assert "/poster/" in browser.get("/en/staff/surveys/wall/hand-out/").content.decode()
    survey_import(definition("draft"), by="alice")
    page = browser.get("/en/staff/surveys/draft/poster/").content.decode()
    assert "The draft is not published" in page


def test_posters_load_the_newest_version_once() -> None:
    survey = published(definition("posted", policy="protected")).survey
    with CaptureQueriesContext(connection) as queries:
        assert posters(Survey.objects.get(pk=survey.pk), absolute=str)
    loaded = [query["sql"] for query in queries if 'FROM "surveys_version"' in query["sql"]]
    assert len(set(loaded)) == len(loaded)
