"""The builder's pages, from a new survey to a closed one."""

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from mining.frames.survey import Survey as LibrarySurvey
from privacy.errors import PrivacyError
from surveys.authoring.drafts import draft_create, draft_save
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.models import AuditEvent, Receipt, Survey
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.devices import shipped_definition
from tests.fixtures.drafts import new_draft, published_survey
from tests.fixtures.workbooks import SURVEY, form, repacked

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
        ("xlsform", form(survey=[*SURVEY, ["select_one nowhere", "q"]]), "not in choices sheet"),
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


def test_the_builder_shows_import_losses(staff: Client) -> None:
    report = new(staff, "xlsform", file=upload(form(survey=[*SURVEY, ["text", "why", "Why?"]])))
    assert not Survey.objects.exists()
    sent = {"questionnaire": report.context["token"], "how-0": "keep"}
    staff.post("/en/staff/surveys/new/import", sent)
    assert "survey, row 11, column type: text" in staff.get(WORK + "build/").content.decode()


def test_exported_definitions_match_the_document_and_reimport_unchanged(staff: Client) -> None:
    document = {**shipped_definition(slug="work"), "half": ["done", None, "水"]}
    draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())
    file = staff.get(WORK + "build/export.json")
    assert file.headers["Content-Disposition"] == 'attachment; filename="work.json"'
    assert json.loads(file.content) == document
    answer = new(staff, "definition", slug="again", file=upload(file.content))
    assert answer.status_code == 302
    assert Survey.objects.get(slug="again").definition == {**document, "slug": "again"}


def test_the_library_reads_exported_designs_as_published(staff: Client) -> None:
    survey = new_draft()
    exported = json.loads(staff.get("/en/staff/surveys/work/build/design.json").content)
    version = survey_publish(survey, by="ana", now=timezone.now(), reason="A test.", is_readable_seen=True)
    assert exported == version.design
    assert LibrarySurvey.of(exported).design.design_id == version.design_id
    # The library does not read the survey's definition, only its design.
    with pytest.raises(PrivacyError, match="has the wrong shape"):
        LibrarySurvey.of(survey.definition)
    Survey.objects.update(definition={"sotto": 1})
    assert staff.get("/en/staff/surveys/work/build/design.json").status_code == 302


def test_the_publish_page_shows_changes_before_publishing(staff: Client) -> None:
    survey = published_survey()
    document = {**survey.definition, "title": {"en": "Said", "zh-hans": "说"}}
    draft_save(survey, document, revision=1, by="ana", now=timezone.now())
    page = staff.get(WORK + "publish")
    assert (page.context["number"], page.context["revision"]) == (2, 2)
    assert "title (en): Speaking up at work becomes Said" in [
        change.text for change in page.context["changes"]
    ]
    assert "Said" in page.content.decode()
    assert staff.post(WORK + "publish", {"revision": 2, "readable": "on"}).headers["Location"] == WORK
    assert survey.versions.count() == 2
    assert AuditEvent.objects.latest("pk").actor == "ana"


@pytest.mark.parametrize("is_design", [True, False])
def test_design_changes_state_how_many_answers_form_a_separate_report(staff: Client, is_design: bool) -> None:
    """Numbers are rounded to tens while the survey is open; a new wording separates no answers."""
    survey = published_survey()
    block = survey.definition["blocks"][1]
    change = (
        {"truth_probability": block["truth_probability"] - 100} if is_design else {"title": {"en": "New"}}
    )
    changed = {**survey.definition, "blocks": [survey.definition["blocks"][0], {**block, **change}]}
    draft_save(survey, changed, revision=survey.revision, by="ana", now=timezone.now())

    def said() -> str:
        return " ".join(staff.get(WORK + "publish").content.decode().split())

    assert "answers so far form a separate report" not in said()
    Receipt.objects.bulk_create(
        Receipt(survey=survey, key=bytes([number]) * 16, digest=bytes(32)) for number in range(148)
    )
    Receipt.objects.create(survey=survey, key=bytes([200]) * 16, digest=None)
    assert ("Your ≈ 150 answers so far form a separate report." in said()) is is_design


def test_the_publish_page_shows_epsilon_for_both_strengths(staff: Client) -> None:
    work = protected("work", yes_no("lie"), p=2500, light=5000)
    document = document_of(work, group={"policy": "choice", "light": True})
    draft_create(document, slug="checked", source="scratch", by="ana", now=timezone.now())
    text = " ".join(staff.get(STAFF + "surveys/checked/publish").content.decode().split())
    # The epsilons are ln 5/3 and ln 3.
    assert "ε 0.51 in all <br>For a lightly disguised respondent: ε 1.10." in text


@pytest.mark.parametrize(
    ("change", "asked", "status"),
    [
        ({}, {"revision": 0}, 409),
        ({}, {}, 422),
        ({}, {"revision": "one"}, 422),
        ({}, {"revision": 1, "reason": "…"}, 422),
        ({}, {"revision": 1, "reason": "so " * 1_000}, 422),
        ({"about": {}}, {"revision": 1}, 422),
        ({"closes_at": "2021"}, {"revision": 1}, 422),
        ({"closes_at": "2021-01-01T00:00"}, {"revision": 1}, 409),
    ],
)
def test_rejected_publication_keeps_the_written_reason_on_the_page(
    staff: Client, change: dict[str, Any], asked: dict[str, Any], status: int
) -> None:
    document = shipped_definition(**change)
    for block in document["blocks"]:
        if block["protected"]:
            block["truth_probability"] = 9_900
    draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())
    reason = "The board <asked> for it, see 17/3."
    page = staff.post(WORK + "publish", {"reason": reason, "readable": "on"} | asked)
    assert page.status_code == status
    assert survey_now().state == "draft"
    refusal, said = page.context["refusal"], page.content.decode()
    assert (refusal is not None) == (status == 409)
    assert refusal is None or refusal.message[1:] in said
    written = re.search(r'<textarea id="reason"[^>]*>(.*?)</textarea>', said, re.DOTALL)
    assert written
    assert html.unescape(written[1]) == asked.get("reason", reason)


@pytest.mark.parametrize("is_closed", [False, True])
def test_reasons_no_longer_required_can_still_be_copied(staff: Client, is_closed: bool) -> None:
    """Meanwhile a colleague fixed the draft, or closed the survey."""
    survey = published_survey()
    if is_closed:
        survey_close(survey, by="ben", now=timezone.now(), at_once=True)
    reason = "The board <asked> for it, see 17/3."
    page = staff.post(WORK + "publish", {"reason": reason, "revision": 0, "readable": "on"})
    assert page.status_code == 409
    assert not page.context["refused"]
    (field,) = re.findall(r'<textarea id="reason"([^>]*)>(.*?)</textarea>', page.content.decode(), re.DOTALL)
    assert "readonly" in field[0]
    assert html.unescape(field[1]) == reason


def test_making_a_practice_survey_live_creates_a_draft_without_answers(staff: Client) -> None:
    practised = published_survey(practice=True)
    assert "Make it live" in staff.get(WORK).content.decode()
    made_live = staff.post(WORK + "make-live")
    assert made_live.headers["Location"] == "/en/staff/surveys/work-live/build/"
    live = Survey.objects.get(slug="work-live")
    assert (live.practice, live.state) == (False, Survey.State.DRAFT)
    assert {**live.definition, "slug": "work", "practice": True} == practised.definition
    assert AuditEvent.objects.filter(target="work-live", detail__source="survey work").exists()
    # A second request creates another draft, and the practice survey continues.
    staff.post(WORK + "make-live")
    assert Survey.objects.filter(slug="work-live-2").exists()
    assert survey_now().state == Survey.State.OPEN
    assert "Make it live" not in staff.get("/en/staff/surveys/work-live/").content.decode()


def test_addresses_of_surveys_made_live_fit_the_length_limit(staff: Client) -> None:
    slug = "w" * 50
    survey = new_draft(slug=slug, practice=True)
    survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)
    staff.post(f"/en/staff/surveys/{slug}/make-live")
    staff.post(f"/en/staff/surveys/{slug}/make-live")
    names = set(Survey.objects.values_list("slug", flat=True)) - {slug}
    assert {len(name) for name in names} == {50}
    assert len(names) == 2


def test_live_surveys_cannot_be_made_live_again(staff: Client) -> None:
    published_survey()
    assert staff.post(WORK + "make-live").headers["Location"] == WORK
    assert "not a practice survey" in staff.get(WORK).content.decode()
    assert Survey.objects.count() == 1


def test_the_close_page_can_end_the_grace_period_once(staff: Client) -> None:
    published_survey()
    named = {"confirm": "work"}
    staff.post(WORK + "close", named)
    assert staff.post(WORK + "close", named).status_code == 409
    asked = staff.get(WORK + "close").content.decode()
    assert "Stop accepting answers" in asked
    assert "Close the survey" not in asked
    assert staff.post(WORK + "close", {"at_once": "on"} | named).headers["Location"] == WORK
    assert survey_now().settled
    assert "Nothing is left to close" in staff.get(WORK + "close").content.decode()
    nothing = staff.get(WORK + "publish").content.decode()
    assert "The survey is closed and cannot be opened again." in nothing
    assert 'type="submit">Publish' not in nothing


@pytest.mark.parametrize(
    ("practice", "answers", "asked", "settled"),
    [
        (False, 1, {}, None),
        (False, 1, {"at_once": "on"}, None),
        (False, 1, {"at_once": "on", "confirm": "other"}, None),
        (False, 1, {"confirm": "work"}, False),
        (False, 1, {"at_once": "on", "confirm": "work"}, True),
        # Whether anyone has answered must not be visible.
        (False, 0, {"at_once": "on"}, None),
        (True, 1, {"at_once": "on"}, True),
        (True, 1, {}, True),
    ],
)
def test_closing_a_live_survey_asks_for_its_address(
    staff: Client, practice: bool, answers: int, asked: dict[str, str], settled: bool | None
) -> None:
    published_survey(practice=practice)
    Receipt.objects.bulk_create(
        Receipt(survey=survey_now(), key=bytes(16), digest=bytes(32)) for _ in range(answers)
    )
    assert staff.get(WORK + "close").content.decode().count('id="id_confirm"') == (not practice)
    answer = staff.post(WORK + "close", asked)
    if settled is None:
        assert answer.status_code == 422
        assert "confirm" in answer.context["form"].errors
        assert survey_now().state == "open"
    else:
        assert answer.status_code == 302
        assert (survey_now().state, survey_now().settled) == ("closed", settled)


def test_drafts_can_be_deleted_but_published_surveys_cannot(staff: Client) -> None:
    new_draft()
    assert staff.get(WORK + "build/delete").status_code == 200
    assert staff.post(WORK + "build/delete").headers["Location"] == STAFF
    assert not Survey.objects.exists()
    assert AuditEvent.objects.filter(actor="ana", action="draft_delete", target="work").count() == 1
    published_survey()
    assert staff.post(WORK + "build/delete").status_code == 409
    assert survey_now().state == "open"


@pytest.mark.parametrize(
    ("source", "values"), [("scratch", {"title": "Sleep"}), ("template", {"template": "drugs"})]
)
def test_new_drafts_start_in_practice_and_can_go_live(
    staff: Client, source: str, values: dict[str, Any]
) -> None:
    new(staff, source, **values)
    assert survey_now().practice
    answer = staff.post(WORK + "make-live")
    assert answer.headers["Location"] == WORK + "publish"
    survey = survey_now()
    assert (survey.practice, survey.definition["practice"]) == (False, False)
    assert Survey.objects.count() == 1
