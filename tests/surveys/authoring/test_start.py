"""Surveys that start from another program's file: open, with a prompt, and a list of what is not kept."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from surveys.access.roles import Role
from surveys.authoring.start import FOREIGN, protect_prompt
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.document import MOST_BYTES
from tests.cast.foreign_surveys import release3, release6, surveyjs
from tests.cast.staff import member

pytestmark = pytest.mark.django_db
FILES: dict[str, Callable[[], bytes]] = {"surveyjs": surveyjs, "limesurvey": release3}


@pytest.fixture
def browser() -> Client:
    found = Client()
    found.force_login(member("ana", Role.RESEARCHER))
    return found


def sent(browser: Client, source: str, raw: bytes) -> str:
    file = SimpleUploadedFile("survey.bin", raw)
    form = {"source": source, "slug": "taken-over", "file": file}
    asked = browser.post("/en/staff/surveys/new", form, follow=True).content.decode()
    # The prompt stands above the first page, the list in the builder.
    return asked + browser.get("/en/staff/surveys/taken-over/build/").content.decode()


@pytest.mark.parametrize("source", FOREIGN)
def test_a_file_becomes_a_draft_with_a_prompt_to_protect_and_a_list(browser: Client, source: str) -> None:
    page = sent(browser, source, FILES[source]())
    form = FOREIGN[source](FILES[source](), name="it")
    assert protect_prompt(form.open_questions).replace("'", "&#x27;") in page
    survey = Survey.objects.get()
    assert (survey.slug, survey.owner and survey.owner.get_username()) == ("taken-over", "ana")
    assert survey.definition["blocks"] == form.document["blocks"]
    event = AuditEvent.objects.get(action="draft_create")
    assert event.detail == {"source": source, "not_kept": list(form.not_kept)}
    for line in form.not_kept[:3]:
        assert line.partition(":")[0] in page


@pytest.mark.parametrize("source", FOREIGN)
@pytest.mark.parametrize("raw", [b"x", b"{}", b"<document/>", b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"])
def test_what_cannot_be_read_keeps_nothing_and_says_why(browser: Client, source: str, raw: bytes) -> None:
    assert "The file cannot be imported yet" in sent(browser, source, raw)
    assert not Survey.objects.exists()


def test_a_file_that_is_too_large_is_refused_before_it_is_read(browser: Client) -> None:
    assert "bytes" in sent(browser, "limesurvey", b" " * (MOST_BYTES + 1))
    assert not Survey.objects.exists()


def test_the_command_says_what_was_not_kept_and_what_to_protect(tmp_path: Path) -> None:
    path, out = tmp_path / "export.lss", io.StringIO()
    path.write_bytes(release6())
    call_command("import_survey", str(path), "--from", "limesurvey", "--slug", "nights", stdout=out)
    assert "nights is a draft. 1 question was imported and is open" in out.getvalue()
    assert Survey.objects.get().definition["title"] == {"en": "Nights", "de": "Nächte"}
    path.write_bytes(surveyjs())
    out = io.StringIO()
    call_command("import_survey", str(path), "--from", "surveyjs", "--slug", "days", "--json", stdout=out)
    said = json.loads(out.getvalue())
    assert (said["survey"], said["open_questions"]) == ("days", 8)
    assert any("question say" in line for line in said["not_kept"])


@pytest.mark.parametrize(
    "options",
    [
        ["--from", "limesurvey"],
        ["--slug", "x"],
        ["--from", "limesurvey", "--slug", "No Slug"],
        ["--from", "limesurvey", "--slug", "x"],
        ["--from", "surveyjs", "--slug", "x"],
    ],
)
def test_the_command_refuses_what_it_cannot_do(tmp_path: Path, options: list[str]) -> None:
    path = tmp_path / "nothing.xml"
    path.write_bytes(b"<document/>")
    with pytest.raises(CommandError):
        call_command("import_survey", str(path), *options)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_survey", str(tmp_path / "none"), "--from", "surveyjs", "--slug", "x")
    assert not Survey.objects.exists()
