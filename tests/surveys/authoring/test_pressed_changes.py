"""Changes pressed on the plan page: no press and no undo loses a decision or opens a question."""

import copy
import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.authoring.plan_proposals import entries_digest
from surveys.authoring.pressed_changes import proposal_value, stated_forms
from surveys.models import Survey
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.planned_drafts import CHOICE, JOB, NUMBER, options
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

PAGE = "/en/staff/surveys/play/plan"


@pytest.fixture
def staff(client: Client, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return a researcher with a draft of all kinds that have another form, on a page without proposals."""
    nothing: dict[str, Any] = {"changes": (), "costs": {}, "offers": ()}
    for name, none in nothing.items():
        monkeypatch.setattr(f"surveys.authoring.plan_page.{name}", lambda *_args, none=none, **_kwargs: none)
    ana = member("ana", Role.RESEARCHER)
    questions = [yes_no(f"q{number}") for number in range(3)]
    acts = [yes_no(f"act{n}", stem="acts", text={"en": f"Act {n}"}) for n in range(3)]
    hours = {"key": "time", "protected": True, "title": {"en": "Time"}, "questions": [NUMBER]}
    document = document_of(
        unprotected("open", JOB),
        protected("b", *questions, options(CHOICE, 5), p=500, refusal=154),
        protected("l", *acts, p=500, refusal=154),
        copy.deepcopy(hours) | {"refusal": True},
        stems=[{"key": "acts", "text": {"en": "Which of these have you done?"}}],
    )
    draft_create(document, slug="play", source="scratch", owner=ana, by="ana", now=timezone.now())
    client.force_login(ana)
    return client


def entries(page: Any) -> dict[str, str]:
    """Return what a browser would send of the page's form, without a button."""
    html = page.content.decode()
    found = {}
    for tag in re.findall(r"<input[^>]*>", html):
        values = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if "name" in values and (values["type"] not in ("checkbox", "radio") or " checked" in tag):
            found[values["name"]] = values.get("value", "on" if values["type"] == "checkbox" else "")
    for name, choices in re.findall(r'<select name="([^"]*)"[^>]*>(.*?)</select>', html, re.DOTALL):
        chosen = re.search(r'value="([^"]*)"[^>]* selected', choices)
        found[name] = chosen[1] if chosen else ""
    return found


def post(staff: Client, values: Mapping[str, str], **button: str) -> Any:
    """Press a button; a proposal is for the entries that are sent with it."""
    if "apply" in button:
        form = staff.post(PAGE, {**values, "show": ""}, follow=True).context["form"]
        shown_for = entries_digest(
            Survey.objects.get(), form.aim(), form.protected_keys, stated_forms(form.data)
        )
        button = {"apply": proposal_value(button["apply"], shown_for)}
    # The entries say that no script runs, so the page that they make has an address.
    page = staff.post(PAGE, {**values, **button}, follow=True)
    assert page.status_code == 200
    return page


def state(page: Any) -> dict[str, Any]:
    """Return everything that a person entered or reads, without the list of pressed changes."""
    shown = {*page.context["form"].fields} - {"formed", "before"}
    return {
        **{name: value for name, value in entries(page).items() if name in shown},
        "rows": [row.text for row in page.context["rows"]],
        "sentences": page.context["sentences"],
        "knowns": page.context["knowns"],
    }


def filled(staff: Client) -> Any:
    first = entries(staff.get(PAGE))
    chosen = {"people": "250", "star_q0": "q0", "star_q1": "q1", "guess_q2": "10", "label_q2": "two"}
    return post(staff, first | chosen | {"label_act1": "fight", "label_hours": "hours"})


FORMS = [
    "lines,often",
    "merge,often,o3,o4",
    "one_answer,acts",
    "leave_out,act1",
    "leave_out,q2",
    "leave_out,hours",
    "levels,hours",
    "after,q1,q2",
]


@pytest.mark.soak
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.few("one_answer,acts", "after,q1,q2", why="the largest change, and one of order alone")
def test_undo_brings_everything_back(staff: Client, form: str) -> None:
    """Undone questions came back stored as answered, without short name and guess."""
    before = filled(staff)
    pressed = post(staff, entries(before), apply=f"form:{form}")
    assert state(pressed) != state(before)
    # Also after another look at the figures.
    pressed = post(staff, entries(pressed), show="")
    assert state(post(staff, entries(pressed), undo=form)) == state(before)


@pytest.mark.soak
def test_undo_in_any_order_brings_everything_back(staff: Client) -> None:
    before = page = filled(staff)
    for form in FORMS:
        page = post(staff, entries(page), apply=f"form:{form}")
    for form in FORMS[::2] + FORMS[1::2]:
        page = post(staff, entries(page), undo=form)
    assert state(page) == state(before)


@pytest.mark.soak
@pytest.mark.parametrize("form", FORMS)
def test_no_change_of_form_stores_a_question_as_answered(staff: Client, form: str) -> None:
    """The lines of a choice that is asked as a list were stored as answered."""
    page = post(staff, entries(filled(staff)), apply=f"form:{form}")
    stored = {known.key for known in page.context["knowns"] if known.words}
    assert stored == {"job"}
    assert staff.post(PAGE, entries(page) | {"save": ""}).status_code == 302
    saved = Survey.objects.get().definition["blocks"]
    assert [[q["key"] for q in part["questions"]] for part in saved if not part["protected"]] == [["job"]]


@pytest.mark.soak
def test_a_question_stored_as_answered_stays_so_after_an_undo(staff: Client) -> None:
    values = entries(filled(staff))
    del values["protect_q2"]
    before = post(staff, values)
    pressed = post(staff, entries(before), apply="form:leave_out,q2")
    assert state(post(staff, entries(pressed), undo="leave_out,q2")) == state(before)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("people:380", "Expect 380 answers"),
        ("strength:light", "Choose the lighter protection"),
        ("star:q1", "Do not compare: star only “Did you ever q1?”"),
        ("anew", "Lay out the questions anew"),
    ],
)
@pytest.mark.parametrize("swap", [{}, {"swap": "on"}])
@pytest.mark.few(
    "swap0-people:380-Expect 380 answers",
    "swap1-anew-Lay out the questions anew",
    why="the smallest and the largest change",
)
def test_each_pressed_change_of_a_field_is_listed_and_undone(
    staff: Client, change: str, said: str, swap: dict[str, str]
) -> None:
    values = entries(filled(staff)) | swap
    before = post(staff, values | {"held": before_layout(staff, values)})
    pressed = post(staff, entries(before), apply=f"form:leave_out,hours;{change}")
    ((_left, form), (words, code)) = pressed.context["formed"]
    assert (form, words) == ("leave_out,hours", said)
    undone = post(staff, entries(pressed), undo=code)
    assert [each for _words, each in undone.context["formed"]] == [form]
    assert state(post(staff, entries(undone), undo=form)) == state(before)


def before_layout(staff: Client, values: Mapping[str, str]) -> str:
    """Return the layout that saving these values holds."""
    assert staff.post(PAGE, {**values, "save": ""}).status_code == 302
    survey = Survey.objects.get()
    held: str = (survey.aim or {})["held"]
    assert held
    return held


@pytest.mark.soak
def test_undoing_people_returns_to_the_number_before_the_first_press(staff: Client) -> None:
    page = filled(staff)
    for people in ("300", "380"):
        page = post(staff, entries(page), apply=f"people:{people}")
    assert page.context["formed"] == [("Expect 380 answers", "people:250")]
    # A number that the person enters afterwards is listed, too; the first one is not.
    page = post(staff, entries(page) | {"people": "400"})
    assert page.context["formed"] == [("Expect 400 answers", "people:250")]
    assert post(staff, entries(page) | {"people": "250"}).context["formed"] == []


@pytest.mark.soak
@pytest.mark.parametrize("before", ["people:x;star:nobody", "x:1", ";;:", "people", "star:q0,q1,q2,often=o0"])
@pytest.mark.few("people:x;star:nobody", ";;:", why="several wrong values, and none")
def test_edited_values_before_a_press_have_a_page(staff: Client, before: str) -> None:
    values = entries(filled(staff)) | {"before": before}
    for code in [*before.split(";"), "people:250"]:
        assert staff.post(PAGE, {**values, "undo": code}, follow=True).status_code == 200
