"""Staff learn which sentences no native speaker has checked, and in which languages there are none."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.respondent.catalogues import readings
from tests.fixtures.runs import definition
from tests.fixtures.staff import browser_of


def test_a_language_is_checked_unchecked_or_missing() -> None:
    german, vietnamese = readings(["en", "de-at", "zh-hans", "vi"], {})
    assert (german.language.tag, german.is_missing, german.readers) == ("de-at", False, "")
    assert ("Prefer not to say", "Keine Angabe") in german.sentences
    assert ("{questions} questions", "Eine Frage / {questions} Fragen") in german.sentences
    assert len(german.sentences) > 300
    assert (vietnamese.is_missing, vietnamese.sentences) == (True, ())
    assert not readings(["en-gb"], {})[0].is_missing


def in_other_languages() -> dict[str, Any]:
    document = definition("habits", policy="protected")

    def each(value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("en"), str):
            return {"en": value["en"], "ar": "سؤال", "vi": "Câu hỏi"}
        if isinstance(value, dict):
            return {key: each(inner) for key, inner in value.items()}
        return [each(inner) for inner in value] if isinstance(value, list) else value

    return {**each(document), "languages": ["en", "ar", "vi"]}


@pytest.mark.soak
@pytest.mark.django_db
def test_the_page_that_publishes_leads_to_the_sentences_that_no_native_speaker_has_checked() -> None:
    draft_create(in_other_languages(), slug="habits", source="scratch", by="ana", now=timezone.now())
    page: Client = browser_of("adam", *Role)
    html = " ".join(page.get("/en/staff/surveys/habits/publish").content.decode().split())
    assert "A machine translated Sottovoce’s own sentences into العربيّة." in html
    (address, count) = re.findall(
        r'<a href="([^"]+)"> Read, print, correct or confirm the (\d+) sentences that no native', html
    )[0]
    assert int(count) == len(readings(["ar"], {})[0].sentences)
    sentences = " ".join(page.get(address).content.decode().split())
    assert 'lang="ar" dir="rtl">أفضّل عدم الإجابة<' in sentences
    assert "Sottovoce has no sentences in" in html
    assert html.count("No native speaker has checked them.") == 1
