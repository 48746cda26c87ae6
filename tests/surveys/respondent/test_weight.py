"""What the page of a survey with every kind of question weighs, in each of Sotto's languages."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from surveys.models import Survey
from surveys.respondent.page import respondent_page
from tests.cast.everyday import everyday

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_kind_of_question_stays_clear_of_60_kilobytes(language: str) -> None:
    """Nothing is left of what a page may weigh once each sentence and script just fits."""
    everyday()
    shown = respondent_page(Survey.objects.get())
    assert shown is not None
    names = (*shown.scripts, "surveys/css/sotto.css", "surveys/icon.svg")
    answer = Client().get(f"/{language}/s/everyday/", headers={"Accept-Encoding": "gzip, br"})
    assert answer.headers["Content-Encoding"] == "gzip"
    page = gzip.decompress(answer.content)
    assert len(answer.content) < len(page) / 2
    parts = [page, *(Path(str(finders.find(name))).read_bytes() for name in names)]
    assert sum(len(gzip.compress(part)) for part in parts) <= 59_500


def test_a_chinese_page_says_its_sentences_as_they_are() -> None:
    everyday()
    page = Client().get("/zh-hans/s/everyday/").content.decode()
    assert "\\u" not in page.replace("\\u003C", "").replace("\\u003E", "").replace("\\u0026", "")
