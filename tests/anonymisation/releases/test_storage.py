"""Stored records are deleted in time, and what an earlier release sealed can be opened."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from anonymisation.models import ReleaseTable
from anonymisation.releases.deletion import LONGEST_DELAY, records_expire_in_time, releases_step
from anonymisation.releases.storage import bytes_open
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, Severity
from tests.anonymisation.made_releases import begun_release
from tests.fixtures.runs import alice

pytestmark = pytest.mark.django_db


def found(now: datetime) -> Diagnosis:
    (finding,) = records_expire_in_time(CheckContext(address=None, client_digest=None, now=now))
    return finding


def test_health_reports_expired_records_until_they_are_deleted() -> None:
    now = timezone.now()
    assert (found(now).level, found(now).seen) == (Severity.OK, "no records are stored")
    ends = ReleaseTable.objects.get(release=begun_release(alice())).ends_at
    assert ends - now <= timedelta(days=1, minutes=1)
    for late in (timedelta(0), LONGEST_DELAY - timedelta(seconds=1)):
        assert (found(ends + late).level, found(ends + late).seen.split(";")[0]) == (Severity.OK, "1 stored")
    assert found(ends + LONGEST_DELAY).level is Severity.ERROR
    releases_step(now=ends)
    assert found(ends + LONGEST_DELAY).level is Severity.OK


def test_a_table_sealed_by_an_earlier_release_can_be_opened(settings: Settings) -> None:
    settings.SECRET_KEY = "a secret key that only tests use, 0123456789"
    table = (
        "9da4b5b3d143f7a3687a2710aebacd9bf003e40d09a643f4c7abc2db81bab80c"
        "7f82dbdebee2a1dda23a58e20496056b75859a8e2f96c8"
    )
    assert bytes_open(bytes.fromhex(table), release_id=7, kind="table") == b"a table"
