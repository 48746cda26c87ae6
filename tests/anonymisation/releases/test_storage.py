"""Stored columns are sealed separately, restored unchanged, and deleted in time."""

from datetime import datetime, timedelta

import numpy as np
import pytest
from django.utils import timezone
from pytest_django import Settings

from anonymisation.models import ReleaseColumn, ReleaseTable
from anonymisation.releases.deletion import LONGEST_DELAY, records_expire_in_time, releases_step
from anonymisation.releases.drafts import columns_save, release_request, table_open
from anonymisation.releases.new_release import upload_begin
from anonymisation.releases.storage import bytes_open, equal_records, stored_table
from privacy.sdc.unit import RECORDS
from surveys.errors.error import SurveyError
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, Severity
from surveys.tasks import run_job
from tests.anonymisation.made_releases import begun_release
from tests.fixtures.runs import alice

pytestmark = pytest.mark.django_db
RAW = b"age,sex,note\n31,f,x\n45,m,y\n31,f,x\n"


def test_unrequested_columns_stay_sealed_and_duplicate_records_are_found() -> None:
    release = upload_begin(owner=alice(), name="people.csv", raw=RAW, now=timezone.now())
    assert list(stored_table(release).rows()) == [("31", "f", "x"), ("45", "m", "y"), ("31", "f", "x")]
    ReleaseColumn.objects.filter(number=2).delete()
    assert list(stored_table(release, ["age", "sex"]).rows()) == [("31", "f"), ("45", "m"), ("31", "f")]
    with pytest.raises(SurveyError, match="no longer stored"):
        stored_table(release)
    assert len(np.unique(equal_records(release))) == 2


def test_omitted_columns_that_identify_no_one_are_never_opened() -> None:
    owner = alice()
    lines = [f"p{n},{'abc'[n % 3]},{20 + n % 9},{'yes' if n % 2 else 'no'}" for n in range(60)]
    raw = "\n".join(["person_id,note,age,ill", *lines, ""]).encode()
    release = upload_begin(owner=owner, name="people.csv", raw=raw, now=timezone.now())
    roles = ("identifier", "identifier", "quasi_identifier", "sensitive")
    chosen = [column | {"role": role} for column, role in zip(release.columns, roles, strict=True)]
    columns_save(release, chosen, by=owner, people=RECORDS)
    release.refresh_from_db()
    before = (release.people_digest, table_open(release).counting(release.columns).document)
    ReleaseColumn.objects.filter(number=1).delete()
    columns_save(release, chosen, by=owner, people=RECORDS)
    release.refresh_from_db()
    assert table_open(release).table.header == ["person_id", "age", "ill"]
    assert (release.people_digest, table_open(release).counting(release.columns).document) == before
    bounds = {"k": 3, "algorithm": "tight", "max_suppressed": 0, "columns": {"ill": {"l": 2}}}
    run_job(release_request(release, bounds, by=owner, now=timezone.now()).pk)
    release.refresh_from_db()
    assert release.result["records"] == 60
    # A column that identifies people is needed even if it is omitted.
    other = upload_begin(owner=owner, name="people.csv", raw=raw, now=timezone.now())
    ReleaseColumn.objects.filter(table=other.pk, number=0).delete()
    with pytest.raises(SurveyError, match="no longer stored"):
        columns_save(other, chosen, by=owner, people=RECORDS)


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
