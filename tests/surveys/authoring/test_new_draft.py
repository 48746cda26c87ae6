import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from surveys.models import AuditEvent, Survey
from tests.fixtures.devices import shipped_definition
from tests.fixtures.drafts import new_draft
from tests.fixtures.workbooks import form, repacked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]


STAFF = "/en/staff/"


WORK = "/en/staff/surveys/work/"


def new(client: Client, source: str, **values: Any) -> Any:
    return client.post(STAFF + "surveys/new", {"source": source, "slug": "work", **values})


def upload(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("survey", content)


def survey_now() -> Survey:
    return Survey.objects.get(slug="work")


def test_the_new_survey_page_lists_templates_and_surveys(staff: Client) -> None:
    new_draft("older")
    page = staff.get(STAFF + "surveys/new")
    assert page.status_code == 200
    for said in ("Speaking up at work", "Clean sport", "older"):
        assert said in page.content.decode()


def test_an_imported_definition_keeps_its_address_if_that_is_free(staff: Client) -> None:
    file = json.dumps(shipped_definition(slug="officials")).encode()
    answers = [new(staff, "definition", slug="", file=upload(file)) for _ in range(2)]
    assert [answer.headers["Location"].split("/")[-3] for answer in answers] == ["officials", "officials-2"]
    invalid = json.dumps(shipped_definition(slug="Not a name", title={"en": "By title"})).encode()
    answer = new(staff, "definition", slug="", file=upload(invalid))
    assert "/by-title/" in answer.headers["Location"]


@pytest.mark.parametrize(
    ("source", "values", "first_block"),
    [
        ("scratch", {"title": "Sleep"}, None),
        ("template", {"template": "doping"}, "sport"),
        ("duplicate", {"survey": "older"}, "work"),
        ("definition", {"file": lambda: upload(json.dumps(shipped_definition()).encode())}, "work"),
        ("xlsform", {"file": lambda: upload(form())}, "work"),
    ],
)
def test_a_survey_can_start_from_each_source(
    staff: Client, source: str, values: dict[str, Any], first_block: str | None
) -> None:
    new_draft("older")
    values = {name: value() if isinstance(value, Callable) else value for name, value in values.items()}  # type: ignore[arg-type]  # a callable
    answer = new(staff, source, **values)
    if source == "xlsform":
        sent = {"questionnaire": answer.context["token"], "how-0": "protect"}
        answer = staff.post("/en/staff/surveys/new/import", sent)
    # A file that stores questions as answered is followed by the list of these.
    assert answer.headers["Location"] == WORK + ("build/readable" if source == "definition" else "plan")
    document = survey_now().definition
    assert document["slug"] == "work"
    assert [block["key"] for block in document["blocks"]][:1] == ([first_block] if first_block else [])
    assert staff.get(WORK + "build/").status_code == 200
    event = AuditEvent.objects.latest("pk")
    assert (event.actor, event.action) == ("ana", "draft_create")


@pytest.mark.parametrize(
    ("source", "values", "field"),
    [
        ("scratch", {}, "title"),
        ("template", {}, "template"),
        ("template", {"template": "secret"}, "template"),
        ("duplicate", {}, "survey"),
        ("duplicate", {"survey": "nowhere"}, "survey"),
        ("definition", {}, "file"),
        ("xlsform", {}, "file"),
        ("elsewhere", {}, "source"),
        ("scratch", {"title": "Sleep", "slug": "No address"}, "slug"),
        ("scratch", {"title": "Sleep", "slug": "older"}, "slug"),
    ],
)
def test_missing_and_invalid_fields_show_their_error(
    staff: Client, source: str, values: dict[str, Any], field: str
) -> None:
    new_draft("older")
    page = new(staff, source, **values)
    assert page.status_code == 422
    assert field in page.context["form"].errors
    assert Survey.objects.count() == 1


@pytest.mark.parametrize(
    ("source", "content", "says"),
    [
        ("definition", b"{", "line 1, column 2"),
        ("definition", b"[]", "not a definition"),
        ("definition", b'{"other": 1}', "not a definition"),
        ("definition", b'{"sottovoce": "\\u0000"}', "control"),
        ("xlsform", b"{}", "not a workbook"),
        ("xlsform", form(survey=[]), "must have a sheet named"),
        (
            "xlsform",
            repacked(form(), lambda parts: parts.update({"bomb": b"\x00" * 20_000_001})),
            "unpacks to",
        ),
    ],
)
def test_problems_with_an_uploaded_file_are_listed(
    staff: Client, source: str, content: bytes, says: str
) -> None:
    page = new(staff, source, file=upload(content))
    assert page.status_code == 422
    assert any(says in str(problem) for problem in page.context["problems"])
    assert says in page.content.decode()
    assert not Survey.objects.exists()


def test_a_missing_address_is_derived_from_the_title(staff: Client) -> None:
    for slug in ("sleep-at-night", "sleep-at-night-2"):
        page = new(staff, "scratch", title="Sleep at night?", slug="")
        assert page.headers["Location"] == f"{STAFF}surveys/{slug}/plan"


def test_oversized_files_are_rejected_unread(staff: Client) -> None:
    page = new(staff, "definition", file=upload(b" " * 2_000_001))
    assert "2,000,001" in page.context["form"].errors["file"][0]
