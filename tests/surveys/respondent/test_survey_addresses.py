"""Addresses of a survey in each of its languages."""

import pytest
from django.test import RequestFactory, override_settings

from surveys.respondent.survey_addresses import absolute_address, addresses_of


def test_each_language_has_an_address_and_the_first_comes_first() -> None:
    wording = {"languages": ["ar", "en", "zh-hans"]}
    found = addresses_of("work", wording)
    assert [(each.language.tag, each.page_language, each.path) for each in found] == [
        ("ar", "ar", "/en/s/work/ar/"),
        ("en", "en", "/en/s/work/"),
        ("zh-hans", "zh-hans", "/zh-hans/s/work/"),
    ]


@pytest.mark.parametrize(
    ("elsewhere", "address"),
    [
        ([], "http://testserver/en/s/work/"),
        (["https://a.example", "https://b.example"], "https://a.example/en/s/work/"),
    ],
)
def test_the_first_client_host_is_named_if_there_is_one(elsewhere: list[str], address: str) -> None:
    request = RequestFactory().get("/zh-hans/staff/")
    with override_settings(SOTTOVOCE_CLIENT_ORIGINS=elsewhere):
        assert absolute_address(request, "/en/s/work/") == address
