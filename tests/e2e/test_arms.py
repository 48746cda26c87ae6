"""An experiment in a browser: the device shows and sends the drawn arm, and the builder makes experiments."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from privacy.survey.arms import invited_arms
from privacy.survey.layout import Layout
from surveys.authoring.drafts import survey_import
from surveys.intake.codes import receipt_key
from surveys.models import Survey
from surveys.questionnaire.definition import definition_read
from tests.conftest import wait_until
from tests.e2e.conftest import Published
from tests.e2e.judged import violations, violations_light_and_dark, width_of
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.invitations import codes_of, invited
from tests.surveys.report.results.test_arm_effects import run_of
from tests.surveys.runs.test_margin_weights import MARGINS, in_city, numbers

pytestmark = pytest.mark.django_db(transaction=True)

READ = {"short": ("A coin decides.", "Copied?"), "long": ("Your phone flips a coin.", "Did you copy?")}


def definition() -> dict[str, Any]:
    arm = {"key": "told", "kind": "arm", "options": [{"key": key, "share": 5000} for key in READ]}
    options = [{"key": key, "text": {"en": f"Option {key}"}} for key in ("wrong", "right")]
    check = {
        "key": "check",
        "kind": "single",
        "text": {"en": "What is known?"},
        "options": options,
        "right": "right",
    }
    explained = {key: {"en": f"{text} {{odds}}"} for key, (text, _) in READ.items()}
    asked = {key: {"en": text} for key, (_, text) in READ.items()}
    return document_of(
        unprotected("told", arm),
        unprotected("check", check),
        protected("b", yes_no("copied", wordings={"question": "told", "texts": asked}), p=6000),
        slug="experiment",
        explanations={"question": "told", "texts": explained},
    )


@pytest.fixture
def here(publish_definition: Callable[..., Published]) -> Published:
    return publish_definition(definition())


def read_arm(page: Page) -> str:
    """Return the arm whose explanation is shown."""
    told = page.locator("[data-intro]")
    expect(told).to_contain_text("at most 80")
    (arm,) = [key for key, (text, _) in READ.items() if text in told.inner_text()]
    return arm


def answered(page: Page, *, checked: str) -> str:
    """Answer yes and send; return the arm whose texts were shown."""
    arm = read_arm(page)
    page.get_by_role("button", name="Start").click()
    page.get_by_text(f"Option {checked}").click()
    page.get_by_role("button", name="Continue").click()
    if checked == "wrong":
        expect(page.locator("#root h2")).to_have_text("Again, in short")
        expect(page.locator("#root")).to_contain_text(READ[arm][0])
        page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#root")).to_contain_text(READ[arm][1])
    page.get_by_text("Yes", exact=True).click()
    page.get_by_role("button", name="Continue").click()
    # The arm is not an answer of the respondent, who cannot review or change it.
    expect(page.locator("#root")).not_to_contain_text("told")
    page.get_by_role("button", name="Send").click()
    return arm


def sent_arms(here: Published) -> list[str]:
    layout = Layout(here.version.to_design())
    return [list(READ)[layout.unpack(body).answers[0][0]] for body in here.bodies]  # type: ignore[index]


@pytest.mark.parametrize(("word", "arm", "checked"), [(0, "short", "wrong"), (9999, "long", "right")])
@pytest.mark.few("9999-long-right", why="the last arm")
def test_the_drawn_arm_is_shown_and_sent(
    here: Published, device: Callable[..., BrowserContext], word: int, arm: str, checked: str
) -> None:
    page = device(viewport={"width": 1280, "height": 1600}, words=(word,)).new_page()
    page.goto(here.address)
    assert violations(page) == "[]"
    read = answered(page, checked=checked)
    wait_until(lambda: len(here.bodies) == 1)
    assert (read, sent_arms(here)) == (arm, [arm])


def by_invitation(publish_definition: Any, document: dict[str, Any]) -> tuple[Published, dict[str, str]]:
    """Publish a survey in which invitations decide something; return it with what each code decides."""
    version = invited({**document, "practice": False})
    design = version.to_design()
    decides = {}
    for code in codes_of(version, 24):
        (name,) = +Counter(
            invited_arms(design, [receipt_key(code, survey="experiment")], survey="experiment")
        )
        decides[code] = name
    return publish_definition(document, version), decides


@pytest.mark.soak
def test_an_invitation_shows_the_same_arm_on_every_load(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    here, decides = by_invitation(publish_definition, {**definition(), "invited": "told"})
    first, second = [code for code, arm in decides.items() if arm == "long"][:2]
    # With these words, the device itself would draw the short arm.
    contexts = [device(viewport={"width": 1280, "height": 1600}, words=(0,)) for _ in range(2)]
    page = contexts[0].new_page()
    for _ in range(2):
        page.goto("about:blank")
        page.goto(f"{here.address}#{first}")
        assert read_arm(page) == "long"
    expect(page.locator("#root")).to_contain_text("Your invitation decides which of several texts you read.")
    assert answered(page, checked="right") == "long"
    wait_until(lambda: len(here.bodies) == 1)
    other = contexts[1].new_page()
    other.goto(f"{here.address}#{second}")
    answered(other, checked="right")
    wait_until(lambda: len(here.bodies) == 2)
    # With the same draws and answers, only the row's arm depends on the code.
    assert here.bodies[0] == here.bodies[1]
    assert sent_arms(here) == ["long", "long"]


@pytest.mark.soak
def test_the_strength_assigned_by_invitation_is_shown_and_kept(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    document = document_of(
        protected("b", yes_no("copied"), p=6000),
        slug="experiment",
        group={"policy": "assigned", "direct_share": 4000, "light": True},
        invited="group",
    )
    here, decides = by_invitation(publish_definition, document)
    page = device(viewport={"width": 360, "height": 800}, words=(0,)).new_page()
    for strength in ("strong", "light", "strong"):
        code = next(code for code, name in decides.items() if name == strength)
        page.goto("about:blank")
        page.goto(f"{here.address}#{code}")
        expect(page.locator("#root")).to_contain_text("Your invitation decides how strongly")
        page.get_by_role("button", name="Start").click()
        # The first screen has sentences of this look, too.
        expect(page.get_by_role("heading", name="How your answers will be sent")).to_be_visible()
        expect(page.locator("#root .say")).to_have_text(f"Your invitation sets a {strength} disguise.")


@pytest.mark.soak
def test_the_builder_shows_half_of_respondents_another_explanation(researcher: Any) -> None:
    page = researcher("surveys/new")
    page.get_by_role("button", name="Honest work at university").click()
    page.get_by_role("button", name="Save the plan").click()
    page.get_by_role("button", name="Show half of the people a different explanation").click()
    expect(page.locator("#editor-heading")).to_have_text("Two explanations")
    field = "[data-field='explanations.texts.{}.en']"
    first, second = (page.locator(field.format(key)) for key in ("first", "second"))
    said = "Your phone flips a coin. It sends your answer, or one that it makes up. {odds}"
    expect(first).to_have_value(said)
    second.fill("Nobody can know that a yes is true. {odds}")
    assert violations(page) == "[]"
    wait_until(lambda: "a yes is true" in str(Survey.objects.get().definition.get("explanations")))
    reading = definition_read(Survey.objects.get().definition)
    assert {problem.path for problem in reading.problems if "explanation" in problem.path} == {
        "explanations.texts.first.zh-hans",
        "explanations.texts.second.zh-hans",
    }
    # Removing the part also removes its texts.
    page.get_by_role("button", name="Share of people").click()
    expect(page.get_by_label("Group “first”", exact=True)).to_have_value("50.00")


@pytest.mark.soak
def test_one_click_adds_check_questions_excluded_from_privacy_totals(researcher: Any) -> None:
    survey_import(document_of(protected("b", yes_no("copied"), yes_no("late"), p=6000)), by="ana")
    page = researcher("surveys/checked/build/")
    promise = page.locator("[data-area='privacy'] p", has_text="Suppose someone knows").first
    before = promise.inner_text()
    page.get_by_role("button", name="Add two check questions").click()
    expect(page.locator("#editor-heading")).to_have_text("Part 2 of 3")
    expect(page.locator("[data-area='privacy']")).to_contain_text("The check questions are not counted")
    expect(page.locator("[data-area='privacy']")).to_contain_text("Everyone knows the true answers here")
    assert promise.inner_text().startswith(before)
    expect(page.get_by_role("button", name="Add two check questions")).to_have_count(0)
    assert violations(page) == "[]"
    wait_until(lambda: "anchor-everybody" in str(Survey.objects.get().definition))
    definition = definition_read(Survey.objects.get().definition).definition
    assert definition is not None
    known = [block for block in definition.design.blocks if block.is_anchor]
    (checked, *_) = (block for block in definition.design.blocks if block.protected)
    assert [block.truth_probability for block in known] == [checked.truth_probability] * 2
    # Once reworded, the question counts.
    page.get_by_role("button", name="I was born on 30 February.").click()
    page.locator("[data-field$='text.en']").first.fill("Have you ever copied?")
    expect(promise).not_to_contain_text(before)


@pytest.mark.soak
def test_the_comparison_page_fits_and_axe_finds_no_problems(researcher: Any, no_broker: None) -> None:
    run = run_of(900, more=in_city(), blocks=numbers())
    page = researcher(f"runs/{run.pk}/compare/?by=arms/told&margins={MARGINS}")
    expect(page.locator("main")).to_contain_text("Weighted to the shares that you entered.")
    assert violations_light_and_dark(page) == {}
    for width in (360, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert width_of(page) <= width
        if width > 1000:
            # No column is hidden beyond the edge of its table.
            assert page.locator(".table-scroll").evaluate_all(
                "tables => tables.every((table) => table.scrollWidth <= table.clientWidth)"
            )
    shares = page.locator("main").get_by_label("Shares in the population")
    expect(shares).to_have_value("city:no=0.5,yes=0.5")
    shares.fill("city,no,0.5")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("main .error")).to_contain_text("has no population share")
    assert violations_light_and_dark(page) == {}
    page.locator("main").get_by_label("Shares in the population").fill("city,no,0.4\ncity,yes,0.6")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("main")).to_contain_text("Weighted to the shares that you entered.")
