"""Files by token: what the pages send, to whom the pages send it, and written in the log."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import pytest
from django.http import HttpResponseBase

from surveys.access.roles import Role
from surveys.models import AuditEvent
from tests.cast.deposits import made_deposit
from tests.cast.programs import program_of
from tests.cast.runs import answered, mined
from tests.cast.staff import member

pytestmark = pytest.mark.django_db


def body_of(response: HttpResponseBase) -> bytes:
    return b"".join(response) if response.streaming else response.content  # type: ignore[attr-defined]


def rows_in(body: bytes, name: str) -> list[dict[str, str]]:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return list(csv.DictReader(io.StringIO(archive.read(name).decode(), newline="")))


def test_rows_of_a_run_come_as_from_the_page_and_are_logged() -> None:
    run = mined(answered())
    reader = member("rhea", Role.REVIEWER, Role.ROWS)
    sent = program_of(reader).get(f"/api/v1/runs/{run.pk}/rows")
    assert (sent.status_code, sent["Content-Type"], sent["Cache-Control"]) == (
        200,
        "application/zip",
        "no-store",
    )
    rows = rows_in(body_of(sent), "rows.csv")
    assert len(rows) == run.n
    event = AuditEvent.objects.get(action="data_export")
    assert (event.actor, event.detail["file"]) == ("rhea", "zip")
    codebook = program_of(reader).get(f"/api/v1/runs/{run.pk}/rows", {"kind": "xml"})
    assert body_of(codebook).startswith(b"<?xml")


def test_rows_are_refused_to_whom_the_page_refuses_them(settings: Any) -> None:
    """A reviewer reads figures, and takes rows with the right to; a second factor is asked for as there."""
    run = mined(answered())
    here = f"/api/v1/runs/{run.pk}/rows"
    assert program_of(member("ana", Role.REVIEWER)).get(here).json()["code"] == "role"
    assert program_of(member("stranger", Role.RESEARCHER)).get(here).status_code == 404
    reader = member("rhea", Role.REVIEWER, Role.ROWS)
    assert program_of(reader).get(here, {"kind": "exe"}).json()["code"] == "parameter"
    settings.SECOND_FACTOR_FOR = frozenset({"exports"})
    assert program_of(reader).get(here).json()["code"] == "second_factor"
    assert not AuditEvent.objects.filter(action="data_export").exists()


def test_a_deposit_is_handed_over_to_its_owner_alone(settings: Any) -> None:
    owner = member("owner", Role.RESEARCHER)
    deposit = made_deposit(owner)
    here = f"/api/v1/deposits/{deposit.pk}/files"
    sent = program_of(owner).get(here)
    assert (sent.status_code, sent["Content-Type"]) == (200, "application/zip")
    rows = rows_in(body_of(sent), "data.csv")
    assert len(rows) == 24
    assert set(rows[0]) == {"age", "work", "debt"}
    with zipfile.ZipFile(io.BytesIO(body_of(sent))) as archive:
        assert json.loads(archive.read("manifest.json"))["sotto_release"] == 1
    assert AuditEvent.objects.filter(action="deposit_download", actor="owner").count() == 1
    assert program_of(member("rosa", Role.RESEARCHER)).get(here).status_code == 404
    settings.SECOND_FACTOR_FOR = frozenset({"exports"})
    assert program_of(owner).get(here).json()["code"] == "second_factor"
    deposit.files = None
    deposit.save()
    settings.SECOND_FACTOR_FOR = frozenset()
    assert program_of(owner).get(here).status_code == 404
