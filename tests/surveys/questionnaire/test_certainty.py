"""The one sentence of the promise stands wherever Sottovoce speaks for itself, in the same words."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from django.test import Client

from surveys.questionnaire.certainty import usual_promise

ROOT = Path(__file__).resolve().parents[3]


def usual() -> str:
    return usual_promise().replace("\xa0", " ")


def test_the_usual_promise_is_that_of_the_medium_protection() -> None:
    assert usual() == (
        "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. One of your "
        "disguised answers could make them at most 80% sure. Everything your device sends, taken together: "
        "at most 95%."
    )


@pytest.mark.parametrize("page", ["README.md", "docs/privacy.md"])
def test_the_documentation_says_it_in_the_same_words(page: str) -> None:
    text = re.sub(r"\s+", " ", (ROOT / page).read_text(encoding="utf-8"))
    assert usual() in text


@pytest.mark.django_db
def test_the_home_page_says_it(client: Client) -> None:
    assert usual() in html.unescape(client.get("/en/").content.decode()).replace("\xa0", " ")
