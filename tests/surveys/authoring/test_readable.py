"""Nothing is stored as answered unless a page says so, with one press that protects it."""

import html
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from surveys.authoring.drafts import draft_create
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.ready_parts import ready_parts
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.workbooks import Lines, workbook

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

NEW, REPORT = "/en/staff/surveys/new", "/en/staff/surveys/new/import"
PAGE, PLAN, PUBLISH = (f"/en/staff/surveys/work/{page}" for page in ("build/readable", "plan", "publish"))
FORCED = "Has your partner forced you to have sex?"
FORM: Lines = [
    ["type", "name", "label", "relevant"],
    ["select_one yn", "forced", FORCED],
    ["select_one yn", "told", "Did you tell anybody?", "${forced} = 'yes'"],
    ["integer", "often", "How often this year?", "${forced} = 'yes'"],
    ["integer", "age", "How old are you?"],
]
CHOICES: Lines = [["list_name", "name", "label"], ["yn", "yes", "Yes"], ["yn", "no", "No"]]
MISSED = (
    "Was your first child born before you were married?",
    "Have you left your children alone overnight in the past month?",
    "Have you ever paid someone in this city so that your permit came faster?",
    "Did a man ever follow you home at night and frighten you?",
    "As a woman, have you been cut, as is the custom in some villages?",
)
"""Sensitive questions without a word of the list of sensitive words."""
TEXT = """Safety
1. Since your 18th birthday, has anybody made you sleep with them?
- Yes
- No
2. How old were you when it happened first?
- under 15
- 15 or older
3. How many children have you hit?
- none
- one
- more
4. Have you ever been paid for sex in your city?
- Yes
- No
"""


def said(answer: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def uploaded(staff: Client, raw: bytes) -> Any:
    return staff.post(NEW, {"make": "1", "slug": "work", "file": SimpleUploadedFile("file", raw)})


def imported(staff: Client) -> Any:
    return uploaded(staff, workbook(survey=FORM, choices=CHOICES))


def answered(staff: Client, report: Any, **answers: str) -> Any:
    named = {name.replace("_", "-"): text for name, text in answers.items()}
    return staff.post(REPORT, {"questionnaire": report.context["token"], **named})


def states() -> dict[str, tuple[bool, object]]:
    """Return by key whether a question of the draft is protected, and the condition of its part."""
    return {
        question["key"]: (block["protected"], block.get("asked_if"))
        for block in Survey.objects.get().definition["blocks"]
        for question in block["questions"]
    }


CONDITION = {"question": "forced", "options": ["yes"]}


@pytest.mark.soak
def test_a_question_that_decides_is_a_point_to_settle_with_the_conditions_that_go(staff: Client) -> None:
    report = imported(staff)
    assert not Survey.objects.exists()
    page = said(report)
    assert "The answer to this question decides who is asked other questions" in page
    point = page[page.index("Answer these first") : page.rindex("What is readable")]
    assert FORCED in point
    assert "The others are: Did you tell anybody? asked only if" in point
    assert "How often this year? asked only if" in point
    (item,) = report.context["unclear"]
    assert item["how"] == "protect"
    content = report.content.decode()
    assert re.search(r'name="how-\d+" value="protect" checked', content)


def test_the_protected_side_drops_the_conditions_and_says_so(staff: Client) -> None:
    report = imported(staff)
    number = report.context["unclear"][0]["number"]
    answer = answered(staff, report, **{f"how_{number}": "protect"})
    assert answer.headers["Location"] == PLAN
    assert states() == {
        "forced": (True, None), "told": (True, None), "often": (True, None), "age": (False, None)
    }  # fmt: skip
    lines = AuditEvent.objects.get(action="draft_create").detail["not_kept"]
    assert sum("is no longer asked only after certain answers" in line for line in lines) == 2


@pytest.mark.soak
def test_a_kept_skip_is_readable_on_every_page_and_publishing_asks(staff: Client) -> None:
    report = imported(staff)
    number = report.context["unclear"][0]["number"]
    answered(staff, report, **{f"how_{number}": "keep"})
    assert states()["forced"] == (False, None)
    assert states()["told"] == (True, CONDITION)
    assert "What is readable, and why (2)" in said(staff.get(PLAN))
    page = said(staff.get(PAGE))
    # What looks sensitive comes first.
    assert page.index(FORCED) < page.index("How old are you?")
    assert "Its answer decides who is asked other questions, so it can be read" in page


@pytest.mark.soak
def test_a_point_without_an_answer_creates_no_draft(staff: Client) -> None:
    assert answered(staff, imported(staff)).status_code == 422
    assert not Survey.objects.exists()


@pytest.mark.soak
def test_words_for_age_place_or_family_open_no_pasted_question(staff: Client) -> None:
    # Nothing is stored as answered and nothing is doubtful, so no report is shown.
    assert staff.post(NEW, {"pasted": TEXT, "make": ""}).status_code == 302
    blocks = Survey.objects.get().definition["blocks"]
    assert {block["protected"] for block in blocks} == {True}
    assert sum(len(block["questions"]) for block in blocks) == 4


def test_one_press_protects_a_listed_question_and_keeps_the_other_answers(staff: Client) -> None:
    report = imported(staff)
    assert [row.question.key for row in report.context["stored"]] == ["age"]
    assert "Stored as answered, because it only asks for background that others know (age)." in said(report)
    number = report.context["unclear"][0]["number"]
    pressed = answered(staff, report, protect="5", **{f"how_{number}": "keep"})
    assert pressed.status_code == 200
    assert not Survey.objects.exists()
    assert [row.question.key for row in pressed.context["stored"]] == ["forced"]
    (item,) = pressed.context["unclear"]
    assert item["how"] == "keep"
    answered(staff, pressed, **{f"how_{item['number']}": item["how"]})
    assert states()["age"] == (True, None)


@pytest.mark.soak
def test_one_press_stores_a_question_that_does_not_look_sensitive(staff: Client) -> None:
    report = staff.post(NEW, {"pasted": "Work\n1. Do you like tea?\n2. Have you stolen tea?", "make": ""})
    assert report.status_code == 302
    report = staff.post(NEW, {"pasted": "Work\n1. Do you like tea?\n2. Do you steal?\n3. Which?", "make": ""})
    # "Do you steal?" has no such button.
    assert re.findall(r'name="store" value="(\d+)"', report.content.decode()) == ["2"]
    pressed = answered(staff, report, store="2")
    assert [row.question.line for row in pressed.context["stored"]] == [2]
    assert "Stored as answered, because you chose this." in said(pressed)
    (again,) = answered(staff, pressed, protect="2").context["rows"][:1]
    assert again.question.is_protected


FILTERS = """Work
1. Do you like tea?
- Yes
- No
2. Have you taken money?
- Yes
- No
3. If yes, was it much?
- Yes
- No
4. Which department do you work in?
- Sales
- Stores
5. Do you drink coffee?
- Yes
- No
"""


def readable_texts(report: Any) -> set[str]:
    return {row.question.texts["en"] for row in report.context["stored"]}


def protection_by_text(report: Any) -> dict[str, bool]:
    return {row.question.texts["en"]: row.question.is_protected for row in report.context["rows"]}


@pytest.mark.parametrize("script", ["off", "on"])
def test_the_report_lists_what_a_chosen_way_of_a_filter_makes_readable(staff: Client, script: str) -> None:
    report = staff.post(NEW, {"pasted": FILTERS, "make": ""})
    (item,) = report.context["unclear"]
    before = readable_texts(report)
    assert "Have you taken money?" not in before
    noscript = {"without_script": "1"} if script == "off" else {}
    for how in ("keep", "protect", "keep"):
        pressed = answered(staff, report, store="2", **{f"how_{item['number']}": how}, **noscript)
        report = staff.get(pressed.headers["Location"]) if pressed.status_code == 302 else pressed
        (item,) = report.context["unclear"]
        assert item["how"] == how
        kept = {"Have you taken money?"} if how == "keep" else set()
        assert readable_texts(report) == before | {"Do you like tea?"} | kept
        assert {text for text, safe in protection_by_text(report).items() if not safe} == readable_texts(
            report
        )
    assert "You kept the skip: its answer decides who is asked other questions." in said(report)
    pressed = answered(staff, report, protect="5", **{f"how_{item['number']}": "keep"})
    assert "Have you taken money?" not in readable_texts(pressed)
    assert pressed.context["unclear"] == []


@pytest.mark.parametrize(("way", "count"), [("one", 0), ("protect", 1), ("keep", 0), ("leave", 0)])
def test_only_a_protected_filter_of_its_own_is_said_to_ask_everyone(
    staff: Client, way: str, count: int
) -> None:
    report = staff.post(NEW, {"pasted": FILTERS, "make": "", "slug": "work"})
    number = report.context["unclear"][0]["number"]
    report = answered(staff, report, store="2", **{f"how_{number}": way})
    said_in_row = "It is asked whatever people answer while these are protected: “Have you taken money?”"
    assert said(report).count(said_in_row) == count
    answered(staff, report, **{f"how_{number}": way})
    notes = AuditEvent.objects.get(action="draft_create").detail["not_kept"]
    assert sum("is no longer asked only after certain answers" in note for note in notes) == count


@pytest.mark.parametrize("way", ["keep", "store", "protect", "one", "leave"])
def test_each_page_lists_all_questions_that_a_draft_of_a_text_stores_as_answered(
    staff: Client, way: str
) -> None:
    report = staff.post(NEW, {"pasted": FILTERS, "make": "", "slug": "work"})
    (item,) = report.context["unclear"]
    if way == "store":
        report = answered(staff, report, store="5")
        answer = answered(staff, report)
    else:
        report = answered(staff, report, store="2", **{f"how_{item['number']}": way})
        answer = answered(staff, report, **{f"how_{item['number']}": way})
    survey = Survey.objects.get()
    stored = {
        question["text"]["en"]
        for block in survey.definition["blocks"]
        if not block["protected"]
        for question in block["questions"]
    }
    assert stored == readable_texts(report)
    assert ("Have you taken money?" in stored) == (way in ("keep", "store"))
    start = answer.headers["Location"].removesuffix("/plan")
    for page in ("build/readable", "publish"):
        listed = staff.get(f"{start}/{page}").context["readable"]
        assert {each.text for each in listed} == stored
        assert all(each.why for each in listed)
    assert f"What is readable, and why ({len(stored)})" in said(staff.get(f"{start}/plan"))


@pytest.mark.soak
def test_what_depends_on_a_sensitive_question_looks_sensitive(staff: Client) -> None:
    report = imported(staff)
    # No button stores "How often this year?", which is asked after forced sex.
    assert 'name="store"' not in report.content.decode()
    number = report.context["unclear"][0]["number"]
    plan = staff.get(answered(staff, report, **{f"how_{number}": "keep"}).headers["Location"])
    assert not any("Store" in line.name for line in plan.context["changes"])


@pytest.mark.soak
@pytest.mark.parametrize("line", ["99", "", "two"])
def test_a_press_on_a_line_without_a_question_changes_nothing(staff: Client, line: str) -> None:
    report = imported(staff)
    pressed = answered(staff, report, protect=line)
    assert [row.question.key for row in pressed.context["stored"]] == ["age"]


@pytest.mark.soak
def test_the_enter_key_presses_no_button_that_changes_protection(staff: Client) -> None:
    report = imported(staff).content.decode()
    form = report[report.index('class="import-report') :]
    first = re.search(r"<button[^>]*>", form)
    assert first is not None
    assert "name=" not in first[0]


@pytest.mark.soak
def test_an_answer_that_makes_a_question_plain_is_shown_before_it_is_stored(staff: Client) -> None:
    report = staff.post(NEW, {"pasted": "Work\n1. Which department do you work in?", "make": ""})
    shown = answered(staff, report, how_0="keep", said_0="Sales\nStores")
    assert shown.status_code == 200
    assert not Survey.objects.exists()
    assert len(shown.context["stored"]) == 1
    assert answered(staff, shown).status_code == 302


# Definition files


def definition(*blocks: dict[str, Any]) -> dict[str, Any]:
    return document_of(*blocks)


def without_protection(block: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in block.items() if name != "protected"}


@pytest.mark.soak
def test_a_definition_that_leaves_protection_out_is_protected_with_a_note(staff: Client) -> None:
    part = {
        "key": "you",
        "title": {"en": "You"},
        "questions": [yes_no("raped", text={"en": "Were you raped?"})],
    }
    document = definition(protected("b", yes_no("steal")), part)
    answer = uploaded(staff, json.dumps(document).encode())
    assert answer.headers["Location"] == PAGE
    assert {protection for protection, _condition in states().values()} == {True}
    (note,) = AuditEvent.objects.get(action="draft_create").detail["not_kept"]
    assert note == "part 2: the file does not say whether it is protected, so it is"


@pytest.mark.soak
def test_what_a_definition_states_as_open_is_listed(staff: Client) -> None:
    age = {"key": "age", "kind": "yes_no", "text": {"en": "Are you 18 or older?"}}
    raped = {"key": "raped", "kind": "yes_no", "text": {"en": "Have you been raped since you turned 18?"}}
    document = definition(unprotected("you", age, raped), protected("b", yes_no("steal")))
    answer = uploaded(staff, json.dumps(document).encode())
    assert answer.headers["Location"] == PAGE
    page = staff.get(PAGE)
    assert [question.key for question in page.context["readable"]] == ["raped", "age"]
    assert "looks sensitive" in said(page)
    assert len(AuditEvent.objects.get(action="draft_create").detail["not_kept"]) == 2
    revision = str(Survey.objects.get().revision)
    assert staff.post(PAGE, {"protect": "raped", "revision": revision}).headers["Location"] == PAGE
    assert states()["raped"][0]
    assert not states()["age"][0]


def deciding() -> dict[str, Any]:
    first = {"key": "one", "title": {"en": "One"}, "questions": [yes_no("forced", text={"en": FORCED})]}
    then = protected("two", yes_no("told"), asked_if=CONDITION)
    return definition(first, then)


@pytest.mark.parametrize(
    ("choice", "state"),
    [
        ("protect", {"forced": (True, None), "told": (True, None)}),
        ("keep", {"forced": (False, None), "told": (True, CONDITION)}),
    ],
)
def test_an_unsettled_skip_of_a_definition_is_asked_about_and_cannot_be_published(
    staff: Client, choice: str, state: object
) -> None:
    assert uploaded(staff, json.dumps(deciding()).encode()).headers["Location"] == PAGE
    survey = Survey.objects.get()
    with pytest.raises(DefinitionError):
        survey_publish(survey, by="ana", now=timezone.now(), reason="we want to", is_readable_seen=True)
    assert [question.key for question in staff.get(PAGE).context["unsettled"]] == ["forced"]
    for page in (PLAN, PUBLISH):
        assert f"{PAGE}#unsettled" in staff.get(page).content.decode()
    staff.post(PAGE, {choice: "forced", "revision": str(survey.revision)})
    assert states() == state
    assert staff.get(PAGE).context["unsettled"] == []


@pytest.mark.soak
def test_a_press_on_an_old_page_changes_nothing(staff: Client) -> None:
    uploaded(staff, json.dumps(deciding()).encode())
    before = states()
    for sent in (
        {"keep": "forced", "revision": "0"},
        {"protect": "nobody", "revision": "1"},
        {"protect": "forced"},
    ):
        assert staff.post(PAGE, sent).status_code == 409
    assert states() == before


@pytest.mark.soak
@pytest.mark.parametrize(
    "document",
    [
        {},
        {"blocks": 3},
        {"blocks": [None]},
        {"blocks": [{"key": "a"}]},
        {"blocks": [{"key": "a", "protected": None, "questions": [{"key": "q", "kind": "number"}]}]},
        {"blocks": [{"key": "a", "questions": [{"key": "q", "kind": "yes_no", "text": 3}], "title": []}]},
        {
            "blocks": [
                {"key": "a", "protected": False, "questions": [{"key": "q", "kind": "x", "options": [1]}]}
            ]
        },
        {
            "blocks": [
                {
                    "key": "a",
                    "protected": False,
                    "title": {},
                    "questions": [{"key": "q", "kind": "x", "options": []}],
                }
            ]
        },
        {
            "blocks": [
                {"key": "a", "protected": False, "questions": [], "asked_if": {"all": [{"question": 3}]}}
            ]
        },
    ],
)
def test_drafts_of_any_shape_have_a_page(staff: Client, document: dict[str, Any]) -> None:
    raw = json.dumps({"sotto": 1, **document}).encode()
    answer = uploaded(staff, raw)
    assert answer.status_code == 302
    for page in (PAGE, PLAN, PUBLISH):
        assert staff.get(page).status_code == 200
    for sent in ({"protect": "q"}, {"keep": "q"}):
        assert staff.post(PAGE, {**sent, "revision": "1"}).status_code in (302, 409)


# Plan and publishing


def open_draft(staff: Client) -> Survey:
    raped = {"key": "raped", "kind": "yes_no", "text": {"en": "Have you been raped?"}}
    document = definition(unprotected("you", raped), protected("b", yes_no("steal"), yes_no("hide")))
    owner = staff.get(NEW).wsgi_request.user
    return draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now(), owner=owner)


@pytest.mark.soak
@pytest.mark.parametrize("text", MISSED)
def test_publishing_needs_a_confirmation_of_whatever_is_not_plain_background(text: str) -> None:
    question = {"key": "q", "kind": "yes_no", "text": {"en": text}}
    document = definition(unprotected("you", question), protected("b", yes_no("steal"), yes_no("hide")))
    survey = draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())
    with pytest.raises(SurveyError, match="not plain background"):
        survey_publish(survey, by="ana", now=timezone.now(), reason="we want to")
    assert not survey.versions.exists()


def in_english(value: Any) -> Any:
    """Return a part of a definition without its Chinese texts."""
    if isinstance(value, dict):
        return {name: in_english(each) for name, each in value.items() if name != "zh-hans"}
    return [in_english(each) for each in value] if isinstance(value, list) else value


def test_plain_background_needs_no_confirmation() -> None:
    ready = in_english(ready_parts())
    document = definition(
        *ready["before"],
        unprotected("you", {"key": "age", "kind": "yes_no", "text": {"en": "Are you 18 or older?"}}),
        protected("b", yes_no("steal"), yes_no("hide")),
        *ready["after"],
    )
    survey = draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())
    survey_publish(survey, by="ana", now=timezone.now(), reason="we want to")
    assert survey.versions.count() == 1


def test_publishing_needs_that_a_readable_question_was_seen_if_it_looks_sensitive(staff: Client) -> None:
    survey = open_draft(staff)
    page = staff.get(PUBLISH)
    assert "Have you been raped?" in said(page)
    assert "I have seen what is readable, and why." in said(page)
    with pytest.raises(SurveyError, match="“Have you been raped\\?”: stored as answered"):
        survey_publish(survey, by="ana", now=timezone.now(), reason="we want to")
    sent = {"revision": str(survey.revision), "reason": "we want to", "access": "open"}
    assert staff.post(PUBLISH, sent).status_code == 409
    assert not survey.versions.exists()
    assert staff.post(PUBLISH, {**sent, "readable": "on"}).status_code == 302
    assert survey.versions.count() == 1
    # Without changes there is nothing to publish, and nothing to confirm.
    assert "I have seen what is readable" not in said(staff.get(PUBLISH))


@pytest.mark.soak
def test_publishing_protects_with_one_press(staff: Client) -> None:
    survey = open_draft(staff)
    sent = {"protect": "raped", "next": "publish", "revision": str(survey.revision)}
    assert staff.post(PAGE, sent).headers["Location"] == PUBLISH
    page = staff.get(PUBLISH)
    assert page.context["readable"] == []
    assert "I have seen what is readable" not in said(page)


@pytest.mark.soak
def test_storing_a_sensitive_question_on_the_plan_needs_a_confirmation_that_quotes_it(staff: Client) -> None:
    asked = yes_no("raped", text={"en": "Have you been raped?"})
    document = definition(protected("b", asked, yes_no("grown", text={"en": "Are you 18 or older?"})))
    owner = staff.get(NEW).wsgi_request.user
    survey = draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now(), owner=owner)
    digest = staff.get(PLAN).context["digest"]
    sent = {
        "people": "400",
        "strength": "medium",
        "revision": str(survey.revision),
        "digest": digest,
        "save": "",
    }
    answer = staff.post(PLAN, {**sent, "protect_grown": "on"})
    assert answer.status_code == 422
    assert "These questions are not plain background" in said(answer)
    assert "Have you been raped?" in said(answer)
    assert states()["raped"][0]
    # A plain question needs none.
    assert staff.post(PLAN, {**sent, "protect_raped": "on"}).status_code == 302
    survey.refresh_from_db()
    more = {"revision": str(survey.revision), "digest": staff.get(PLAN).context["digest"]}
    assert staff.post(PLAN, {**sent, **more, "protect_grown": "on", "readable": "raped"}).status_code == 302
    assert not states()["raped"][0]


@pytest.mark.parametrize("page", ["build/readable", "publish"])
def test_a_browser_can_press_protect(staff: Client, page: str) -> None:
    """The form had no token, so that every browser was refused."""
    document = document_of(unprotected("a", yes_no("one")))
    draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = staff.cookies
    form = next(
        form
        for form in re.findall(
            r"<form.*?</form>", browser.get(f"/en/staff/surveys/work/{page}").content.decode(), re.S
        )
        if 'name="protect"' in form
    )
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    assert browser.post(PAGE, sent).status_code == 302
    assert Survey.objects.get(slug="work").definition["blocks"][0]["protected"]
