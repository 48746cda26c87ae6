import html
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.drafts import draft_create, draft_save
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.authoring.survey_address import NEUTRAL
from surveys.models import AuditEvent, PublishOverride, Receipt, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.readable import readable_questions
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.devices import shipped_definition
from tests.fixtures.drafts import another_draft, new_draft, published_survey, start_survey

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]


STAFF = "/en/staff/"


WORK = "/en/staff/surveys/work/"


def survey_now() -> Survey:
    return Survey.objects.get(slug="work")


@pytest.mark.soak
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


@pytest.mark.soak
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
        ({}, {"revision": 1, "reason": "so\0so"}, 422),
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
    said = page.content.decode()
    assert 'role="alert"' in said or 'class="error"' in said or page.context["problems"]
    if status == 409:
        assert page.context["refusal"].message[1:] in said
    written = re.search(r"<textarea[^>]*>(.*?)</textarea>", said, re.DOTALL)
    assert written
    assert html.unescape(written[1]) == asked.get("reason", reason)
    is_long = len(asked.get("reason", reason)) > 2_000
    assert (
        "The text has 2,999 characters; at most 2,000 are possible. Shorten it by 999." in said
    ) == is_long


@pytest.mark.soak
@pytest.mark.parametrize("is_closed", [False, True])
def test_reasons_no_longer_required_can_still_be_copied(staff: Client, is_closed: bool) -> None:
    """Meanwhile a colleague fixed the draft, or closed the survey."""
    survey = published_survey()
    if is_closed:
        survey_close(survey, by="ben", now=timezone.now(), at_once=True)
    reason = "The board <asked> for it, see 17/3."
    page = staff.post(WORK + "publish", {"reason": reason, "revision": 0, "readable": "on"})
    assert page.status_code == 409
    assert is_closed or not page.context["refused"]
    (field,) = re.findall(r"<textarea([^>]*)>(.*?)</textarea>", page.content.decode(), re.DOTALL)
    assert "readonly" in field[0]
    assert html.unescape(field[1]) == reason


def test_a_reason_that_is_not_needed_is_ignored_even_if_it_is_too_long(staff: Client) -> None:
    survey = new_draft()
    asked = {"reason": "so " * 1_000, "revision": survey.revision, "readable": "on"}
    assert staff.post(WORK + "publish", asked).headers["Location"] == WORK
    assert not PublishOverride.objects.exists()


@pytest.mark.soak
def test_making_a_practice_survey_live_creates_a_draft_without_answers(staff: Client) -> None:
    practised = published_survey(practice=True)
    assert "Make it live" in staff.get(WORK).content.decode()
    made_live = staff.post(WORK + "make-live")
    assert made_live.headers["Location"] == "/en/staff/surveys/work-live/build/"
    live = Survey.objects.get(slug="work-live")
    assert (live.practice, live.state) == (False, Survey.State.DRAFT)
    assert {**live.definition, "slug": "work", "practice": True} == practised.definition
    assert AuditEvent.objects.filter(target="work-live", detail__source="survey work").exists()
    # A second request asks, and can create another draft; the practice survey continues.
    another_draft(staff, staff.post(WORK + "make-live"))
    assert Survey.objects.filter(slug="work-live-2").exists()
    assert survey_now().state == Survey.State.OPEN
    assert "Make it live" not in staff.get("/en/staff/surveys/work-live/").content.decode()


@pytest.mark.parametrize("start", ["make live", "duplicate"])
def test_a_copy_keeps_the_expected_answers_and_the_star(staff: Client, start: str) -> None:
    practised = published_survey(practice=True)
    aim = Aim(people=250, wanted=("made_up",)).to_json()
    Survey.objects.filter(pk=practised.pk).update(aim=aim)
    if start == "make live":
        staff.post(WORK + "make-live")
    else:
        start_survey(staff, "duplicate", slug="work-live", survey="work")
    assert Survey.objects.get(slug="work-live").aim == aim


def test_addresses_of_surveys_made_live_fit_the_length_limit(staff: Client) -> None:
    slug = "w" * 50
    survey = new_draft(slug=slug, practice=True)
    survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)
    staff.post(f"/en/staff/surveys/{slug}/make-live")
    another_draft(staff, staff.post(f"/en/staff/surveys/{slug}/make-live"))
    names = set(Survey.objects.values_list("slug", flat=True)) - {slug}
    assert {len(name) for name in names} == {50}
    assert len(names) == 2


def test_live_surveys_cannot_be_made_live_again(staff: Client) -> None:
    published_survey()
    assert staff.post(WORK + "make-live").headers["Location"] == WORK
    assert "not a practice survey" in staff.get(WORK).content.decode()
    assert Survey.objects.count() == 1


@pytest.mark.parametrize(
    ("source", "values"), [("scratch", {"title": "Sleep"}), ("template", {"template": "drugs"})]
)
def test_new_drafts_start_in_practice_and_can_go_live(
    staff: Client, source: str, values: dict[str, Any]
) -> None:
    start_survey(staff, source, **values)
    assert survey_now().practice
    answer = staff.post(WORK + "make-live")
    assert answer.headers["Location"] == WORK + "publish"
    survey = survey_now()
    assert (survey.practice, survey.definition["practice"]) == (False, False)
    assert Survey.objects.count() == 1


def test_the_promise_is_shown_in_the_form_of_address_of_the_survey(staff: Client) -> None:
    survey = published_survey()
    page = "/zh-hans/staff/surveys/work/publish"
    assert "你" in staff.get(page).context["promise"]
    formal = survey.definition | {"formality": {"zh-hans": "formal"}}
    draft_save(survey, formal, revision=1, by="ana", now=timezone.now())
    assert "您" in (promise := staff.get(page).context["promise"])
    assert "你" not in promise


def test_a_neutral_address_is_one_press_away_before_the_first_publication(staff: Client) -> None:
    new_draft(practice=True)
    assert "Does this name reveal the subject?" in staff.get(WORK + "publish").content.decode()
    answer = staff.post(WORK + "neutral-address")
    survey = Survey.objects.get()
    assert NEUTRAL.fullmatch(survey.slug)
    assert survey.definition["slug"] == survey.slug
    assert answer.headers["Location"] == f"/en/staff/surveys/{survey.slug}/publish"
    page = staff.get(answer.headers["Location"]).content.decode()
    assert f"/s/{survey.slug}/" in page
    assert "Does this name reveal the subject?" not in page


@pytest.mark.parametrize("button", ["neutral-address", "make-live"])
def test_a_button_that_does_not_publish_keeps_who_can_answer(staff: Client, button: str) -> None:
    """After the neutral address, the page used to show the earlier choice, which publishing makes final."""
    new_draft(practice=True)
    page = staff.post(WORK + button, {"access": "invitation"}, follow=True).content.decode()
    assert Survey.objects.get().by_invitation
    assert re.search(r'value="invitation" checked', page)


@pytest.mark.parametrize("button", ["neutral-address", "make-live", "build/readable"])
def test_a_button_that_does_not_publish_keeps_the_reason(staff: Client, button: str) -> None:
    """The buttons used to drop a reason that was typed, and *Protect* also who can answer."""
    new_draft(practice=True)
    survey = Survey.objects.get()
    key = next(each.key for each in readable_questions(survey.definition) if each.can_be_protected)
    sent = {"at_address": "1", "next": "publish", "reason": "The board agreed.", "access": "invitation"}
    page = staff.post(WORK + button, sent | {"revision": str(survey.revision), "protect": key}, follow=True)
    assert page.context["reason"] == "The board agreed."
    assert Survey.objects.get().by_invitation
    assert (key in {each.key for each in page.context["readable"]}) == (button != "build/readable")


def test_a_published_survey_keeps_its_address(staff: Client) -> None:
    published_survey()
    staff.post(WORK + "neutral-address")
    assert survey_now().slug == "work"


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_practice_draft_says_what_real_answers_will_need(staff: Client, is_whole: bool) -> None:
    about = shipped_definition()["about"]
    missing = {} if is_whole else {"about": {name: {**texts, "en": ""} for name, texts in about.items()}}
    new_draft(practice=True, **missing)
    page = staff.get(WORK + "publish").content.decode()
    assert ("for practice only" in page) == ("Before real answers, there" in page) == (not is_whole)
    assert ("All texts are there" in page) == is_whole
