"""Pasted text leads to the plan, through the import report if it is unclear."""

import re

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from tests.e2e.judged import violations, width_of

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = """Sleep and cheating
# You
1. Which faculty are you in? [open]
- Arts
- Science
2. Do you sleep less than six hours? [open]
# Exams
3. Have you cheated in an exam?
4. Have you copied a classmate's homework?
5. Have you paid for an essay?
6. Have you taken pills to study?
7. Hours you play for money in a week?
0-60
8. Your average grade?
0-100
"""


def fits(page: Page) -> None:
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 900})
        assert width_of(page) <= width


@pytest.mark.soak
def test_pasted_questions_and_numbers_get_a_plan_that_follows_the_form(researcher):
    page = researcher("surveys/new")
    page.get_by_label("Your survey, line by line").fill(TEXT)
    page.get_by_role("button", name="Create draft").click()
    # The two questions that the text marks as open, and the plain one about the grade, are listed before
    # they are stored as answered.
    readable = page.get_by_role("region", name="What is readable, and why")
    expect(readable.get_by_role("button", name="Protect")).to_have_count(3)
    fits(page)
    assert violations(page) == "[]"
    readable.get_by_role("button", name="Protect Which faculty are you in?").click()
    expect(readable.get_by_role("button", name="Protect")).to_have_count(2)
    page.get_by_role("button", name="Store as answered Which faculty are you in?").click()
    expect(readable.get_by_role("button", name="Protect")).to_have_count(3)
    page.get_by_role("button", name="Create draft").click()
    expect(page).to_have_url(re.compile("/plan"))
    # Back leads to the report as it was; the browser does not ask to send it again.
    page.go_back()
    expect(readable.get_by_role("button", name="Protect")).to_have_count(3)
    page.go_forward()
    page.get_by_role("spinbutton", name="How many answers do you expect?").fill("300")
    row = page.locator(".plan-row", has_text="cheated in an exam")
    row.get_by_label("Short name").fill("cheating")
    row.get_by_label("Star").select_option(label="starred")
    other = page.locator(".plan-row", has_text="less than six hours")
    other.get_by_label("Short name").fill("short sleep")
    other.get_by_label("Star").select_option(label="starred")
    said = page.locator("[data-said]")
    expect(said).to_contain_text("300 answers: “short sleep” ±")
    fits(page)
    page.get_by_role("button", name="Save the plan").click()
    expect(page).to_have_url(re.compile("/build/"))
    aim = Aim.from_json(Survey.objects.get().aim)
    assert aim is not None
    assert aim.people == 300


UNCLEAR = """Home
1. In the last twelve months, did anybody
in your home hit you?
YES ........ 1
NO ......... 2
2. Marital status
3. Please describe what happened.
How often was it like this?\tNever\tSome days\tMost days
4. I was sad\t0\t1\t2
5. I slept badly\t0\t1\t2
6. Whom did you tell?
( ) A friend
( ) Other: ________
7. How many days per week do you drink?
"""


@pytest.mark.soak
def test_unclear_pasted_lines_are_resolved_before_the_plan(researcher):
    page = researcher("surveys/new")
    page.get_by_label("Your survey, line by line").fill(UNCLEAR)
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_role("heading", name="Import report", exact=True)).to_be_visible()
    expect(page.get_by_text("5 questions are ready.")).to_be_visible()
    fits(page)
    assert violations(page) == "[]"
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_text("Choose what to do.").first).to_be_visible()
    assert not Survey.objects.exists()
    marital = page.get_by_role("group", name="needs options")
    marital.get_by_label("Ask it with these answers").check()
    marital.get_by_label("Answers, one per line").fill("Single\nMarried")
    page.get_by_role("group", name="free text").get_by_label("Leave the question out").check()
    # What was written stays while a question is changed in its row.
    told = page.locator("#row-11")
    told.get_by_text("Change", exact=True).click()
    told.get_by_label("Asks for").select_option(label="several of these answers")
    told.get_by_label("Answers, one per line").fill("A friend\nA doctor\nNobody")
    assert violations(page) == "[]"
    fits(page)
    told.get_by_role("button", name="Apply").click()
    expect(told.get_by_text("□ A doctor")).to_be_visible()
    expect(page.get_by_role("group", name="needs options").get_by_label("Answers, one")).to_have_value(
        "Single\nMarried"
    )
    page.get_by_role("button", name="Create draft").click()
    page.wait_for_url("**/surveys/home/plan")
    definition = Survey.objects.get().definition
    texts = [question["text"]["en"] for block in definition["blocks"] for question in block["questions"]]
    assert "In the last twelve months, did anybody in your home hit you?" in texts
    assert "Marital status" in texts
    assert "Please describe what happened." not in texts
    assert "A doctor" in texts


FILTERS = """Home
1. Has anybody in your home hit you?
- Yes
- No
2. If yes, how often in the last twelve months?
- once
- two or three times
- more often
3. If yes, did you tell anyone?
- Yes
- No
4. How often do you hide money from your partner?
- Never
- Rarely
- Often
5. Do you owe money to anyone?
- Yes
- No
6. If the sum is large, do you hide the letters?
- Yes
- No
"""


def test_filters_of_a_text_are_settled_and_conditions_chosen_from_menus(researcher):
    page = researcher("surveys/new")
    page.get_by_label("Your survey, line by line").fill(FILTERS)
    page.get_by_role("button", name="Create draft").click()
    points = page.get_by_role("region", name="Answer these first")
    skip, keep = (
        points.get_by_role("group").filter(has_text=text) for text in ("decides who", "sum is large")
    )
    expect(skip.first.get_by_role("radio", checked=True)).to_have_value("protect")
    expect(skip.first).to_contain_text("asked only if “Has anybody in your home hit you?” is Yes")
    skip.first.get_by_label("Send it with its follow-ups").check()
    fits(page)
    keep.first.get_by_label("To this question").select_option(
        label="How often do you hide money from your partner?"
    )
    keep.first.get_by_role("button", name="Show its answers").click()
    keep.first.get_by_role("checkbox", name="Rarely").check()
    keep.first.get_by_role("checkbox", name="Often").check()
    fits(page)
    assert violations(page) == "[]"
    keep.first.get_by_role("button", name="Use these answers").click()
    said = "Asked only if “How often do you hide money from your partner?” is Rarely or Often."
    expect(page.get_by_text(said)).to_be_visible()
    page.reload()
    expect(page.get_by_text(said)).to_be_visible()
    expect(skip.first.get_by_label("Send it with its follow-ups")).to_be_checked()
    second = points.get_by_role("group").filter(has_text="hide money from your partner").first
    second.get_by_label("Keep the skip: its answer can then be read").check()
    fits(page)
    page.get_by_role("button", name="Create draft").click()
    expect(page).to_have_url(re.compile("/plan"))
    blocks = Survey.objects.get().definition["blocks"]
    sent = [question for block in blocks for question in block["questions"] if "computed" in question]
    assert [len(question["options"]) for question in sent] == [4, 3]
    assert [block["asked_if"]["options"] for block in blocks if "asked_if" in block] == [
        ["rarely", "option-3"]
    ]


@pytest.mark.soak
def test_a_reload_back_and_forward_keep_the_text_and_every_choice(researcher):
    """A reload reset the choices, and *Back* from the plan led to an empty page for new surveys."""
    page = researcher("surveys/new")
    page.get_by_label("Your survey, line by line").fill(UNCLEAR)
    page.get_by_role("button", name="Create draft").click()
    page.wait_for_url("**/surveys/new/import?entries=*")
    written = page.get_by_role("group", name="needs options").get_by_label("Answers, one per line")
    kept = page.get_by_role("group", name="needs options").get_by_label("Ask it with these answers")
    left = page.get_by_role("group", name="free text").get_by_label("Leave the question out")

    def shows_the_choices() -> None:
        expect(kept).to_be_checked()
        expect(written).to_have_value("Single\nMarried")
        expect(left).to_be_checked()

    kept.check()
    written.fill("Single\nMarried")
    # A page that refuses an answer has an address, too.
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_text("Choose what to do.").first).to_be_visible()
    page.wait_for_url("**/surveys/new/import?entries=*")
    left.check()
    page.reload()
    shows_the_choices()
    page.get_by_role("button", name="Create draft").click()
    page.wait_for_url("**/surveys/home/plan")
    page.go_back()
    shows_the_choices()
    page.reload()
    shows_the_choices()
    page.go_forward()
    page.wait_for_url("**/surveys/home/plan")
    page.go_back()
    page.go_back()
    expect(kept).to_be_checked()
    page.go_back()
    expect(page.get_by_label("Your survey, line by line")).to_have_value(UNCLEAR)


@pytest.mark.soak
def test_back_from_the_plan_of_a_clear_text_shows_the_text(researcher):
    page = researcher("surveys/new")
    page.get_by_label("Your survey, line by line").fill(
        "Home\n1. Did anybody hit you?\n2. Do you hide money?"
    )
    page.get_by_text("Languages and address").click()
    page.get_by_label("Address").fill("hidden-money")
    page.get_by_role("button", name="Create draft").click()
    page.wait_for_url("**/hidden-money/plan")
    page.go_back()
    expect(page.get_by_label("Your survey, line by line")).to_have_value(re.compile("Do you hide money"))
    expect(page.get_by_label("Address")).to_have_value("hidden-money")
    page.reload()
    expect(page.get_by_label("Your survey, line by line")).to_have_value(re.compile("Do you hide money"))


@pytest.mark.soak
def test_a_refused_address_does_not_return_on_a_fresh_page(researcher):
    """*New survey*, opened again, used to contain the address that was refused, in a folded field."""
    page = researcher("surveys/new")
    page.get_by_label("Your survey, line by line").fill(TEXT)
    page.get_by_text("Languages and address").click()
    page.get_by_label("Address", exact=True).fill("my new survey")
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_text("Use lower-case letters").first).to_be_visible()
    expect(page.get_by_label("Address", exact=True)).to_have_value("my new survey")
    page.goto(page.url)
    expect(page.get_by_label("Address", exact=True)).to_have_value("")
    expect(page.get_by_label("Your survey, line by line")).to_have_value("")


@pytest.mark.soak
def test_a_chosen_file_is_not_called_a_text_without_questions(researcher, tmp_path):
    page = researcher("surveys/new")
    file = tmp_path / "survey.txt"
    file.write_text(TEXT)
    with page.expect_response("**/surveys/new"):
        page.get_by_label("Or choose a file").set_input_files(file)
    expect(page.get_by_text("will appear here")).to_be_visible()
    expect(page.get_by_text("No questions were found")).to_have_count(0)
