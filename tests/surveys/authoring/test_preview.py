"""Preview and trial: incomplete drafts can be shown, and nothing can leave the page."""

import hashlib
import html
import json
import re
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.accounts.tokens import page_share
from surveys.authoring.drafts import draft_create
from surveys.authoring.preview import made_up_shares, preview_of, preview_reading
from surveys.authoring.publish import survey_import
from surveys.models import SharedPage, Survey
from surveys.questionnaire.aim import PEOPLE, Aim
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.draft_reading import TEMPLATES, draft_read, template_document
from tests.fixtures.checked_surveys import document_of, protected, several, survey_of, unprotected, yes_no
from tests.fixtures.devices import shipped_definition
from tests.fixtures.everyday import everyday_definition
from tests.fixtures.rotating_drafts import rotating_document
from tests.fixtures.runs import definition

pytestmark = pytest.mark.django_db

ADDRESS = "/en/staff/surveys/work/build/preview/"


def draft(document: dict[str, Any]) -> Survey:
    return draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())


def state_of(response: Any) -> dict[str, Any]:
    found = re.search(
        r'<script id="documents" type="application/json">(.*?)</script>', response.content.decode()
    )
    assert found
    state: dict[str, Any] = json.loads(found[1])
    return state


def words_of(state: dict[str, Any]) -> dict[str, Any]:
    words: dict[str, Any] = json.loads(state["words"])
    return words


def policy(response: Any) -> set[str]:
    return {part.strip() for part in response["Content-Security-Policy"].split(";")}


def test_previews_contain_no_api_address_and_cannot_connect(staff: Client) -> None:
    draft(shipped_definition())
    response = staff.get(ADDRESS)
    assert response.status_code == 200
    assert {"connect-src 'none'", "form-action 'none'", "default-src 'none'"} <= policy(response)
    assert b'<link rel="icon" href="data:' in response.content
    assert "img-src 'self' data:" in policy(response)
    state = state_of(response)
    assert state["preview"] is True
    assert b"/api/" not in response.content
    # No survey can have this name, so the device stores previews apart from real visits.
    assert state["survey"] == json.loads(state["definition"])["key"]["survey"] == "preview:work"
    assert state["root"] == hashlib.sha256(state["definition"].encode()).hexdigest()


@pytest.mark.parametrize("document", [shipped_definition(), {}])
def test_previews_can_be_framed_only_by_this_server(staff: Client, document: dict[str, Any]) -> None:
    draft(document)
    response = staff.get(ADDRESS)
    assert "frame-ancestors 'self'" in policy(response)
    assert "connect-src 'none'" in policy(response)
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert response.status_code == (200 if document else 422)
    assert (b'id="documents"' in response.content) == bool(document)


def test_published_pages_cannot_be_framed_but_the_builder_can_frame(staff: Client) -> None:
    from surveys.authoring.publish import survey_publish

    survey_publish(draft(shipped_definition()), by="ana", now=timezone.now(), is_readable_seen=True)
    assert "frame-ancestors 'none'" in policy(staff.get("/en/s/work/"))
    builder = staff.get("/en/staff/surveys/work/build/")
    assert "frame-src 'self'" in policy(builder)
    assert "frame-ancestors 'none'" in policy(builder)


def test_previews_use_the_requested_language(staff: Client) -> None:
    draft(shipped_definition())
    for asked, shown, title in (
        ("zh-hans", "zh-hans", "你的工作"),
        ("", "en", "Your work"),
        ("tlh", "en", "Your work"),
    ):
        state = state_of(staff.get(f"{ADDRESS}?language={asked}"))
        assert state["language"] == shown
        assert words_of(state)["blocks"][0]["title"] == title


def read(document: dict[str, Any]) -> Any:
    reading = preview_reading(document)
    assert reading.definition is not None, reading.problems
    return preview_of(reading.definition, survey="work", language="zh-hans")


def test_missing_texts_fall_back_to_another_language_or_an_ellipsis() -> None:
    document = shipped_definition(about={}, title={"en": "Work", "zh-hans": " "})
    question = document["blocks"][1]["questions"][0]
    question["text"] = {"en": "", "zh-hans": ""}
    del document["blocks"][0]["title"]
    document["blocks"][1]["title"] = None
    words = words_of(read(document))
    assert words["title"] == "Work"
    assert words["about"]["ethics"] == "…"
    assert words["blocks"][0]["title"] == "…"
    assert words["blocks"][1]["questions"][0]["text"] == "…"
    assert words["blocks"][1]["questions"][1]["text"] == "过去一年里你看到过什么？"


def test_invalid_address_time_or_format_still_allow_a_preview() -> None:
    document = shipped_definition(slug="No address", sottovoce=9, opens_at="never")
    assert json.loads(read(document)["definition"])["design"]["blocks"]


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_has_a_preview(name: str) -> None:
    design = json.loads(read(template_document(name))["definition"])["design"]
    assert any(block["protected"] for block in design["blocks"])


def test_previews_rotate_the_same_questions_as_the_draft() -> None:
    definition = preview_reading(rotating_document()).definition
    assert definition is not None
    assert definition.design == definition_parse(rotating_document()).design


def test_previews_reject_invalid_disguise_parameters() -> None:
    document = shipped_definition()
    document["blocks"][1]["truth_probability"] = 0
    reading = preview_reading(document)
    assert [problem.path for problem in reading.problems] == ["blocks[1].truth_probability"]


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"blocks": [3, None, {}]},
        {"title": 3, "about": [], "blocks": {}, "languages": [3]},
        {"languages": "en"},
    ],
)
def test_unusable_documents_list_their_problems(document: dict[str, Any]) -> None:
    assert preview_reading(document).problems


def test_unfinished_experiments_can_be_previewed() -> None:
    arm = {"key": "told", "kind": "arm", "options": [{"key": key, "share": 5000} for key in ("a", "b")]}
    texts = {"question": "told", "texts": {"a": {"en": "A coin. {odds}"}, "b": {}}}
    document = document_of(
        unprotected("told", arm), protected("b", yes_no("copied", wordings=texts)), explanations=texts
    )
    assert words_of(read(document))["explanations"] == {"arm": 0, "texts": ["A coin. {odds}", "… {odds}"]}


def test_a_board_sees_a_draft_as_it_was_saved_on_a_page_that_can_send_nothing() -> None:
    survey = survey_import(definition(), by="alice")
    _shared, token = page_share(survey, SharedPage.Kind.RISK, days=1, by="alice", now=timezone.now())
    address = reverse("shared:preview", args=[token])
    answer = Client().get(address)
    assert answer.status_code == 200
    assert "Have you cheated?" in answer.content.decode()
    assert answer.headers["Cache-Control"] == "no-store"
    assert {"connect-src 'none'", "img-src 'self' data:"} <= policy(answer)
    assert "Set-Cookie" not in answer.headers
    changed = survey.definition
    changed["blocks"][1]["questions"][1]["text"]["en"] = "Have you lied?"
    Survey.objects.filter(pk=survey.pk).update(definition=changed)
    assert "Have you lied?" in Client().get(address).content.decode()
    Survey.objects.filter(pk=survey.pk).update(definition=survey.definition | {"blocks": []})
    answer = Client().get(address)
    assert answer.status_code == 422
    assert "There is nothing to show yet" in answer.content.decode()


SAID = re.compile(r"(−?\d+)% found \((−?\d+) to (−?\d+)\), (\d+)% true")


def test_nearly_undisguised_answers_are_estimated_almost_exactly() -> None:
    """With p = 99.99%, fewer than one in 400 answers is random, so both shares differ by at most a point."""
    document = shipped_definition("workplace")
    for block in document["blocks"]:
        if block["protected"]:
            block["truth_probability"] = 9999
    shares = made_up_shares(
        definition_parse(document), n=400, rng=np.random.default_rng(1), aim=Aim(people=400)
    )
    # The survey has yes/no, single and multiple choice questions, and a conditional part.
    assert any(block.get("asked_if") for block in document["blocks"])
    assert {bool(share.option) for share in shares} == {True, False}
    for share in shares:
        match = SAID.fullmatch(share.text)
        assert match is not None, share.text
        found, _low, _high, truth = map(int, match.groups())
        assert abs(found - truth) <= 1, share


def test_simulated_respondents_follow_the_plans_guesses() -> None:
    choice = several("drug", "a", "b", "c", unrelated=[3334, 3333, 3333], prevalence=[2000, 4000, 4000])
    definition = survey_of(
        protected("one", yes_no("lie", prevalence=5000)), protected("two", choice | {"kind": "single"})
    )
    guesses = {"lie": 900, "drug=o1": 7000}
    shares = made_up_shares(
        definition, n=2_000, rng=np.random.default_rng(5), aim=Aim(people=2_000, shares=guesses)
    )
    truths = [int(match.group(4)) for share in shares if (match := SAID.fullmatch(share.text))]
    # Options without a guess share the remainder. Six standard errors are at most 6.2 points.
    assert truths == pytest.approx([9, 15, 70, 15], abs=6.2)


def test_without_guesses_simulated_answers_follow_the_plans_defaults() -> None:
    """The draft's own prevalences, 1% and 98%, are only for the checks."""
    choice = several("drug", "a", "b", unrelated=[5000, 5000], prevalence=[200, 9800]) | {"kind": "single"}
    definition = survey_of(protected("one", yes_no("lie", prevalence=100)), protected("two", choice))
    aim = Aim(people=2_000)
    shares = made_up_shares(definition, n=2_000, rng=np.random.default_rng(6), aim=aim)
    truths = [int(match.group(4)) for share in shares if (match := SAID.fullmatch(share.text))]
    assumed = [100 * share for question in definition.design.questions for share in aim.shares_of(question)]
    assert assumed == [50, 50, 50]
    # Six standard errors are 6.7 points.
    assert truths == pytest.approx(assumed, abs=6.8)


def test_true_shares_of_rotating_questions_cover_everyone() -> None:
    """Each person answers four of ten questions; estimates agree with true shares of 0% and 100%."""
    questions = [yes_no(f"q{n}") for n in range(10)]
    turns = [{"blocks": ["one", "other"], "parts_per_person": 1}]
    definition = survey_of(
        protected("ten", *questions, p=6000, questions_per_person=4),
        protected("one", yes_no("never")),
        protected("other", yes_no("always")),
        rotations=turns,
    )
    guesses = {f"q{n}": 10_000 * (n % 2) for n in range(10)} | {"never": 0, "always": 10_000}
    aim = Aim(people=2_000, shares=guesses)
    shares = made_up_shares(definition, n=2_000, rng=np.random.default_rng(4), aim=aim)
    assert len(shares) == 12
    for number, share in enumerate(shares):
        match = SAID.fullmatch(share.text)
        assert match is not None
        found, truth = int(match.group(1).replace("−", "-")), int(match.group(4))
        assert truth == 100 * (number % 2)
        # With 800 or 1,000 people asked, a standard error is below 4 points; six are allowed.
        assert abs(found - truth) <= 24


def test_simulated_numbers_and_places_are_not_listed() -> None:
    definition = definition_parse(everyday_definition())
    shares = made_up_shares(definition, n=20, rng=np.random.default_rng(3), aim=Aim(people=20))
    texts = {share.question for share in shares}
    scales = {
        question["text"]["en"]
        for block in everyday_definition()["blocks"]
        for question in block["questions"]
        if question["kind"] in ("number", "place")
    }
    assert shares
    assert scales
    assert not texts & scales


@pytest.mark.django_db
def test_each_turn_simulates_new_people_and_stores_nothing(admin_client: Client) -> None:
    survey_import(shipped_definition("workplace", slug="work"), by="ana")
    address = "/en/staff/surveys/work/made-up/"
    first = admin_client.get(address).content.decode()
    assert f'name="n" value="{PEOPLE}"' in first
    assert len(SAID.findall(first)) >= 2
    one, again, two = (
        SAID.findall(admin_client.get(address, {"n": 40, **turn}).content.decode())
        for turn in ({}, {"turn": 1}, {"turn": 2})
    )
    assert len(one) == len(SAID.findall(first))
    assert one == again != two
    assert admin_client.get(address, {"n": 5_000}).status_code == 422
    assert not Survey.objects.get().versions.exists()


@pytest.mark.django_db
def test_the_simulation_page_lists_omitted_questions(admin_client: Client) -> None:
    """The page lists numbers, places and questions stored as answered, if there are any."""
    survey_import(everyday_definition(slug="day"), by="ana")
    page = html.unescape(admin_client.get("/en/staff/surveys/day/made-up/?n=20").content.decode())
    (said,) = re.findall("Left out here: .*?tried[.]", page)
    assert said.count("“") == 3
    assert said.endswith("and 2 more. Only protected choices and yes/no questions can be tried.")
    survey_import(document_of(protected("b", yes_no("q")), slug="all"), by="ana")
    assert "Left out" not in admin_client.get("/en/staff/surveys/all/made-up/?n=20").content.decode()


@pytest.mark.django_db
def test_incomplete_drafts_show_a_message(admin_client: Client) -> None:
    document = document_of(protected("b", yes_no("q")))
    document["slug"] = "half"
    document["blocks"][0]["questions"][0]["text"] = {}
    survey_import(shipped_definition("workplace", slug="half"), by="ana")
    Survey.objects.update(definition=document)
    assert "draft is not complete" in admin_client.get("/en/staff/surveys/half/made-up/").content.decode()


@pytest.mark.django_db
def test_drafts_missing_only_texts_can_be_simulated_and_audited(admin_client: Client) -> None:
    survey = survey_import(document_of(protected("b", yes_no("q"))), by="ana")
    about = survey.definition["about"]
    survey.definition = {**survey.definition, "about": {**about, "purpose": {"en": "[Write it.]"}}}
    survey.save()
    assert draft_read(survey).definition is None
    for name in ("authoring:plan", "authoring:made_up", "audit:draft"):
        found = admin_client.get(reverse(name, args=["checked"]))
        assert found.status_code == 200
        assert "draft is not complete" not in found.content.decode()
