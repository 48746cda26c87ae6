"""Programs download a release's files with a token, as its owner only."""

import io
import json
import zipfile

import pytest
from pytest_django import Settings

from surveys.accounts.roles import Role
from surveys.models import AuditEvent
from tests.anonymisation.made_releases import made_release
from tests.fixtures.api_clients import program_of
from tests.fixtures.staff import member
from tests.surveys.accounts.test_token_requests import body_of

pytestmark = pytest.mark.django_db


def test_only_the_owner_can_download_a_release(settings: Settings) -> None:
    owner = member("owner", Role.RESEARCHER)
    release = made_release(owner)
    here = f"/en/staff/releases/{release.pk}/deposit.zip"
    sent = program_of(owner).get(here)
    assert (sent.status_code, sent["Content-Type"]) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(body_of(sent))) as archive:
        assert json.loads(archive.read("manifest.json"))["sotto_release"] == 1
    assert AuditEvent.objects.filter(action="release_download", actor="owner").count() == 1
    assert program_of(member("rosa", Role.RESEARCHER)).get(here).status_code == 404
    settings.SECOND_FACTOR_FOR = frozenset({"exports"})
    assert program_of(owner).get(here).json()["code"] == "second_factor"
    settings.SECOND_FACTOR_FOR = frozenset()
    release.files = None
    release.save()
    assert program_of(owner).get(here).status_code == 404
