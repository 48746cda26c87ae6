"""What the page of a survey with every kind of question weighs, in each of Sotto's languages."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from surveys.models import Version
from surveys.respondent.client_program import client
from surveys.respondent.page import respondent_page
from tests.cast.everyday import everyday

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_kind_of_question_takes_40_kilobytes_before_the_first_screen_and_60_in_all(
    language: str,
) -> None:
    everyday()
    shown = respondent_page(Version.objects.get())
    assert shown is not None
    answer = Client().get(f"/{language}/s/everyday/", headers={"Accept-Encoding": "gzip, br"})
    assert answer.headers["Content-Encoding"] == "gzip"
    page = gzip.decompress(answer.content)
    assert len(answer.content) < len(page) / 2
    assert all(url in page.decode() for url in shown.scripts)
    looks = [
        Path(str(finders.find(f"surveys/{name}"))).read_bytes() for name in ("css/sotto.css", "icon.svg")
    ]
    first = [file.content for file in client().files if file.url in shown.scripts]
    later = [file.content for file in client().files if file.url not in shown.scripts]
    assert sum(len(gzip.compress(part)) for part in (page, *looks, *first)) <= 40_000
    assert sum(len(gzip.compress(part)) for part in (page, *looks, *first, *later)) <= 60_000


def test_a_chinese_page_says_its_sentences_as_they_are() -> None:
    everyday()
    page = Client().get("/zh-hans/s/everyday/").content.decode()
    assert "\\u" not in page.replace("\\u003C", "").replace("\\u003E", "").replace("\\u0026", "")
