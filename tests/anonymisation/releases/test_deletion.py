"""Stored records are deleted in time."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from anonymisation.models import ReleaseTable
from anonymisation.releases.deletion import LONGEST_DELAY, records_expire_in_time, releases_step
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
