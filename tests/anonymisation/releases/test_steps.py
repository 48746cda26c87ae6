"""The description of a release's study is stored with it and is part of the published files."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from anonymisation.models import Release
from surveys.accounts.roles import Role
from tests.anonymisation.releases.test_views import BOUNDS, address, finished, stepped, unzipped
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

SAID = {
    "title": "Debts of the city",
    "creators": "Li, Na; Example University; 0000-0002-1825-0097\nInstitute of Work",
    "abstract": "What people owe.",
    "publisher": "Example Archive",
    "contact": "li@example.org",
    "start": "2026-01-05",
    "licence": "CC-BY-4.0",
    "subject": "Law",
}


@pytest.fixture
def researcher(client: Client, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Log a researcher in, on a fixed date."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2031, 1, 1, 12, tzinfo=UTC))
    client.force_login(member("rosa", Role.RESEARCHER))
    return client


def described(client: Client, **more: str) -> Any:
    assert stepped(client)["Location"] == address("study")
    return client.post(address("study"), {**SAID, **more})


@pytest.mark.soak
def test_the_study_description_is_stored_and_published(researcher: Client) -> None:
    assert described(researcher)["Location"] == address("bounds")
    # Going back shows the typed values.
    form = researcher.get(address("study")).context["form"]
    assert {name: form[name].value() for name in SAID} == SAID
    release = finished(researcher, BOUNDS)
    assert release.description == SAID
    files = unzipped(researcher.get(address("files")))
    assert json.loads(files["datacite.json"])["titles"] == [{"title": "Debts of the city"}]
    assert "CITATION.cff" in files
    page = researcher.get(address("release")).content.decode()
    assert "k-anonymity; the smallest has" in page
    assert "You did not describe the study" not in page


@pytest.mark.soak
def test_the_study_description_is_optional(researcher: Client) -> None:
    """All fields are empty, or a button skips them, even after a description was stored."""
    stepped(researcher)
    for given in (dict.fromkeys(SAID, ""), SAID, SAID | {"title": "", "without": "on"}):
        assert researcher.post(address("study"), given)["Location"] == address("bounds")
        assert Release.objects.get().description == (SAID if given is SAID else {})
    assert finished(researcher, BOUNDS).description == {}
    assert "datacite.json" not in unzipped(researcher.get(address("files")))
    assert "You did not describe the study" in researcher.get(address("release")).content.decode()


def test_an_incomplete_description_is_refused_and_keeps_its_entries(researcher: Client) -> None:
    response = described(researcher, abstract=" ", publisher="")
    assert response.status_code == 422
    form = response.context["form"]
    assert set(form.errors) == {"abstract", "publisher"}
    assert form["title"].value() == SAID["title"]
    response = researcher.post(address("study"), SAID | {"creators": "Li, Na; A; 0000-0002-1825-0098"})
    assert response.status_code == 422
    assert "“0000-0002-1825-0098” is not a valid ORCID" in response.content.decode()
    assert response.context["form"]["contact"].value() == SAID["contact"]
    assert Release.objects.latest("pk").description == {}
