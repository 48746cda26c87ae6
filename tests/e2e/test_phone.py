"""The builder's phone: researchers press a text where respondents read it, and type there."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from surveys.authoring.drafts import draft_create
from surveys.models import StaffPreference, Survey
from tests.e2e.judged import buttons_out_of_sight, violations_light_and_dark, width_of
from tests.e2e.survey import in_arabic, workplace
from tests.fixtures.composite_drafts import screening_document

pytestmark = pytest.mark.django_db(transaction=True)

YEARS = "blocks[0].questions[0]"
STYLES = ["color", "fontFamily", "fontSize", "fontWeight", "letterSpacing", "lineHeight"]
SHOWN = f"(node) => {STYLES}.map((name) => getComputedStyle(node)[name])"
# Where the letters begin, from the edge of the page or of the phone.
BEGINS = """(node) => {
  const style = getComputedStyle(node);
  const edge = node.closest(".phone")?.getBoundingClientRect().x ?? -1;
  const own = [style.paddingLeft, style.borderLeftWidth].map(parseFloat);
  const within = node.matches("textarea") ? own[0] + own[1] : 0;
  return Math.round(node.getBoundingClientRect().x + within - edge - 1);
}"""


@pytest.fixture
def build(researcher: Callable[..., Page]) -> Callable[..., Page]:
    """Return a function that drafts a survey and opens its builder in simple view."""

    def open_page(document: dict[str, Any], place: str, **options: Any) -> Page:
        if not Survey.objects.filter(slug=document["slug"]).exists():
            draft_create(document, slug=document["slug"], by="ana", now=timezone.now(), source="file")
        StaffPreference.objects.update(is_expert=False)
        page = researcher(f"surveys/{document['slug']}/build/#{place}", **options)
        page.locator(".phone").wait_for()
        return page

    return open_page


def field(page: Page, place: str) -> Locator:
    return page.locator(f'.phone [data-field="{place}"]')


def saved(page: Page) -> dict[str, Any]:
    expect(page.locator("#saving")).to_have_text("Saved")
    document: dict[str, Any] = Survey.objects.get().definition
    return document


def fits(page: Page) -> None:
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert width_of(page) <= width
        assert buttons_out_of_sight(page) == []
        assert violations_light_and_dark(page) == {}, width


@pytest.mark.soak
def test_texts_are_typed_where_respondents_read_them(build: Callable[..., Page]) -> None:
    page = build(workplace(), YEARS)
    # Each is there once: on the phone, not in a form as well.
    assert page.locator(f'[data-field="{YEARS}.text.en"]').count() == 1
    field(page, f"{YEARS}.text.en").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("How many years?")
    page.keyboard.press("Enter")
    expect(field(page, f"{YEARS}.help.en")).to_be_focused()
    page.keyboard.type("Count training too.")
    page.keyboard.press("Enter")
    expect(field(page, f"{YEARS}.options[0].text.en")).to_be_focused()
    question = saved(page)["blocks"][0]["questions"][0]
    assert (question["text"]["en"], question["help"]) == ("How many years?", {"en": "Count training too."})
    expect(page.locator(".outline-link[aria-current]")).to_contain_text("How many years?")

    # Escape restores what was there, and Shift+Enter begins a line.
    before = question["options"][0]["text"]["en"]
    page.keyboard.type("Not this")
    page.keyboard.press("Escape")
    expect(field(page, f"{YEARS}.options[0].text.en")).to_have_value(before)
    expect(field(page, f"{YEARS}.options[0].text.en")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("(or so)")
    assert saved(page)["blocks"][0]["questions"][0]["options"][0]["text"]["en"] == f"{before}\n(or so)"

    # The part's title and introduction, and the survey's title.
    page.locator("#o-blocks-0-").click()
    field(page, "blocks[0].help.en").fill("Three questions about your job.")
    page.locator("#o-head").click()
    field(page, "title.en").fill("Work")
    document = saved(page)
    assert (document["blocks"][0]["help"]["en"], document["title"]["en"]) == (
        "Three questions about your job.",
        "Work",
    )
    page.reload()
    expect(field(page, f"{YEARS}.text.en")).to_have_value("How many years?")


@pytest.mark.soak
def test_information_and_the_questions_of_one_answer_are_typed_on_the_phone(
    build: Callable[..., Page],
) -> None:
    document = screening_document()
    at = next(place for place, block in enumerate(document["blocks"]) if "computed" in block["questions"][0])
    answer = f"blocks[{at}].questions[0]"
    page = build(document, answer)
    page.locator("#o-about").click()
    field(page, "about.researcher.en").fill("Ana, Example University")
    page.keyboard.press("Enter")
    expect(field(page, "about.purpose.en")).to_be_focused()
    # Each is there once, and what only readers of the report need is beside the phone.
    assert page.locator('[data-field="about.researcher.en"]').count() == 1
    assert page.locator('.phone [data-field="about.population.en"]').count() == 0
    fits(page)
    assert saved(page)["about"]["researcher"]["en"] == "Ana, Example University"

    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator(f"#o-blocks-{at}-questions-0-").click()
    first = field(page, f"{answer}.computed.components[0].text.en")
    first.fill("Did you feel down?")
    page.keyboard.press("Enter")
    expect(field(page, f"{answer}.computed.components[1].text.en")).to_be_focused()
    fits(page)
    assert (
        saved(page)["blocks"][at]["questions"][0]["computed"]["components"][0]["text"]["en"]
        == "Did you feel down?"
    )


@pytest.mark.soak
def test_enter_adds_answers_and_what_was_added_or_removed_can_be_undone(build: Callable[..., Page]) -> None:
    page = build(workplace(), YEARS)
    answers = page.locator(".phone .option-row textarea:visible")
    expect(answers).to_have_count(3)
    expect(page.locator("#builder-redo")).to_be_hidden()
    answers.nth(1).focus()
    page.keyboard.press("Enter")
    expect(answers.nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type("All my life")
    page.keyboard.press("Enter")
    page.keyboard.type("I have retired")
    expect(answers).to_have_count(5)
    said = [option["text"].get("en") for option in saved(page)["blocks"][0]["questions"][0]["options"]]
    assert said[3:] == ["All my life", "I have retired"]
    answers.nth(3).focus()
    page.get_by_role("button", name="Delete Option 4").click()
    expect(answers).to_have_count(4)
    expect(answers.last).to_have_value("I have retired")
    undo, redo = page.locator("#builder-undo"), page.locator("#builder-redo")
    undo.click()
    expect(answers).to_have_count(5)
    # Nothing is between the two.
    assert redo.evaluate("node => node.previousElementSibling.id") == "builder-undo"
    redo.click()
    expect(answers).to_have_count(4)
    page.get_by_role("button", name="Add an option").click()
    expect(answers.nth(4)).to_be_focused()
    saved(page)
    # The empty one is named where it is, and fits the other language too.
    expect(page.locator(".phone .option-row").nth(4).locator(".remark:visible")).to_have_text(
        "To be written."
    )
    fits(page)


@pytest.mark.soak
def test_the_first_press_after_typing_a_new_question_counts(build: Callable[..., Page]) -> None:
    """Leaving the text names the question, which used to draw the outline again under the pointer."""
    page = build(workplace(), "blocks[0]")
    page.locator("#o-blocks-0-").click()
    page.locator('[data-menu="kinds"] > summary').click()
    page.get_by_role("button", name="Add yes or no").click()
    page.keyboard.type("Do you like your work?")
    page.locator("#o-head").click()
    expect(page.locator("#editor-heading")).to_have_text("Title, languages, times")
    assert saved(page)["blocks"][0]["questions"][-1]["key"] == "like-work"


@pytest.mark.soak
def test_enter_that_completes_a_chinese_word_commits_nothing(build: Callable[..., Page]) -> None:
    page = build(workplace(), YEARS)
    area = field(page, f"{YEARS}.text.en")
    area.focus()
    area.evaluate(
        "(node) => node.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, cancelable: true}))"
    )
    expect(area).to_be_focused()


@pytest.mark.soak
def test_the_phone_speaks_one_language_of_the_survey_at_a_time(build: Callable[..., Page]) -> None:
    page = build(workplace(), "blocks[1].questions[0]")
    phone = page.locator(".phone")
    expect(phone.get_by_text("Disguised", exact=True)).to_be_visible()
    english = field(page, "blocks[1].questions[0].text.en").input_value()
    page.get_by_label("Language of the texts").select_option("zh-hans")
    expect(phone.get_by_text("受保护", exact=True)).to_be_visible()
    expect(phone.locator("li").first).to_have_text("是")
    expect(field(page, "blocks[1].questions[0].text.en")).to_be_hidden()
    field(page, "blocks[1].questions[0].text.zh-hans").fill("您有没有隐瞒过错误？")
    text = saved(page)["blocks"][1]["questions"][0]["text"]
    assert text == {"en": english, "zh-hans": "您有没有隐瞒过错误？"}
    # The respondents' page follows, and leads back.
    page.get_by_role("button", name="Preview").click()
    expect(page.frame_locator("iframe").locator("h1")).to_have_text("在工作中说出来")
    page.get_by_label("Language of the preview").select_option("en")
    expect(page.frame_locator("iframe").locator("h1")).to_have_text("Speaking up at work")
    page.get_by_role("button", name="Edit").click()
    expect(field(page, "blocks[1].questions[0].text.en")).to_be_visible()


@pytest.mark.soak
def test_the_phone_looks_like_the_respondents_page(
    build: Callable[..., Page], researcher: Callable[..., Page]
) -> None:
    document = workplace()
    document["blocks"][0]["questions"][0]["help"] = {"en": "Help", "zh-hans": "帮助"}
    page = build(document, YEARS)
    real = researcher("surveys/workplace/build/preview/?language=en")
    real.set_viewport_size({"width": 390, "height": 800})
    real.get_by_role("button", name="Start").click()
    pairs = {
        f"{YEARS}.text.en": real.locator("#root legend h2"),
        f"{YEARS}.help.en": real.locator("#root .hint").first,
        f"{YEARS}.options[0].text.en": real.locator("#root .choices label span").first,
    }
    for place, theirs in pairs.items():
        expect(theirs).to_be_visible()
        assert field(page, place).evaluate(SHOWN) == theirs.evaluate(SHOWN), place
        assert abs(field(page, place).evaluate(BEGINS) - theirs.evaluate(BEGINS)) <= 2, place


@pytest.mark.soak
def test_two_editors_on_one_phone_are_told_and_lose_nothing(build: Callable[..., Page]) -> None:
    first, second = build(workplace(), YEARS), build(workplace(), YEARS)
    field(first, f"{YEARS}.text.en").fill("Of the first")
    saved(first)
    field(second, f"{YEARS}.options[0].text.en").fill("Of the second")
    expect(second.get_by_role("alert")).to_contain_text("ana")
    expect(field(second, f"{YEARS}.options[0].text.en")).to_have_value("Of the second")
    second.get_by_role("button", name="Use their version").click()
    expect(field(second, f"{YEARS}.text.en")).to_have_value("Of the first")
    second.locator("#builder-undo").click()
    expect(field(second, f"{YEARS}.options[0].text.en")).to_have_value("Of the second")


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.soak
def test_long_and_emptied_texts_fit_and_are_named_at_their_place(
    build: Callable[..., Page], language: str
) -> None:
    document = in_arabic(workplace())
    page = build(document, YEARS)
    if language != "en":
        page.goto(page.url.replace("/en/", f"/{language}/"))
        page.locator(".phone").wait_for()
    select = page.locator("#editor-language")
    for tag, text in (("en", "Incomprehensibilities" * 40), ("ar", "كلمة طويلة جدا " * 60)):
        select.select_option(tag)
        field(page, f"{YEARS}.text.{tag}").fill(text)
        field(page, f"{YEARS}.options[1].text.{tag}").fill(text[:300])
        field(page, f"{YEARS}.options[0].text.{tag}").fill("")
        expect(page.locator("#saving[data-state=saved]")).to_be_visible()
        row = page.locator(".phone .option-row").first
        expect(row.locator(".remark:visible")).to_be_visible()
        # All of a text is in sight.
        for area in page.locator(".phone textarea:visible").all():
            assert area.evaluate("(node) => node.scrollHeight - node.clientHeight") <= 1
        fits(page)


@pytest.mark.soak
def test_a_link_to_a_question_keeps_the_readers_language(build: Callable[..., Page]) -> None:
    page = build(workplace(), YEARS)
    expect(field(page, f"{YEARS}.text.en")).to_be_focused()
    page.goto(page.url.replace("/en/", "/zh-hans/"))
    expect(field(page, f"{YEARS}.text.zh-hans")).to_be_focused()
    # A problem names the language.
    page.goto(page.url.split("#")[0] + f"#{YEARS}.text.en")
    page.reload()
    expect(field(page, f"{YEARS}.text.en")).to_be_focused()
