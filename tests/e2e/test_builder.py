"""A researcher builds surveys in a browser: from a template, by keyboard, in two tabs, from files."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import APIResponse, FrameLocator, Page, Route, expect

from privacy.risk.budget import budget
from surveys.authoring.drafts import survey_import
from surveys.models import Survey
from surveys.questionnaire.definition import definition_read
from tests.conftest import wait_until
from tests.e2e.judged import buttons_out_of_sight, violations, violations_light_and_dark, width_of
from tests.e2e.survey import workplace
from tests.e2e.tap import LATER
from tests.fixtures.everyday import everyday_definition
from tests.fixtures.workbooks import workbook

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 390, "height": 844}

COMPLETE = re.compile("No problems left|Nothing stops you from publishing|Enough for practice")
"""What the builder says of a complete draft: nothing is left, or which warnings or gaps are."""

# A script, because the driver's clicks miss in a scaled frame of another origin.
ANSWER_AND_GO_ON = """
async () => {
  const root = document.getElementById("root");
  const control = root.querySelector(":scope > fieldset input");
  if (control && !control.checked) { control.click(); }
  // The first screen has a button before these, to try the coins.
  (root.querySelector(".actions button.button") ?? root.querySelector(".note button.button"))?.click();
  await new Promise((done) => setTimeout(done, 30));
}
"""


def saved(page: Page) -> None:
    expect(page.locator("#saving")).to_have_text("Saved")


def part(page: Page, name: str) -> None:
    page.locator(".outline-link").filter(has_text=name).first.click()


def field(page: Page, place: str) -> Any:
    return page.locator(f'[data-field="{place}"]')


def preview(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


def fits(page: Page) -> None:
    assert width_of(page) <= page.evaluate("innerWidth")
    assert buttons_out_of_sight(page) == []
    # Sticky elements may cover content that is scrolled below them.
    page.evaluate("scrollTo(0, 0)")
    assert violations(page) == "[]"


def fits_both(page: Page) -> None:
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        fits(page)


@pytest.mark.soak
def test_the_title_is_reached_by_keyboard_within_ten_stops(researcher, live_server):
    """The skip link counts as a stop; outline, to-do list and actions are one stop each."""
    page = researcher("surveys/new")
    page.get_by_role("button", name="Speaking up at work").click()
    page.get_by_role("button", name="Save the plan").click()
    page.locator(".todo-jump").first.wait_for()
    page.locator(".skip-link").focus()
    page.keyboard.press("Enter")
    stops = 1
    while page.evaluate("document.activeElement.dataset.field") != "title.en":
        page.keyboard.press("Tab")
        stops += 1
        assert stops <= 10
    # Arrow keys move within a list, and Enter opens the focused entry.
    page.locator(".outline-link").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#editor-heading")).to_have_text("Information for respondents")
    page.locator(".outline-link").first.focus()
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="Add a place")).to_be_focused()


@pytest.mark.soak
def test_a_press_is_not_lost_when_the_draft_is_saved_while_it_lasts(researcher, live_server):
    """The answer to a save draws the outline again; a link that is replaced meanwhile gets no click."""
    survey_import(workplace(slug="pressed"), by="rosa")
    page = researcher("surveys/pressed/build")
    link = page.locator(".outline-link").nth(3)
    expect(link).not_to_be_empty()
    said = link.text_content()
    field(page, "title.en").fill("Another title")
    expect(page.locator("#saving")).not_to_have_text("Saved")
    link.hover()
    page.mouse.down()
    saved(page)
    page.wait_for_timeout(300)
    page.mouse.up()
    expect(page.locator(".outline-link[aria-current]")).to_have_text(said)


@pytest.mark.soak
def test_a_template_becomes_a_bilingual_survey_with_a_privacy_panel(researcher, live_server):
    page = researcher("surveys/new")
    fits(page)
    page.get_by_text("Languages and address").click()
    page.get_by_label("Address").fill("work-2026")
    page.get_by_role("button", name="Speaking up at work").click()
    expect(page.get_by_role("button", name="Save the plan")).to_be_visible()
    fits(page)
    page.get_by_role("button", name="Save the plan").click()

    # For practice, the template's gaps may stay empty. A live survey needs them filled.
    expect(page.get_by_text(COMPLETE)).to_be_visible()
    part(page, "Information for respondents")
    expect(field(page, "about.researcher.en")).to_be_visible()
    for language, said in (("zh-hans", "心"), ("en", "Ana, Example University")):
        page.get_by_label("Language of the texts").select_option(language)
        expect(field(page, f"about.researcher.{language}")).to_be_visible()
        for area in page.locator(".phone textarea:visible").all():
            area.fill(said)
    # Below the phone: what only the report says.
    for area in page.locator(
        "[data-field^='about.'] textarea:visible, textarea[data-field^='about.']:visible"
    ).all():
        area.fill("心" if area.get_attribute("lang") == "zh-hans" else "Ana, Example University")
    saved(page)
    expect(page.get_by_text(COMPLETE)).to_be_visible()
    fits(page)

    # The protection is set here, and its cost is updated immediately and equals the server's.
    part(page, "What you have seen and done at work")
    before = page.locator("[data-total]").inner_text()
    page.get_by_text("For experts").first.click()
    field(page, "blocks[1].truth_probability").fill("12.345")
    expect(page.get_by_text("with at most two decimals")).to_be_visible()
    field(page, "blocks[1].truth_probability").fill("45.67")
    expect(page.locator("[data-total]")).not_to_have_text(before)
    saved(page)
    survey = Survey.objects.get(slug="work-2026")
    assert survey.definition["blocks"][1]["truth_probability"] == 4567
    fits(page)

    # The preview is the respondent's page in either language, and sends nothing.
    page.get_by_role("button", name="Preview").click()
    expect(
        preview(page).get_by_role("heading", name="Try it: did you have tea this morning?")
    ).to_be_visible()
    old: list[tuple[Route, APIResponse]] = []
    page.route("**/build/preview/**", lambda route: old.append((route, route.fetch())), times=1)
    page.get_by_role("button", name="From the start").click()
    wait_until(lambda: page.wait_for_timeout(50) or old, what="the preview's request")
    part(page, "Title, languages, times")
    field(page, "title.en").fill("Saved while the preview was loading")
    saved(page)
    page.get_by_role("button", name="Preview").click()
    (route, response) = old[0]
    route.fulfill(response=response)
    expect(preview(page).locator("h1")).to_have_text("Saved while the preview was loading")
    choice = page.get_by_label("Language of the preview")
    choice.select_option("zh-hans")
    expect(preview(page).locator("h1")).to_have_text(survey.definition["title"]["zh-hans"])
    choice.select_option("en")
    expect(preview(page).locator("h1")).to_have_text("Saved while the preview was loading")
    page.frames[1].wait_for_load_state()

    with page.expect_response("**/build/preview/**"):
        page.get_by_role("button", name="From the start").click()
    # Its last part has arrived once this is there.
    preview(page).locator("details .digest").first.wait_for(state="attached")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    frame = page.frames[1]
    for _ in range(40):
        if "what would have been sent" in frame.locator("#root").inner_text():
            break
        frame.evaluate(ANSWER_AND_GO_ON)
    expect(preview(page).get_by_text("Answers as sent", exact=True)).to_be_visible()
    # Two questions on what was understood: a wrong answer is corrected.
    preview(page).get_by_role("button", name="Show the two questions").click()
    preview(page).get_by_label("Always my true answer").check()
    expect(
        preview(page).get_by_text("That is not right. The right answer: “My true answer or")
    ).to_be_visible()
    preview(page).get_by_label("They cannot be sure what my true answer is").check()
    expect(preview(page).get_by_text("That is right.")).to_be_visible()
    # The preview loads these questions last; a survey that is sent never does.
    asked_last = re.compile(r".*/program/[0-9a-f]{64}/understanding(-[a-z-]+)?\.js")
    assert [url for url in requests if not (LATER.fullmatch(url) or asked_last.fullmatch(url))] == []

    # Deletions can be undone, and buttons move parts.
    part(page, "What you have seen and done at work")
    page.get_by_role("button", name="Delete: What you have seen and done at work").click()
    expect(page.get_by_text("Deleted: What you have seen and done at work.")).to_be_visible()
    page.locator("[data-area=undo]").get_by_role("button", name="Undo").click()
    expect(
        page.locator(".outline-link").filter(has_text="What you have seen and done at work")
    ).to_be_visible()
    page.locator('[data-part="blocks[1]"] .outline-link').click()
    page.get_by_role("button", name="Move up: ").click()
    expect(page.locator("#announcement")).to_contain_text("is now number 1 of 2")
    saved(page)
    live = page.locator("[data-total]").inner_text()

    page.get_by_role("link", name="Publish …").click()
    fits(page)
    expect(page.get_by_role("link", name="What respondents will see")).to_be_visible()
    # A draft starts in practice mode; this one becomes live.
    page.get_by_role("button", name="Make it live").click()
    page.get_by_label("I have seen what is readable").check()
    page.get_by_role("button", name="Publish version 1", exact=True).click()
    survey.refresh_from_db()
    version = survey.versions.get()
    keys = [block["key"] for block in survey.definition["blocks"]]
    assert (survey.state, [block["key"] for block in version.design["blocks"]]) == ("open", keys)
    assert live == f"ε {budget(version.to_design()).epsilon:.2f}"
    fits(page)
    page.goto(f"{live_server.url}/zh-hans/s/work-2026/")
    expect(page.locator("h1")).to_have_text(survey.definition["title"]["zh-hans"])

    # A changed wording creates a new version; the page shows the difference first. Then the survey is closed.
    page.goto(f"{live_server.url}/en/staff/surveys/work-2026/build/")
    field(page, "title.en").fill("Speaking up, again")
    saved(page)
    page.get_by_role("link", name="Publish …").click()
    expect(page.locator('[aria-labelledby="changes"] .changes li')).to_have_count(1)
    expect(page.locator('[aria-labelledby="changes"] .changes')).to_contain_text("Speaking up, again")
    page.get_by_label("I have seen what is readable").check()
    page.get_by_role("button", name="Publish version 2").click()
    page.get_by_role("link", name="Close survey …").click()
    fits(page)
    page.get_by_label("Also stop accepting answers that were sealed before closing").check()
    page.get_by_label("Type the survey's address to confirm").fill("work-2026")
    page.get_by_role("button", name="Close the survey").click()
    expect(page.get_by_text("The survey is closed.")).to_be_visible()
    survey.refresh_from_db()
    assert survey.state == "closed"


def test_a_survey_can_be_built_with_the_keyboard_alone(researcher):
    page = researcher("surveys/new", viewport=PHONE)
    press, write = page.keyboard.press, page.keyboard.insert_text

    def reach(name: str, role: Any = "button", key: str = "Tab") -> None:
        """Press this key until something with this name has the focus."""
        target = page.get_by_role(role, name=name, exact=True).first.element_handle()
        for _ in range(120):
            press(key)
            if target.evaluate("node => node === document.activeElement"):
                return
        raise AssertionError(f"Tab does not lead to {name}")

    def said(text: str) -> None:
        expect(page.locator("#announcement")).to_contain_text(text)

    reach("Title of an empty survey", "textbox")
    write("Sleep")
    press("Enter")
    expect(page).to_have_url(re.compile("/surveys/sleep/build/"))
    expect(page.get_by_role("button", name="Add a protected part")).to_be_visible()
    reach("Title, languages, times 1 to do")
    reach("Add a protected part", key="ArrowDown")
    press("Enter")
    write("Nights")
    reach("Add yes or no")
    press("Enter")
    write("Do you lie awake at night?")
    reach("Duplicate: Do you lie awake at night?")
    press("Enter")
    said("Duplicated")
    saved(page)
    document = Survey.objects.get(slug="sleep").definition
    assert [question["key"] for question in document["blocks"][0]["questions"]] == [
        "lie-awake-night",
        "lie-awake-night-2",
    ]

    # The copy is reworded, becomes a choice, and moves up. The button that moved it keeps the focus.
    field(page, "blocks[0].questions[1].text.en").focus()
    press("Control+A")
    write("How long do you sleep?")
    reach("Yes or no", "radio")
    press("ArrowDown")
    field(page, "blocks[0].questions[1].options[0].text.en").focus()
    write("Short")
    field(page, "blocks[0].questions[1].options[1].text.en").focus()
    write("Long")
    field(page, "blocks[0].questions[1].unrelated[0]").focus()
    press("Control+A")
    write("40")
    expect(page.get_by_text("but must be 100.00%")).to_be_visible()
    fits(page)
    reach("Scale to 100")
    press("Enter")
    expect(field(page, "blocks[0].questions[1].unrelated[0]")).to_have_value("44.44")
    page.get_by_role("button", name="Move up: How long").focus()
    press("Enter")
    said("How long do you sleep? is now number 1 of 2 in Nights.")
    expect(page.get_by_role("button", name="Move down: How long")).to_be_focused()
    page.get_by_role("button", name="Outline").focus()
    press("Enter")
    page.locator("#o-blocks-0-questions-0-").focus()
    press("Alt+ArrowDown")
    said("How long do you sleep? is now number 2 of 2 in Nights.")
    expect(page.locator("#o-blocks-0-questions-1-")).to_be_focused()
    fits(page)
    page.get_by_role("button", name="Privacy").focus()
    press("Enter")
    # Skips are the most revealing rows of this part.
    told = re.compile(r"about \d+ in 100 whose device sends “skipped” did skip")
    expect(page.get_by_text(told).first).to_be_visible()
    fits(page)
    page.get_by_role("button", name="Preview").focus()
    press("Enter")
    expect(
        preview(page).get_by_role("heading", name="Try it: did you have tea this morning?")
    ).to_be_visible()

    # Arabic fields are right to left.
    page.get_by_role("button", name="Outline").focus()
    press("Enter")
    page.locator("#o-head").focus()
    press("Enter")
    reach("Add a language", "combobox")
    write("ar")
    press("Enter")
    said("Added")
    expect(field(page, "title.ar")).to_have_attribute("dir", "rtl")
    saved(page)
    fits(page)


@pytest.mark.soak
def test_two_tabs_and_network_failures_lose_no_edits(researcher):
    survey_import(workplace(slug="twice"), by="ana")
    first = researcher("surveys/twice/build/")
    second = researcher("surveys/twice/build/")
    field(first, "title.en").fill("Of the first tab")
    saved(first)
    field(second, "title.en").fill("Of the second tab")
    expect(second.get_by_role("alert")).to_contain_text("Another tab changed this survey.")
    expect(second.get_by_role("alert")).to_contain_text("ana")
    fits(second)
    assert Survey.objects.get(slug="twice").definition["title"]["en"] == "Of the first tab"

    # Keep my version; theirs is one Undo away.
    second.get_by_role("button", name="Keep my version").click()
    saved(second)
    assert Survey.objects.get(slug="twice").definition["title"]["en"] == "Of the second tab"
    second.locator("#builder-undo").click()
    expect(field(second, "title.en")).to_have_value("Of the first tab")
    second.locator("#builder-redo").click()
    saved(second)

    # Use their version; mine is one Undo away.
    field(first, "title.en").fill("Of the first tab, late")
    first.get_by_role("button", name="Use their version").click()
    expect(field(first, "title.en")).to_have_value("Of the second tab")
    first.locator("#builder-undo").click()
    expect(field(first, "title.en")).to_have_value("Of the first tab, late")
    saved(first)

    # Without a network the page says so, leaving needs confirmation, and everything is saved afterwards.
    first.context.set_offline(True)
    field(first, "title.en").fill("Written on a train")
    expect(first.get_by_role("alert")).to_contain_text("No connection to the server.")
    asked: list[str] = []
    first.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    with first.expect_event("dialog"):
        first.close(run_before_unload=True)
    expect(field(first, "title.en")).to_have_value("Written on a train")
    assert asked == ["beforeunload"]
    first.context.set_offline(False)
    saved(first)
    assert Survey.objects.get(slug="twice").definition["title"]["en"] == "Written on a train"

    # After a log-out the page says so and keeps the text.
    first.context.clear_cookies()
    field(first, "title.en").fill("Written after the log-out")
    expect(first.get_by_role("alert")).to_contain_text("You are logged out.")
    expect(field(first, "title.en")).to_have_value("Written after the log-out")


@pytest.mark.soak
def test_an_undone_or_replaced_draft_stays_among_the_earlier_saves(researcher):
    """A draft that was saved within a minute used to be missing after Undo or Restore and a reload."""
    survey_import(workplace(slug="kept"), by="ana")
    before = Survey.objects.get().definition["title"]["en"]
    page = researcher("surveys/kept/build/")
    title = field(page, "title.en")

    def titles() -> list[str]:
        return [save.definition["title"]["en"] for save in Survey.objects.get().draft_revisions.all()]

    title.fill("Typed")
    saved(page)
    page.locator("#builder-undo").click()
    saved(page)
    assert titles() == [before, "Typed"]
    title.fill("Typed again")
    saved(page)
    assert titles() == ["Typed again", "Typed"]
    page.goto(page.url.removesuffix("/") + "/saves")
    page.get_by_role("button", name="Restore this draft").click()
    page.wait_for_url("**/build/")
    assert titles() == ["Typed", "Typed again", "Typed"]


@pytest.mark.soak
def test_import_errors_are_listed_by_position(researcher):
    raw = workbook(
        survey=[["type", "name", "label"], ["select_one nowhere", "q1", "A?"], ["text", "q2", "B?"]],
        choices=[["list_name", "name", "label"], ["other", "yes", "Yes"]],
    )
    page = researcher("surveys/new")

    def send(name: str, content: bytes) -> None:
        page.get_by_label("Or choose a file").set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        )
        page.get_by_role("button", name="Create draft").click()

    send("Sleep Study.xlsx", raw)
    errors = page.get_by_role("alert").locator("tbody tr")
    expect(errors.first).to_contain_text("nothing in this file can be asked here")
    expect(errors.nth(1)).to_contain_text("survey, row 2")
    expect(errors.nth(1)).to_contain_text("List name not in choices sheet: nowhere")
    fits(page)
    send("sleep.json", b'{"sotto": 1,')
    expect(errors).to_contain_text("line 1")
    assert not Survey.objects.exists()

    # An incomplete definition becomes a draft, with each to-do in its place.
    document = workplace(slug="other")
    del document["practice"], document["blocks"][1]["questions"][0]["text"]
    document["blocks"][2]["questions"][0]["unrelated"] = [3400, 3300, 3200]
    send("sleep.json", json.dumps(document).encode())
    page.get_by_role("link", name="Open the builder").first.click()
    expect(page.locator(".todo-jump")).to_have_count(1)
    page.locator(".todo-jump").first.click()
    either = page.get_by_role("group", name="Practice or live").get_by_role("radio")
    expect(either).to_have_count(2)
    for radio in either.all():
        expect(radio).not_to_be_checked()
    either.first.check()
    expect(page.locator(".todo-jump")).to_have_count(2)
    page.locator(".todo-jump").nth(1).click()
    settings = page.get_by_role("region", name="Settings of what is on the phone")
    expect(settings.locator(".remark:visible").first).to_contain_text("9900")
    page.get_by_role("button", name="Scale to 100").click()
    expect(page.locator(".todo-jump")).to_have_count(1)
    page.get_by_role("link", name="Publish …").click()
    expect(page.get_by_text("1 problem to fix", exact=True)).to_be_visible()
    assert not Survey.objects.get().versions.exists()


@pytest.mark.soak
def test_places_and_sliders_fit_narrow_and_wide_screens(researcher):
    survey = survey_import(everyday_definition(slug="where"), by="ana")
    page = researcher("surveys/where/build/")
    part(page, "Where did you go last")
    expect(page.locator(".map--draw")).to_be_visible()
    fits_both(page)
    # A number can be shown as a slider.
    page = researcher("surveys/where/build/#blocks[3].questions[0].look")
    page.get_by_role("group", name="Shown as").get_by_label("A slider").check()
    saved(page)
    fits_both(page)
    survey.refresh_from_db()
    assert survey.definition["blocks"][3]["questions"][0]["look"] == "slider"


@pytest.mark.soak
def test_a_number_can_be_stored_as_answered_and_protected_again(researcher):
    survey = survey_import(everyday_definition(slug="where"), by="ana")
    here = "surveys/where/build/#blocks[4].protected"
    page = researcher(here)
    page.get_by_role("radio", name="Stored as answered").check()
    saved(page)
    expect(page.get_by_label("Offer to skip this part")).to_have_count(0)
    fits_both(page)
    survey.refresh_from_db()
    stored = survey.definition["blocks"][4]
    assert (stored["protected"], "refusal" in stored) == (False, False)
    assert stored["questions"][0]["number"].keys() <= {"low", "high", "bin", "unit", "decimals"}
    assert definition_read(survey.definition).problems == ()
    # The form asks for the number's range, and has no fields for a disguise.
    page = researcher("surveys/where/build/#blocks[4].questions[0]")
    expect(page.get_by_label("Smallest answer")).to_be_visible()
    expect(page.get_by_role("group", name="How well this number is protected")).to_have_count(0)
    expect(page.get_by_role("group", name="Ranges that can be part of rules")).to_be_visible()
    fits_both(page)
    # A problem is listed with its field.
    page.get_by_label("Width of a bin").fill("")
    expect(page.locator("[data-area=todo]")).to_contain_text("Width of a bin: It is missing; state it.")
    page.get_by_label("Width of a bin").fill("1")
    saved(page)
    page = researcher(here)
    page.get_by_role("radio", name="Protected").check()
    saved(page)
    survey.refresh_from_db()
    assert definition_read(survey.definition).problems == ()
    assert survey.definition["blocks"][4]["questions"][0]["number"]["epsilon"] == 1.38
    # A part without questions needs no number of answers.
    page.get_by_role("button", name="Add a protected part", exact=True).click()
    expect(page.get_by_role("group", name="How well this part protects")).not_to_contain_text("NaN")


@pytest.mark.soak
def test_respondents_without_strong_disguise_get_light_disguise_by_default(researcher):
    survey = survey_import(workplace(), by="ana")
    page = researcher("surveys/workplace/build/#group.policy")
    page.get_by_label("The phone chooses at random").check()
    others = page.get_by_role("group", name="How are the others' answers sent?")
    expect(others.get_by_label("Lightly disguised")).to_be_checked()
    expect(page.locator("#saving")).to_contain_text("Saved")
    survey.refresh_from_db()
    assert survey.definition["group"] == {"policy": "assigned", "direct_share": 2000, "light": True}
    expect(page.locator("[data-area=privacy]")).to_contain_text("Lightly disguised:")
    others.get_by_role("radio").last.check()
    expect(page.locator("[data-area=todo]")).to_contain_text("the survey does not say why")
    survey.refresh_from_db()
    assert "light" not in survey.definition["group"]


@pytest.mark.soak
def test_a_question_can_become_a_row_of_a_table(researcher):
    survey = survey_import(workplace(), by="ana")
    page = researcher("surveys/workplace/build/", viewport={"width": 360, "height": 800})

    def judged() -> None:
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            fits(page)
            assert violations_light_and_dark(page) == {}, (page.url, width)

    # On a phone, rarely used controls are folded.
    saves = page.get_by_role("link", name="Earlier saves")
    expect(saves).to_be_hidden()
    page.locator(".builder-more summary").click()
    expect(saves).to_be_visible()
    judged()

    # A single row is shown like other questions until the next question is also a row.
    page = researcher("surveys/workplace/build/#blocks[1].questions[0].look")
    page.get_by_role("group", name="Shown as").get_by_label("A row of a table").check()
    page.locator("#part-duplicate").click()
    saved(page)
    judged()
    survey.refresh_from_db()
    rows = survey.definition["blocks"][1]["questions"][:2]
    assert [question["look"] for question in rows] == ["matrix", "matrix"]


@pytest.mark.soak
def test_audit_tables_are_not_cut_off_at_1120_pixels(researcher):
    survey_import(everyday_definition(slug="where"), by="ana")
    page = researcher("surveys/where/audit/", viewport={"width": 1120, "height": 900})
    tables = page.locator("main section > .table-scroll")
    assert tables.count() >= 2
    assert tables.evaluate_all("each => each.filter((one) => one.scrollWidth > one.clientWidth).length") == 0
    assert width_of(page) <= 1120
