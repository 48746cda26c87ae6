"""The plan page in each of its states, without script, and by keyboard alone: it fits, reads and does all."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from surveys.authoring.drafts import draft_create
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from tests.e2e.judged import violations_light_and_dark, width_of
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.planned_drafts import CHOICE, EIGHT, composite, number_part, options, union

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, COMPUTER = 360, 1280
TEXTS = (
    "Have you had an accident at work in the last 12 months?",
    "Have you been at work with a hangover in the last 12 months?",
    "Have you drunk alcohol during working hours in the last 12 months?",
    "Have you taken drugs at work in the last 12 months?",
    "Have you hidden an accident from your supervisor?",
    "Have you driven a vehicle at work after drinking?",
)
ACTS = ("Cannabis", "Cocaine", "Amphetamines", "Sleeping pills", "Painkillers without a prescription")


def ten() -> dict[str, Any]:
    """Return six yes/no questions, a number of drinks, five substances to tick, age and department."""
    six = [{**yes_no(f"q{number}"), "text": {"en": text}} for number, text in enumerate(TEXTS)]
    lines = [yes_no(f"act{number}", stem="acts", text={"en": text}) for number, text in enumerate(ACTS)]
    stems = [{"key": "acts", "text": {"en": "Which of these have you used in the last 12 months?"}}]
    known = [
        {
            "key": key,
            "kind": "single",
            "text": {"en": text},
            "options": [{"key": f"o{n}", "text": {"en": f"Group {n}"}} for n in range(4)],
        }
        for key, text in (("age", "How old are you?"), ("department", "Which department do you work in?"))
    ]
    number = copy.deepcopy(number_part()) | {"refusal": True}
    number["questions"][0]["text"] = {"en": "How many alcoholic drinks did you have last week?"}
    return document_of(
        protected("b", *six, refusal=1000),
        number,
        protected("l", *lines, refusal=1000),
        unprotected("open", *known),
        stems=stems,
    )


def made(document: dict[str, Any], **aim: Any) -> None:
    """Save a draft of the researcher, and its plan."""
    owner = User.objects.filter(username="ana").first()
    assert owner is not None
    draft_create(document, slug="play", source="scratch", owner=owner, by="ana", now=timezone.now())
    if aim:
        Survey.objects.update(aim=Aim(**aim).to_json())


def row(page: Page, text: str) -> Any:
    return page.locator(".plan-row", has_text=text)


def updated(page: Page) -> None:
    """Wait until figures and proposals follow the last entry."""
    page.wait_for_timeout(400)
    page.wait_for_load_state("networkidle")


def _invalid(page: Page) -> None:
    page.locator("[name=people]").fill("0")
    page.locator("[name=guess_q1]").fill("100")
    updated(page)
    expect(page.locator("[data-said]")).to_have_text("Correct the marked fields to see the figures here.")


def _applied(page: Page) -> None:
    page.locator("[aria-labelledby=plan-changes] button").first.click()
    expect(page.locator("[name=undo]").first).to_be_visible()


def _stale(page: Page) -> None:
    page.locator("[name=people]").evaluate("each => { each.value = '400'; }")
    page.locator("[aria-labelledby=plan-changes] button").first.click()
    expect(page.get_by_text("it was computed for other entries")).to_be_visible()


def _sensitive(page: Page) -> None:
    page.locator("[name=protect_q3]").uncheck()
    updated(page)
    page.get_by_role("button", name="Save the plan").first.click()
    expect(page.get_by_text("Anyone with access to the data may read these answers.")).to_be_visible()


def _nothing(_page: Page) -> None:
    pass


TWO = ("q0", "q1")


def forms() -> dict[str, Any]:
    """Return *at least one of* the acts of three lists, sent as one answer."""
    asked, kept = union("any", 4, 3, 3)
    return document_of(protected("b", asked, refusal=1000), set_aside=[kept])


STATES: dict[str, tuple[Callable[[], dict[str, Any]], dict[str, Any], Callable[[Page], None], str]] = {
    "proposals": (ten, {"people": 250, "wanted": TWO}, _nothing, "Each of these lets you publish"),
    "each form": (forms, {"people": 300}, _applied, "Send each form of"),
    "applied": (ten, {"people": 250, "wanted": TWO}, _applied, "not saved yet"),
    "improvements": (ten, {"people": 5_000, "wanted": ("q0",)}, _nothing, "What would help most"),
    "invalid": (ten, {"people": 250, "wanted": TWO}, _invalid, "0 is not enough"),
    "stale": (ten, {"people": 250, "wanted": TWO}, _stale, "it was computed for other entries"),
    "sensitive": (ten, {"people": 5_000}, _sensitive, "Nothing is saved yet"),
    "no questions": (lambda: document_of(unprotected("empty")), {}, _nothing, ""),
    "few people": (lambda: document_of(protected("b", *EIGHT)), {"people": 60, "wanted": TWO}, _nothing, ""),
    "nothing to find": (
        lambda: document_of(protected("b", *EIGHT[:2])),
        {"people": 250, "wanted": TWO, "shares": {"q0": 9_999, "q1": 1}},
        _nothing,
        "nothing to find",
    ),
    "composites": (
        lambda: document_of(protected("b", composite("k0", 2), composite("k1", 4), *EIGHT[:4], refusal=500)),
        {"people": 400, "wanted": ("k0",)},
        _nothing,
        "Computed on each device",
    ),
    "numbers and skips": (
        lambda: document_of(protected("b", *EIGHT[:3], refusal=1000), number_part()),
        {"people": 400, "wanted": ("hours",)},
        _nothing,
        "mean ±",
    ),
    "many options": (
        lambda: document_of(protected("b", *EIGHT[:2], options(CHOICE, 24), refusal=500)),
        {"people": 1_000, "wanted": ("often=o3",)},
        _nothing,
        "",
    ),
    "forty": (
        lambda: document_of(protected("b", *(yes_no(f"q{number}") for number in range(40)))),
        {"people": 300, "wanted": TWO},
        _nothing,
        "Leave out",
    ),
    "only open": (
        lambda: document_of(
            unprotected("open", {"key": "job", "kind": "yes_no", "text": {"en": "Have you a job?"}})
        ),
        {"people": 300},
        _nothing,
        "As answered",
    ),
}


@pytest.mark.soak
@pytest.mark.parametrize("width", [PHONE, COMPUTER])
@pytest.mark.parametrize("state", STATES)
def test_each_state_fits_and_has_no_barrier_in_both_languages(
    researcher: Any, live_server: Any, state: str, width: int
) -> None:
    document, aim, act, said = STATES[state]
    made(document(), **aim)
    page = researcher("", viewport={"width": width, "height": 900})
    page.goto(f"{live_server.url}/en/staff/surveys/play/plan")
    act(page)
    if said:
        expect(page.locator("main")).to_contain_text(said)
    assert width_of(page) <= width
    assert violations_light_and_dark(page) == {}
    page.goto(f"{live_server.url}/zh-hans/staff/surveys/play/plan")
    assert width_of(page) <= width
    assert violations_light_and_dark(page) == {}


@pytest.mark.soak
def test_everything_can_be_done_without_script_and_figures_follow_a_press(
    researcher: Any, live_server: Any
) -> None:
    made(ten())
    page = researcher("surveys/play/plan", java_script_enabled=False)
    said = page.locator("[data-said]")
    before = said.inner_text()
    page.locator("[name=people]").fill("250")
    accident = row(page, TEXTS[0])
    accident.get_by_label("Short name").fill("accident")
    accident.get_by_label("Your guess, in %").fill("10")
    for text in TEXTS[:2]:
        row(page, text).get_by_label("Star").select_option(index=1)
    drugs = row(page, TEXTS[3])
    expect(drugs.get_by_text("looks sensitive")).to_be_hidden()
    drugs.get_by_label("Protect").uncheck()
    expect(drugs.get_by_text("looks sensitive")).to_be_visible()
    page.get_by_role("button", name="Update the figures").click()
    expect(said).not_to_have_text(before)
    expect(said).to_contain_text("250 answers:")
    expect(said).to_contain_text("“accident”")
    expect(drugs.locator(".plan-known")).to_contain_text("As answered")
    drugs.get_by_label("Protect").check()
    page.get_by_role("button", name="Update the figures").click()
    page.locator("[aria-labelledby=plan-changes] button").first.click()
    undo = page.get_by_role("button", name="Undo")
    expect(undo.first).to_be_visible()
    # A number that is too small is refused beside its field, and nothing else is lost.
    proposed, count = page.locator("[name=people]").input_value(), undo.count()
    page.locator("[name=people]").fill("0")
    page.get_by_role("button", name="Update the figures").click()
    expect(page.locator(".field", has=page.locator("[name=people]"))).to_contain_text("0 is not enough.")
    expect(said).to_have_text("Correct the marked fields to see the figures here.")
    expect(accident.locator(".plan-known")).to_have_text("–No figure")
    page.locator("[name=people]").fill(proposed)
    page.get_by_role("button", name="Update the figures").click()
    expect(undo).to_have_count(count)
    for left in reversed(range(count)):
        undo.first.click()
        expect(undo).to_have_count(left)
    expect(page.locator("[name=people]")).to_have_value("250")
    page.get_by_role("button", name="Save the plan").click()
    expect(page).to_have_url(f"{live_server.url}/en/staff/surveys/play/build/")
    aim = Aim.from_json(Survey.objects.get().aim)
    assert aim is not None
    assert (aim.people, aim.wanted, aim.shares) == (250, TWO, {"q0": 1000})
    assert aim.names["q0"] == {"en": "accident"}


@pytest.mark.soak
def test_an_invalid_entry_blanks_every_figure_and_marks_its_field_until_it_is_corrected(
    researcher: Any, live_server: Any
) -> None:
    made(ten(), people=250, wanted=TWO)
    page = researcher("surveys/play/plan", viewport={"width": PHONE, "height": 900})
    known, line = page.locator(".plan-known"), page.locator("[data-line]")
    figure = row(page, TEXTS[0]).locator(".plan-known")
    expect(figure).to_contain_text("±")
    expect(
        page.get_by_text("A short name for each question makes this sentence easy to read.")
    ).to_be_visible()
    shown = line.inner_text()
    people, guess = page.locator("[name=people]"), page.locator("[name=guess_q1]")
    people.fill("0")
    guess.fill("100")
    expect(page.locator("[data-said]")).to_have_text("Correct the marked fields to see the figures here.")
    expect(line).to_have_text("Correct the marked fields to see the figures here.")
    for cell in known.all():
        expect(cell).not_to_contain_text("±")
        expect(cell).to_contain_text("No figure")
    for field, message in ((people, "0 is not enough."), (guess, "100 is not between 0.01 and 99.99.")):
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(f"{message} {_REMEDIES[message]}")
    expect(page.locator("[aria-labelledby=plan-changes]")).to_have_count(0)
    # Each message is shown once, at its field; beside the button are links to these fields.
    expect(page.get_by_text("0 is not enough.").filter(visible=True)).to_have_count(1)
    page.locator(".plan-found").get_by_role("link", name="Your guess, in %").click()
    expect(guess).to_be_in_viewport()
    guess.fill("")
    expect(guess).not_to_have_attribute("aria-invalid", "true")
    people.fill("250")
    expect(line).to_have_text(shown)
    expect(figure).to_contain_text("±")
    expect(page.locator(".plan-asked .error, .plan-row .error")).to_have_count(0)
    assert people.get_attribute("aria-invalid") is None


_REMEDIES = {
    "0 is not enough.": "Plan for at least 10; with fewer than 100, no protected question shows a result.",
    "100 is not between 0.01 and 99.99.": "Enter a percentage in this range.",
}


def _tab_to(page: Page, selector: str, *, most: int = 150) -> None:
    """Press Tab until an element that fits has the focus."""
    for _press in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(selector)


@pytest.mark.soak
def test_the_whole_plan_is_made_by_keyboard_alone(researcher: Any, live_server: Any) -> None:
    made(ten(), people=250)
    page = researcher("surveys/play/plan")
    said = page.locator("[data-said]")
    _tab_to(page, "[name=people]")
    page.keyboard.press("Control+a")
    page.keyboard.type("300")
    _tab_to(page, "[name=label_q0]")
    page.keyboard.type("accident")
    _tab_to(page, "[name=star_q0]")
    page.keyboard.press("ArrowDown")
    _tab_to(page, "[name=guess_q0]")
    page.keyboard.type("25")
    _tab_to(page, "[name=star_q1]")
    page.keyboard.press("ArrowDown")
    _tab_to(page, "[name=protect_q4]")
    page.keyboard.press("Space")
    expect(page.locator("[name=protect_q4]")).not_to_be_checked()
    page.keyboard.press("Space")
    expect(said).to_contain_text("300 answers:")
    expect(said).to_contain_text("“accident”")
    expect(page.locator("[aria-labelledby=plan-changes] button").first).to_be_visible()
    updated(page)
    _tab_to(page, "[aria-labelledby=plan-changes] button")
    page.keyboard.press("Enter")
    undo = page.locator("[name=undo]")
    expect(undo.first).to_be_visible()
    count = undo.count()
    _tab_to(page, "[name=undo]")
    page.keyboard.press("Enter")
    expect(undo).to_have_count(count - 1)
    _tab_to(page, ".plan-save [name=save]")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{live_server.url}/en/staff/surveys/play/build/")
    aim = Aim.from_json(Survey.objects.get().aim)
    assert aim is not None
    assert (aim.people, aim.wanted, aim.shares) == (300, TWO, {"q0": 2500})
    assert aim.names["q0"] == {"en": "accident"}


@pytest.mark.soak
def test_back_without_script_returns_to_the_entries_before_a_press_and_sends_no_form(
    researcher: Any, live_server: Any
) -> None:
    """Without scripts, *Back* showed the browser's page on sending a form again."""
    made(ten(), people=250, wanted=TWO)
    page = researcher("surveys/play/plan", java_script_enabled=False)
    _applied(page)
    count, proposed = page.locator("[name=undo]").count(), page.locator("[name=people]").input_value()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("[name=undo]")).to_have_count(count - 1)
    page.go_back()
    expect(page.locator("[name=undo]")).to_have_count(count)
    expect(page.locator("[name=people]")).to_have_value(proposed)
    page.go_back()
    expect(page.locator("[name=undo]")).to_have_count(0)
    expect(page.locator("[name=people]")).to_have_value("250")
    page.go_forward()
    expect(page.locator("[name=undo]")).to_have_count(count)
    page.get_by_role("button", name="Save the plan").click()
    expect(page).to_have_url(f"{live_server.url}/en/staff/surveys/play/build/")
    # The entries are saved, so the page shows the saved plan and no longer calls them unsaved.
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Plan “Checked”")
    expect(page.locator("[name=people]")).to_have_value(proposed)
    expect(page.locator("[name=undo]")).to_have_count(0)


@pytest.mark.soak
def test_back_after_saving_shows_the_plan_and_never_asks_to_send_a_form_again(
    researcher: Any, live_server: Any
) -> None:
    """After an applied change, *Back* from the builder showed the browser's page on sending a form again."""
    made(ten(), people=250, wanted=TWO)
    page = researcher("surveys/play/plan")
    _applied(page)
    page.get_by_role("button", name="Save the plan").click()
    expect(page).to_have_url(f"{live_server.url}/en/staff/surveys/play/build/")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Plan “Checked”")
    aim = Aim.from_json(Survey.objects.get().aim)
    assert aim is not None
    expect(page.locator("[name=people]")).to_have_value(str(aim.people))
    expect(page.locator("[name=undo]")).to_have_count(0)
    # Leaving by a link is the same; what was not saved is gone.
    page.locator("[aria-labelledby=plan-changes] button").first.click()
    expect(page.locator("[name=undo]").first).to_be_visible()
    page.locator(".plan-save a").click()
    expect(page).to_have_url(f"{live_server.url}/en/staff/surveys/play/build/")
    page.go_back()
    expect(page.locator("[name=people]")).to_have_value(str(aim.people))
    expect(page.locator("[name=undo]")).to_have_count(0)
    # A press that saves at once returns to the plan.
    page.get_by_role("button", name="At least two of these").first.click()
    expect(page.get_by_text("Saved. Devices send one answer for these questions.")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Plan “Checked”")
