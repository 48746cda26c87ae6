"""Uploads of large files in parts."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from anonymisation.models import Release, ReleasePart
from anonymisation.policy import LIFETIME
from anonymisation.releases import file_parts
from anonymisation.releases.deletion import releases_step
from anonymisation.releases.drafts import table_open
from anonymisation.releases.new_release import upload_begin
from surveys.models import Job
from surveys.tasks import run_job
from tests.fixtures.messy_table import messy_table
from tests.fixtures.runs import alice

pytestmark = pytest.mark.django_db

RAW = messy_table(encoding="utf-8")
PIECE = 4_000
CUTS = [RAW[at : at + PIECE] for at in range(0, len(RAW), PIECE)]


def send(client: Client, number: int, raw: bytes, release: object = "", *, last: bool = False) -> Any:
    given = {"release": release, "number": number, "name": "large.csv", "last": "on" if last else ""}
    return client.post(reverse("releases:part"), given | {"part": SimpleUploadedFile("blob", raw)})


def sent(client: Client, cuts: list[bytes]) -> str:
    release: object = ""
    for number, raw in enumerate(cuts):
        answer = send(client, number, raw, release, last=number == len(cuts) - 1)
        assert answer.status_code == 200, answer.content
        release = answer.json()["release"]
    return str(answer.json()["next"])


def test_a_file_uploaded_in_parts_reads_like_the_whole_file(researcher: Client) -> None:
    assert len(CUTS) > 3
    address = sent(researcher, CUTS)
    assert "Reading" in researcher.get(address).content.decode() or Job.objects.get().state
    with connection.cursor() as cursor:
        cursor.execute("SELECT sealed FROM anonymisation_releasepart")
        assert not any(b"P00001" in bytes(row[0]) for row in cursor.fetchall())
    run_job(Job.objects.get().pk)
    release = Release.objects.get()
    whole = upload_begin(owner=alice(), name="large.csv", raw=RAW, now=timezone.now())
    assert (release.columns, release.records) == (whole.columns, whole.records)
    assert list(table_open(release).table.rows()) == list(table_open(whole).table.rows())
    assert not ReleasePart.objects.exists()
    assert researcher.get(address, follow=True).redirect_chain[-1][0].endswith("/columns/")


def test_duplicate_parts_are_ignored_and_missing_parts_refused(researcher: Client) -> None:
    release = send(researcher, 0, CUTS[0]).json()["release"]
    send(researcher, 0, CUTS[0], release)
    refused = send(researcher, 2, CUTS[2], release, last=True)
    assert (refused.status_code, "did not arrive" in refused.json()["problem"]) == (422, True)
    assert [part.size for part in ReleasePart.objects.all()] == [PIECE]
    # Until the upload is complete, its page says so, and later steps redirect.
    page = researcher.get(reverse("releases:release", args=[release])).content.decode()
    assert "The upload was interrupted, or reading it was cancelled." in page
    assert researcher.get(reverse("releases:columns", args=[release])).status_code == 302
    researcher.post(reverse("releases:erase", args=[release]))
    assert not ReleasePart.objects.exists()


@pytest.mark.parametrize(
    ("tail", "megabytes", "said"),
    [
        (b"\n1;2\n", 4096, "Line 255 has a different number of cells (2) than the header"),
        (b"", -1000, "MB of memory, and the limit is"),
    ],
)
def test_unreadable_or_oversized_files_show_why_and_offer_another_upload(
    researcher: Client, settings: Any, tail: bytes, megabytes: int, said: str
) -> None:
    settings.RUN_MEGABYTES = megabytes
    address = sent(researcher, [*CUTS, tail] if tail else CUTS)
    run_job(Job.objects.get().pk)
    page = researcher.get(address).content.decode()
    assert said in page
    assert "Delete and choose another file" in page


def test_parts_cannot_join_finished_files_or_those_of_other_owners(
    researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = upload_begin(owner=alice(), name="x.csv", raw=b"a,b\n1,2\n", now=timezone.now())
    assert send(researcher, 0, b"a", other.pk).status_code == 404
    sent(researcher, CUTS)
    mine = Release.objects.latest("pk")
    assert "already running on this table" in send(researcher, 0, b"a", mine.pk).json()["problem"]
    assert send(researcher, 0, b"").status_code == 422
    monkeypatch.setattr(file_parts, "LARGEST_FILE", 5)
    assert "the limit is" in send(researcher, 0, b"a,b\n1,2\n").json()["problem"]
    releases_step(now=timezone.now() + 2 * LIFETIME)
    assert not ReleasePart.objects.exists()
