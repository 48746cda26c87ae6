"""Blanks between the sentences of Chinese pages."""

import gzip

import pytest
from django.test import Client

from surveys.server import chinese_sentences
from tests.fixtures.devices import published, shipped_definition

pytestmark = pytest.mark.django_db


def test_chinese_sentences_have_no_spaces_between_them(client: Client) -> None:
    page = client.get("/zh-hans/").content.decode()
    assert "。" in page
    assert "。 " not in page


def test_content_length_matches_a_chinese_page_without_spaces(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chinese_sentences, "without_blanks", lambda page: page.replace("。", ""))
    response = client.get("/zh-hans/")
    assert int(response["Content-Length"]) == len(response.content)


def test_the_chinese_respondent_page_is_sent_exactly_as_built(client: Client) -> None:
    published(shipped_definition(slug="work"))
    page = client.get("/zh-hans/s/work/")
    packed = client.get("/zh-hans/s/work/", headers={"Accept-Encoding": "gzip"})
    assert (page.status_code, packed["Content-Encoding"]) == (200, "gzip")
    assert gzip.decompress(packed.content) == page.content
