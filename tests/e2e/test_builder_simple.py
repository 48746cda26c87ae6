"""The builder in simple view: few buttons, settings behind one of them, and the phone in sight."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, ViewportSize, expect

from surveys.authoring.drafts import draft_create, survey_import
from surveys.models import StaffPreference, Survey
from tests.conftest import wait_until
from tests.e2e.judged import buttons_out_of_sight, violations, violations_light_and_dark, width_of
from tests.e2e.survey import workplace
from tests.fixtures.composite_drafts import composite_document, screening_document
from tests.fixtures.everyday import everyday_definition

pytestmark = pytest.mark.django_db(transaction=True)

COMPUTER: ViewportSize = {"width": 1280, "height": 800}
SMALL_PHONE: ViewportSize = {"width": 360, "height": 740}
# Height of the phone or preview that has to be in sight without scrolling.
LEAST_IN_SIGHT = 250
MOST_BUTTONS = 12
LANGUAGES = [
    *("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "fi"),
    *("pl", "cs", "sk", "hu", "ro", "tr", "el", "ru", "ar", "zh-hans"),
]

# The names of buttons in sight or below, without those that select a part of the survey.
BUTTONS = """() =>
  Array.from(document.querySelectorAll("main :is(button, summary, a.button)"))
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(".outline-link"))
    .map((each) => each.innerText.trim())"""


@pytest.fixture
def simple(researcher: Callable[..., Page]) -> Callable[..., Page]:
    """Return a function that opens a survey's builder in simple view, on a small notebook."""

    def open_page(slug: str, place: str = "", **options: Any) -> Page:
        StaffPreference.objects.update(is_expert=False)
        page = researcher(f"surveys/{slug}/build/{place}", **{"viewport": COMPUTER, **options})
        page.locator(".builder").wait_for()
        return page

    return open_page


def part(page: Page, name: str) -> None:
    page.locator(".outline-link").filter(has_text=name).first.click()


def settings(page: Page) -> Any:
    return page.locator('[data-menu="settings"] > summary')


def drafted(document: dict[str, Any]) -> Survey:
    return draft_create(document, slug=document["slug"], by="ana", now=timezone.now(), source="file")


def calm(page: Page) -> None:
    assert len(page.evaluate(BUTTONS)) <= MOST_BUTTONS, page.evaluate(BUTTONS)


def fits(page: Page) -> None:
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert width_of(page) <= width
        assert buttons_out_of_sight(page) == []
        page.evaluate("scrollTo(0, 0)")
        assert violations(page) == "[]"
    page.set_viewport_size(COMPUTER)


def long_document(count: int) -> dict[str, Any]:
    questions = [
        {"key": f"q{number}", "kind": "yes_no", "text": {"en": f"Is it true that {number} is a number?"}}
        for number in range(count)
    ]
    block = {"key": "all", "protected": False, "title": {"en": "All"}, "questions": questions}
    return {
        "sotto": 1, "slug": "long", "languages": ["en"], "title": {"en": "Long"}, "practice": count != 1,
        "group": {"policy": "protected"}, "blocks": [block] if count else [],
    }  # fmt: skip


@pytest.mark.soak
def test_the_remaining_tasks_stay_visible_below_a_long_outline(simple: Callable[..., Page]) -> None:
    """At 1280 x 800, a pane with an invisible scroll bar hid it, and looked complete."""
    drafted(long_document(40))
    page = simple("long")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_role("heading", name="Before publishing")).to_be_in_viewport()
    page.get_by_text("Add a part").scroll_into_view_if_needed()
    expect(page.get_by_text("Add a part")).to_be_in_viewport()


@pytest.mark.soak
def test_at_most_twelve_buttons_show_and_the_phone_is_above_the_fold(simple: Callable[..., Page]) -> None:
    document = workplace()
    del document["blocks"][2]["questions"][0]["text"], document["about"]["purpose"]
    drafted(document)
    page = simple("workplace")
    expect(page.locator("[data-area=todo] .todo-jump:visible")).to_have_count(1)
    names = ["Title, languages", "Information for", "Who is disguised", "Your work", "How long have you"]
    for name in (*names, "What you kept to yourself", "In the past year, have you kept", "Under pressure"):
        part(page, name)
        calm(page)
    # The phone is above the fold with the questions, and so is the respondents' page in its place.
    for place in (".phone", ".stage"):
        if place == ".stage":
            page.get_by_role("button", name="Preview").click()
        calm(page)
        frame = page.locator(place).bounding_box()
        assert frame is not None
        assert frame["y"] + frame["height"] <= COMPUTER["height"], place
        assert frame["height"] > 200, place
        assert violations_light_and_dark(page) == {}
        fits(page)


def experiment() -> dict[str, Any]:
    """Return a survey in which devices draw which explanation people read."""
    arm = {"key": "why", "kind": "arm", "options": [{"key": key, "share": 5000} for key in ("a", "b")]}
    block = {"key": "why", "protected": False, "title": {"en": "Explanations"}, "questions": [arm]}
    explanations = {"question": "why", "texts": {"a": {"en": "A coin"}, "b": {"en": "A die"}}}
    return {**long_document(2), "slug": "drawn", "explanations": explanations, "blocks": [block]}


@pytest.mark.parametrize(
    "document",
    [
        everyday_definition(practice=True),
        screening_document(),
        composite_document("AUDIT", slug="audit"),
        experiment(),
    ],
    ids=lambda document: str(document["slug"]),
)
@pytest.mark.soak
def test_each_kind_of_part_has_its_phone_above_the_fold_and_few_buttons(
    simple: Callable[..., Page], document: dict[str, Any]
) -> None:
    drafted(document)
    page = simple(document["slug"])
    links = page.locator(".outline-link")
    expect(links.nth(3)).to_be_attached()
    seen = 0
    for size in (COMPUTER, SMALL_PHONE):
        page.set_viewport_size(size)
        for place in range(links.count()):
            links.nth(place).evaluate("link => link.click()")
            expect(links.nth(place)).to_have_attribute("aria-current", "true")
            calm(page)
            in_sight(page, ".phone", size)
            seen += 1
        page.get_by_role("button", name="Preview").click()
        calm(page)
        in_sight(page, ".stage", size)
        page.get_by_role("button", name="Edit", exact=True).click()
    assert seen == 2 * links.count()


def in_sight(page: Page, place: str, size: ViewportSize) -> None:
    page.evaluate("scrollTo(0, 0)")
    frame = page.locator(place).bounding_box()
    assert frame is not None, place
    shown = min(frame["y"] + frame["height"], size["height"]) - frame["y"]
    said = page.locator("#editor-heading").text_content()
    assert shown >= min(LEAST_IN_SIGHT, frame["height"]), (said, place, size, frame)


@pytest.mark.soak
def test_settings_open_with_one_press_and_stay_open(simple: Callable[..., Page]) -> None:
    survey_import(workplace(), by="ana")
    page = simple("workplace")
    expect(page.get_by_label("Add a language")).to_be_hidden()
    settings(page).click()
    expect(page.get_by_label("Add a language")).to_be_visible()
    part(page, "Your work")
    expect(page.get_by_role("button", name="Delete: Your work")).to_be_visible()
    fits(page)
    settings(page).click()
    part(page, "What you kept to yourself")
    expect(page.get_by_role("button", name="Delete: What you kept")).to_be_hidden()


@pytest.mark.soak
def test_a_problem_inside_folded_settings_is_counted_and_opened(simple: Callable[..., Page]) -> None:
    document = workplace()
    document["time_zone"] = "Mars/Olympus"
    drafted(document)
    page = simple("workplace")
    expect(settings(page)).to_contain_text("1 to do")
    expect(page.get_by_label("Time zone")).to_be_hidden()
    page.locator(".todo-jump").first.click()
    # It is two folds deep.
    expect(page.get_by_label("Time zone")).to_be_focused()


@pytest.mark.soak
def test_parts_are_added_with_two_presses_and_to_an_empty_survey_with_one(
    simple: Callable[..., Page],
) -> None:
    drafted(long_document(0))
    page = simple("long")
    expect(page.get_by_role("button", name="Add a protected part")).to_be_visible()
    calm(page)
    fits(page)
    page.get_by_role("button", name="Add a protected part").click()
    expect(page.locator("#editor-heading")).to_have_text("Part 1 of 1")
    calm(page)
    expect(page.get_by_role("button", name="Add an unprotected part")).to_be_hidden()
    page.get_by_text("Add a part", exact=True).click()
    page.get_by_role("button", name="Add an unprotected part").click()
    expect(page.locator("#editor-heading")).to_have_text("Part 2 of 2")


@pytest.mark.soak
def test_buttons_of_an_option_appear_where_one_works(simple: Callable[..., Page]) -> None:
    survey_import(workplace(), by="ana")
    page = simple("workplace", "#blocks[0].questions[0]")
    rows = page.locator(".option-row")
    page.mouse.move(0, 0)
    page.locator("#editor-heading").focus()
    expect(rows.nth(0).get_by_role("button", name="Delete")).to_be_hidden()
    rows.nth(0).locator("textarea:visible").focus()
    expect(rows.nth(0).get_by_role("button", name="Delete")).to_be_visible()
    expect(rows.nth(1).get_by_role("button", name="Delete")).to_be_hidden()
    for _ in range(2):  # "Up" is disabled in the first row.
        page.keyboard.press("Tab")
    expect(rows.nth(0).get_by_role("button", name="Delete")).to_be_focused()


@pytest.mark.soak
@pytest.mark.parametrize("languages", [1, len(LANGUAGES)])
@pytest.mark.few("20", why="it has the most text")
def test_sixty_questions_and_twenty_languages_fit(simple: Callable[..., Page], languages: int) -> None:
    document = long_document(60)
    document["languages"] = LANGUAGES[:languages]
    for tag in LANGUAGES[1:languages]:
        document["title"][tag] = f"Long ({tag})"
    drafted(document)
    page = simple("long", "#blocks[0].questions[59]")
    expect(page.locator(".outline-link")).to_have_count(3 + 1 + 60)
    calm(page)
    fits(page)
    part(page, "Title, languages")
    calm(page)
    shown = page.locator("[data-field^='title.']:visible")
    expect(shown).to_have_count(1)
    if languages > 1:
        choice = page.get_by_label("Language of the texts")
        choice.select_option("fr")
        expect(page.locator("[data-field='title.fr']")).to_be_visible()
        expect(shown).to_have_count(1)
        fits(page)
        # Beside the phone, a text stands next to the one in the first language.
        part(page, "Information for respondents")
        expect(page.locator("[data-field^='about.purpose.']:visible")).to_have_count(1)
        expect(page.locator("[data-field^='about.population.']:visible")).to_have_count(2)
        fits(page)


@pytest.mark.soak
def test_a_missing_text_in_a_hidden_language_is_shown_when_its_problem_is_pressed(
    simple: Callable[..., Page],
) -> None:
    document = long_document(1)
    document["languages"] = LANGUAGES[:5]
    document["title"] = dict.fromkeys(LANGUAGES[:5], "Long")
    document["about"] = {name: dict.fromkeys(LANGUAGES[:5], "Known") for name in workplace()["about"]}
    document["blocks"][0]["title"] = dict.fromkeys(LANGUAGES[:5], "All")
    document["blocks"][0]["questions"][0]["text"] = dict.fromkeys(["en", "de", "fr", "es"], "Is it?")
    drafted(document)
    page = simple("long")
    expect(page.locator("[data-field='title.it']")).to_be_hidden()
    page.locator(".todo-jump").filter(has_text="Is it?").first.click()
    expect(page.locator("[data-field='blocks[0].questions[0].text.it']")).to_be_focused()


@pytest.mark.soak
def test_the_phone_speaks_an_added_language_once_it_is_saved(simple: Callable[..., Page]) -> None:
    """It did so only when something else drew the form again."""
    drafted(long_document(2))
    page = simple("long")
    held: list[Route] = []
    page.route("**/build/save", lambda route: held.append(route))
    settings(page).click()
    page.get_by_label("Add a language").fill("zh-hans")
    page.get_by_role("button", name="Add", exact=True).click()
    part(page, "Is it true that 0")
    page.get_by_label("Language of the texts").select_option("zh-hans")

    def is_saving() -> bool:
        page.wait_for_timeout(50)
        return len(held) > 0

    wait_until(is_saving, what="the save")
    expect(page.locator(".phone-choices")).to_have_text("YesNo")
    held[0].continue_()
    expect(page.locator(".phone-choices")).to_have_text("是否")
    expect(page.locator(".phone .tag")).to_have_text("原样保存")


@pytest.mark.soak
def test_a_rule_and_who_is_disguised_are_edited_beside_what_respondents_see(
    simple: Callable[..., Page],
) -> None:
    drafted(screening_document())
    page = simple("screening")
    part(page, "Who is disguised")
    phone = page.locator(".builder-editor .phone")
    expect(phone).to_contain_text("Respondents see no screen about this.")
    page.locator(".builder-beside").get_by_label("Each respondent chooses").check()
    expect(phone).to_contain_text("How do you want to answer?")
    expect(phone).to_contain_text("This is safer for you.")
    page.get_by_role("radio", name="Undisguised Their true").check()
    expect(phone).to_contain_text("People who work with the database can read them.")
    page.get_by_label("The phone chooses at random").check()
    page.get_by_label("Share of the other respondents").fill("35")
    expect(phone).to_contain_text("35 in 100 devices")
    fits(page)
    part(page, "any?")
    expect(page.locator(".builder-editor .phone-line")).to_have_count(10)
    page.locator(".builder-beside").get_by_role("radio", name="How many of these").check()
    expect(page.get_by_label("Name of level 3, English")).to_have_value("2 or more")
    fits(page)
