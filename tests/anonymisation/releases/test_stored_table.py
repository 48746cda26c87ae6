"""Stored columns are sealed separately and restored unchanged."""

import numpy as np
import pytest
from django.utils import timezone

from anonymisation.models import ReleaseColumn
from anonymisation.releases.drafts import columns_save, release_request, table_open
from anonymisation.releases.new_release import upload_begin
from anonymisation.releases.stored_table import equal_records, stored_table
from privacy.sdc.unit import RECORDS
from surveys.errors.error import SurveyError
from surveys.tasks import run_job
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
