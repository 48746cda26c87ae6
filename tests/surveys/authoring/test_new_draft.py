import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from surveys.models import AuditEvent, Survey
from tests.fixtures.devices import shipped_definition
from tests.fixtures.drafts import another_draft, new_draft, start_survey
from tests.fixtures.workbooks import form, repacked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]


STAFF = "/en/staff/"


WORK = "/en/staff/surveys/work/"


def upload(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("survey", content)


def called(values: dict[str, Any]) -> dict[str, Any]:
    """Make the files of a test; they can be read once."""
    return {name: value() if callable(value) else value for name, value in values.items()}


def survey_now() -> Survey:
    return Survey.objects.get(slug="work")


@pytest.mark.soak
def test_the_new_survey_page_lists_templates_and_surveys(staff: Client) -> None:
    new_draft("older")
    page = staff.get(STAFF + "surveys/new")
    assert page.status_code == 200
    for said in ("Speaking up at work", "Clean sport", "older"):
        assert said in page.content.decode()


@pytest.mark.soak
def test_an_imported_definition_keeps_its_address_if_that_is_free(staff: Client) -> None:
    file = json.dumps(shipped_definition(slug="officials")).encode()
    answers = [start_survey(staff, "definition", slug="", file=upload(file))]
    answers.append(another_draft(staff, start_survey(staff, "definition", slug="", file=upload(file))))
    assert [answer.headers["Location"].split("/")[-3] for answer in answers] == ["officials", "officials-2"]
    invalid = json.dumps(shipped_definition(slug="Not a name", title={"en": "By title"})).encode()
    answer = start_survey(staff, "definition", slug="", file=upload(invalid))
    assert "/by-title/" in answer.headers["Location"]


@pytest.mark.parametrize("content", [{"title": "Health", "fields": []}, [{"type": "radio"}]])
def test_json_of_another_program_is_named(staff: Client, content: object) -> None:
    answer = start_survey(staff, "definition", slug="", file=upload(json.dumps(content).encode()))
    assert answer.status_code == 422
    assert "this is a file of another program (JSON), which cannot be read here" in answer.content.decode()


@pytest.mark.soak
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
    answer = start_survey(staff, source, **called(values))
    if source == "xlsform":
        sent = {"questionnaire": answer.context["token"], "how-0": "protect"}
        answer = staff.post("/en/staff/surveys/new/import", sent)
    # A file that stores questions as answered is followed by the list of these, and an empty survey by the
    # builder: it has nothing to plan, and the plan used to begin with an error.
    following = {"definition": "build/readable", "scratch": "build/"}.get(source, "plan")
    assert answer.headers["Location"] == WORK + following
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
        ("text", {}, "pasted"),
        ("text", {"pasted": " \n"}, "pasted"),
        ("text", {"pasted": "Sleep", "file": lambda: upload(b"Sleep")}, "file"),
        ("template", {"template": "doping", "pasted": "1. Do you dope?"}, "pasted"),
        ("scratch", {"title": "Sleep", "pasted": "1. Do you sleep?"}, "pasted"),
        ("scratch", {"title": "Sleep", "file": lambda: upload(b"1. Do you sleep?")}, "file"),
        ("template", {"template": "doping", "file": lambda: upload(b"1. Do you dope?")}, "file"),
        ("template", {"template": "doping", "title": "Clean sport"}, "title"),
        ("text", {"pasted": "1. Do you sleep?", "title": "Sleep"}, "title"),
        ("scratch", {"title": "Sleep", "slug": "No address"}, "slug"),
        ("scratch", {"title": "Sleep", "slug": "older"}, "slug"),
    ],
)
def test_missing_and_invalid_fields_show_their_error(
    staff: Client, source: str, values: dict[str, Any], field: str
) -> None:
    new_draft("older")
    page = start_survey(staff, source, **called(values))
    assert page.status_code == 422
    assert field in page.context["form"].errors
    assert Survey.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "line 1, column 2"),
        (b'{"other": 1}', "a file of another program (JSON)"),
        (b'{"blocks": []}', "not a definition"),
        (b'{"sottovoce": "\\u0000"}', "control"),
        (b"PK\x03\x04PK\x05\x06", "a ZIP file"),
        (form(survey=[]), "this is a sheet of an XLSForm"),
        (repacked(form(), lambda parts: parts.update({"bomb": b"\x00" * 20_000_001})), "unpacks to"),
        (b"%PDF-1.7", "copy all of its text"),
        (b" ", "this file is empty"),
        ("Schläfst du?".encode("latin-1"), "not text in UTF-8"),
    ],
)
def test_problems_with_an_uploaded_file_are_listed(staff: Client, content: bytes, says: str) -> None:
    page = start_survey(staff, "file", file=upload(content))
    assert page.status_code == 422
    assert any(says in str(problem) for problem in page.context["file_problems"])
    assert says in page.content.decode()
    assert not Survey.objects.exists()


@pytest.mark.soak
def test_a_missing_address_is_derived_from_the_title(staff: Client) -> None:
    for title in ("Sleep at night?", "Sleep at night!"):
        start_survey(staff, "scratch", title=title, slug="")
    assert set(Survey.objects.values_list("slug", flat=True)) == {"sleep-at-night", "sleep-at-night-2"}


def test_oversized_files_are_rejected_unread(staff: Client) -> None:
    page = start_survey(staff, "definition", file=upload(b" " * 2_000_001))
    assert "2,000,001" in page.context["form"].errors["file"][0]


@pytest.mark.soak
def test_a_text_file_is_read_like_a_pasted_text(staff: Client) -> None:
    text = "Sleep\r\n1. Do you sleep badly?\r\n"
    answer = start_survey(staff, "file", file=upload(text.encode("utf-16")), slug="")
    assert answer.headers["Location"] == STAFF + "surveys/sleep/plan"
    assert Survey.objects.get().draft_revisions.get().pasted == text


@pytest.mark.soak
def test_a_text_file_without_questions_is_shown_in_the_box(staff: Client) -> None:
    page = start_survey(staff, "file", file=upload(b"Only a title"))
    assert page.status_code == 422
    assert "Only a title</textarea>" in page.content.decode()
    assert not Survey.objects.exists()


def test_the_enter_key_in_the_title_starts_an_empty_survey(staff: Client) -> None:
    """A browser presses the first button of the form, *Create draft*."""
    answer = staff.post(STAFF + "surveys/new", {"make": "1", "pasted": "", "title": "Sleep"})
    assert answer.headers["Location"] == STAFF + "surveys/sleep/build/"


def test_a_refused_address_keeps_the_text_and_its_reading(staff: Client) -> None:
    new_draft("older")
    page = staff.post(STAFF + "surveys/new", {"make": "1", "pasted": "Sleep\n1. Do you?", "slug": "older"})
    assert page.status_code == 422
    assert "1. Do you?</textarea>" in page.content.decode()
    assert page.context["counts"] == "1 question, 1 of them protected"


def check(client: Client, **values: Any) -> Any:
    """Press *Check the text* as a browser does: the result has an address."""
    return client.post(STAFF + "surveys/new", {"read": "1", "at_address": "1", **values}, follow=True)


def test_check_the_text_reads_a_chosen_file_into_the_box(staff: Client) -> None:
    """The button used to lose the file, and showed the empty page again."""
    page = check(staff, file=upload(b"Sleep\n1. Do you sleep badly?")).content.decode()
    assert "1. Do you sleep badly?</textarea>" in page
    assert "The text of “survey” is now in the box." in page
    assert "1 question, 1 of them protected" in page
    assert not Survey.objects.exists()


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({}, "Paste or write your questions, or choose a file."),
        ({"title": "Sleep"}, "Paste or write your questions, or choose a file."),
        (
            {"pasted": "Sleep", "file": lambda: upload(b"1. Do you sleep?")},
            "The box also contains a text, so this file was not read.",
        ),
        ({"file": lambda: upload(json.dumps(shipped_definition()).encode())}, "is a complete survey"),
        ({"file": lambda: upload(b"%PDF-1.7")}, "copy all of its text"),
    ],
)
def test_check_the_text_says_what_it_did_not_read(staff: Client, values: dict[str, Any], says: str) -> None:
    page = check(staff, **called(values))
    assert page.status_code == 422
    assert says in page.content.decode()
    assert not Survey.objects.exists()


def test_check_the_text_creates_no_survey_from_a_form(staff: Client) -> None:
    page = check(staff, file=upload(form()))
    assert page.request["PATH_INFO"] == STAFF + "surveys/new/import"
    assert not Survey.objects.exists()


def test_an_empty_survey_has_the_chosen_languages(staff: Client) -> None:
    """Before, they were dropped."""
    start_survey(staff, "scratch", title="Schlaf", first="de", second="fr")
    assert survey_now().definition["languages"] == ["de", "fr"]
