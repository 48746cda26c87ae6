"""Addresses of a survey in each of its languages."""

import pytest
from django.contrib.auth.models import User
from django.test import RequestFactory, override_settings
from django.utils import translation

from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.authoring.publish import survey_publish
from surveys.models import Survey
from surveys.respondent.survey_addresses import absolute_address, addresses_of, shown_path
from tests.fixtures.devices import shipped_definition
from tests.fixtures.drafts import NOW, new_draft, only_in, published_survey
from tests.fixtures.staff import browser_of


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


def german_survey(owner: User | None = None) -> Survey:
    document = only_in("de", shipped_definition()) | {"languages": ["de"], "practice": True}
    survey = draft_create(document, slug="arbeit", source="scratch", by="ana", now=NOW, owner=owner)
    survey_publish(survey, by="ana", now=NOW, is_readable_seen=True)
    survey.refresh_from_db()
    return survey


@pytest.mark.django_db
def test_every_address_on_the_page_of_a_survey_is_in_a_language_that_it_has() -> None:
    staff = browser_of("ana", Role.RESEARCHER)
    survey = german_survey(User.objects.get())
    assert shown_path(survey) == "/en/s/arbeit/de/"
    page = staff.get("/en/staff/surveys/arbeit/").content.decode()
    assert page.count("/s/arbeit/") == page.count("/en/s/arbeit/de/") > 1


@pytest.mark.django_db
def test_a_link_opens_the_language_of_its_reader_if_the_survey_has_it() -> None:
    survey = published_survey(languages=["en", "zh-hans"])
    with translation.override("zh-hans"):
        assert shown_path(survey) == "/zh-hans/s/work/"
    assert shown_path(survey) == "/en/s/work/"
    assert shown_path(new_draft("later")) == "/en/s/later/"
