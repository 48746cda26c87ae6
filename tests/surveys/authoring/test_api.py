"""Requests and responses between the builder's page and the server, and locations in a draft."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from privacy.risk.design_audit import scale_audit
from surveys.authoring.api import budget_state
from surveys.authoring.builder_texts import builder_texts
from surveys.authoring.drafts import draft_create
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.errors.error import short_json
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.definition import definition_read
from surveys.respondent.client_program import client
from tests.conftest import ROOT
from tests.fixtures.devices import shipped_definition
from tests.fixtures.everyday import everyday_definition
from tests.fixtures.rotating_drafts import rotating_document

pytestmark = pytest.mark.django_db

BUILD = "/en/staff/surveys/work/build/"


@pytest.fixture
def survey() -> Survey:
    return draft_create(shipped_definition(), slug="work", source="scratch", by="ana", now=timezone.now())


def post(client: Client, address: str, asked: Any, **options: Any) -> Any:
    body = asked if isinstance(asked, str) else json.dumps(asked)
    return client.post(BUILD + address, body, **{"content_type": "application/json", **options})


def test_draft_responses_include_problems_and_privacy_bounds(staff: Client, survey: Survey) -> None:
    draft = staff.get(BUILD + "draft").json()
    assert (draft["survey"], draft["state"], draft["revision"], draft["published"]) == ("work", "draft", 1, 0)
    assert (draft["saved_by"], draft["can_save"], draft["problems"]) == ("ana", True, [])
    assert draft["document"] == survey.definition
    # By hand: p = .5, four yes/no questions, a random skip with probability .0589.
    silence, pressure = draft["budget"]["blocks"]
    assert (silence["path"], silence["key"]) == ("blocks[1]", "silence")
    assert silence["amplification"] == pytest.approx(1 + 0.5 / (0.5 * (1 - 0.0589) / 16))
    assert pressure["amplification"] == pytest.approx(1 + 0.5 / (0.5 * 0.75 * 0.33))
    assert draft["budget"]["epsilon"] == pytest.approx(silence["epsilon"] + pressure["epsilon"])
    assert draft["budget"]["open_questions"] == 5


def test_rotating_blocks_are_offered_the_available_balanced_lists(staff: Client, survey: Survey) -> None:
    budget = post(staff, "check", {"document": rotating_document()}).json()["budget"]
    ten, *others = budget["blocks"]
    sets = ten["sets"]
    assert (sets["questions"], sets["per_person"], sets["all"]) == (10, 4, 210)
    assert [(one["together"], len(one["booklets"])) for one in sets["lists"]] == [(2, 15), (3, 30)]
    assert sets["lists"][1]["booklets"] == rotating_document()["blocks"][0]["booklets"]
    assert not any("sets" in block for block in others)


@pytest.mark.soak
def test_saving_returns_the_new_revision_and_problems_by_path(staff: Client, survey: Survey) -> None:
    document = {**survey.definition, "blocks": [*survey.definition["blocks"]]}
    document["title"] = {"en": "New", "zh-hans": ""}
    answer = post(staff, "save", {"revision": 1, "document": document})
    assert answer.status_code == 200
    saved = answer.json()
    assert (saved["revision"], saved["title"]) == (2, "New")
    assert "document" not in saved
    assert [problem["path"] for problem in saved["problems"]] == ["title.zh-hans"]
    assert all(problem["message"] and problem["remedy"] for problem in saved["problems"])
    # Although a text has a problem, the response reports the privacy cost of each block.
    assert len(saved["budget"]["blocks"]) == 2
    survey.refresh_from_db()
    assert survey.definition == document
    assert AuditEvent.objects.latest("pk").actor == "ana"


@pytest.mark.soak
def test_conflicting_saves_return_the_draft_saved_first(staff: Client, survey: Survey) -> None:
    first = {**survey.definition, "practice": True}
    assert post(staff, "save", {"revision": 1, "document": first}).status_code == 200
    answer = post(staff, "save", {"revision": 1, "document": {"mine": True}})
    assert answer.status_code == 409
    refusal = answer.json()
    assert (refusal["error"], refusal["revision"], refusal["saved_by"]) == ("revision", 2, "ana")
    assert refusal["document"] == first
    assert refusal["message"]
    assert refusal["remedy"]
    assert post(staff, "save", {"revision": 2, "document": {"mine": True}}).json()["revision"] == 3


@pytest.mark.soak
def test_checking_reports_problems_and_saves_nothing(staff: Client, survey: Survey) -> None:
    answer = post(staff, "check", {"document": {**survey.definition, "blocks": []}}).json()
    assert [problem["path"] for problem in answer["problems"]] == ["blocks"]
    assert answer["budget"]["blocks"] == []
    survey.refresh_from_db()
    assert survey.revision == 1


def test_a_save_that_replaces_the_draft_keeps_the_one_before(staff: Client, survey: Survey) -> None:
    """After Undo, the undone draft used to be missing from the earlier saves, unless a minute had passed."""
    for revision, title in enumerate(("A", "B"), start=1):
        post(staff, "save", {"revision": revision, "document": {**survey.definition, "title": {"en": title}}})
    assert survey.draft_revisions.count() == 1
    post(staff, "save", {"revision": 3, "document": survey.definition, "replaces": True})
    saves = [save.definition["title"] for save in survey.draft_revisions.all()]
    assert saves == [survey.definition["title"], {"en": "B"}]
    assert post(staff, "save", {"revision": 4, "document": {}, "replaces": 1}).json()["error"] == "shape"


def test_an_unprotective_probability_has_an_unbounded_epsilon(staff: Client, survey: Survey) -> None:
    document = survey.definition
    document["blocks"][1]["truth_probability"] = 10_000
    answer = post(staff, "check", {"document": document}).json()
    assert answer["problems"][0]["path"] == "blocks[1].truth_probability"
    assert answer["budget"]["epsilon"] is None
    assert answer["budget"]["blocks"][0]["epsilon"] is None


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{", 400, "json"),
        ("\x00", 400, "json"),
        ('{"revision": 1, "revision": 1}', 400, "json"),
        ('{"revision": NaN}', 400, "json"),
        ("[" * 5000, 400, "json"),
        ("[]", 400, "shape"),
        ("{}", 400, "shape"),
        ('{"revision": 1, "document": {}, "slug": "a", "more": 1}', 400, "shape"),
        (" " * 2_000_001, 413, "too_large"),
    ],
)
def test_malformed_requests_are_rejected(
    staff: Client, survey: Survey, body: str, status: int, code: str
) -> None:
    for address in ("save", "check", "rename"):
        answer = post(staff, address, body)
        assert (answer.status_code, answer.json()["error"]) == (status, code)
        assert answer.json()["message"]
        assert answer.json()["remedy"]
    survey.refresh_from_db()
    assert survey.revision == 1


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"revision": "1", "document": {}}, "shape"),
        ({"revision": True, "document": {}}, "shape"),
        ({"revision": 1, "document": []}, "shape"),
        ({"revision": 1, "document": {"text": "\x00"}}, "json"),
        ({"revision": 1, "document": {"text": "\ud800"}}, "json"),
    ],
)
def test_fields_of_the_wrong_type_are_rejected(staff: Client, survey: Survey, asked: Any, code: str) -> None:
    answer = post(staff, "save", asked)
    assert (answer.status_code, answer.json()["error"]) == (400, code)


def test_other_content_types_are_rejected(staff: Client, survey: Survey) -> None:
    answer = post(staff, "save", "revision=1", content_type="application/x-www-form-urlencoded")
    assert (answer.status_code, answer.json()["error"]) == (415, "content_type")


def test_closed_surveys_reject_drafts(staff: Client, survey: Survey) -> None:
    survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)
    survey_close(survey, by="ana", now=timezone.now())
    answer = post(staff, "save", {"revision": 1, "document": {}})
    assert (answer.status_code, answer.json()["error"]) == (409, "closed")
    draft = staff.get(BUILD + "draft").json()
    assert (draft["can_save"], draft["state"], draft["published"]) == (False, "closed", 1)


def test_renaming_redirects_to_the_builder_at_the_new_address(staff: Client, survey: Survey) -> None:
    answer = post(staff, "rename", {"revision": 1, "slug": "play"}).json()
    assert answer == {"survey": "play", "revision": 2, "builder": "/en/staff/surveys/play/build/"}
    assert staff.get(BUILD + "draft").status_code == 404


def test_messages_use_the_language_of_the_url(staff: Client, survey: Survey) -> None:
    answer = staff.post(BUILD.replace("/en/", "/zh-hans/") + "save", "{}", content_type="application/json")
    assert answer.headers["Content-Language"] == "zh-hans"


def test_truncated_quotations_keep_their_closing_quote() -> None:
    assert short_json("a" * 99) == f'"{"a" * 59}..."'
    assert short_json(["a" * 99]).endswith("a...")


@pytest.mark.slow
@pytest.mark.parametrize("refusal", [True, 8_000])
@pytest.mark.parametrize("place", [3, 5], ids=["number", "place"])
def test_audit_and_budget_report_answers_lost_to_skips(place: int, refusal: int) -> None:
    document = everyday_definition()
    document["blocks"][place]["refusal"] = refusal
    reading = definition_read(document)
    _path, block = reading.blocks[place]
    assert block.skipping is not None
    lost = scale_audit(block).lost
    assert lost == pytest.approx(float(block.skipping.skip_probability))
    (entry,) = (
        each for each in budget_state(Survey(slug="day"), reading)["blocks"] if each["key"] == block.key
    )
    assert entry["lost"] == pytest.approx(lost)


def test_partly_exact_places_are_excluded_from_the_epsilon_total() -> None:
    state = budget_state(Survey(slug="day"), definition_read(everyday_definition()))
    apart = [block for block in state["blocks"] if block["exact_outside"]]
    assert [block["key"] for block in apart] == ["places"]
    summed = sum(block["epsilon"] for block in state["blocks"] if not block["exact_outside"])
    assert state["epsilon"] == pytest.approx(summed)


SCRIPTS = Path(ROOT, "surveys", "static", "surveys", "js")
BY_NAME = re.compile(r"texts\.(\w+)")
BY_PATTERN = re.compile(r"(?:texts\[|, )`([a-z_]*\$\{[^`]+)`")
ENDINGS = re.compile(r"\$\{[^}]+\}")
# A call of `Field` has the path that it edits, and the name of its label.
LABELS = re.compile(r"Field\(\s*app,\s*(?:\[[^\]]*\]|[\w.\"]+),\s*\"(\w+)\"")


def whole() -> str:
    # The builder shows the same picture of the odds as the respondent's page.
    scripts = [*sorted((SCRIPTS / "authoring").glob("*.js")), SCRIPTS / "promise.js"]
    return "".join(script.read_text(encoding="utf-8") for script in scripts)


def test_all_texts_named_in_builder_scripts_exist() -> None:
    named = set(BY_NAME.findall(whole()))
    labels = set(LABELS.findall(whole()))
    assert (len(named) > 100, len(labels) > 25) == (True, True)
    assert (named | labels) - builder_texts().keys() == set()


def test_every_builder_text_is_used() -> None:
    source = whole()
    # Includes names in conditional expressions, and hints below fields.
    named = set(BY_NAME.findall(source)) | set(re.findall(r'"(\w+)"', source))
    patterns = [ENDINGS.sub(".*", pattern) for pattern in BY_PATTERN.findall(source)]
    unused = [
        key
        for key in builder_texts()
        if not named & {key, re.sub("_(hint|about)$", "", key)}
        and not any(re.fullmatch(pattern, key) for pattern in patterns)
    ]
    assert unused == []


@pytest.mark.soak
def test_respondent_scripts_can_load_in_a_sandboxed_frame() -> None:
    files = client().program
    assert files
    for file in files:
        assert Client().get(file.url).headers["Access-Control-Allow-Origin"] == "*"
