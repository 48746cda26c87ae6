"""A researcher makes composite questions in the builder: by mouse and keyboard, without any JSON."""

import pytest
from playwright.sync_api import Page, expect

from surveys.authoring.drafts import survey_import
from surveys.models import Survey
from surveys.questionnaire.composites import reach_of
from surveys.questionnaire.neutral_questions import neutral_questions
from tests.e2e.judged import violations_light_and_dark
from tests.e2e.test_builder import COMPLETE, field, fits_both, saved
from tests.fixtures.composite_drafts import composite_document, screening_document, text

pytestmark = pytest.mark.django_db(transaction=True)


def stored(slug: str, block: int, place: int = 0) -> dict:
    return Survey.objects.get(slug=slug).definition["blocks"][block]["questions"][place]


def open_entry(page: Page, name: str) -> None:
    page.locator(".outline-link").filter(has_text=name).first.click()


def yes_no(key: str) -> dict:
    return {"key": key, "kind": "yes_no", "text": text(key), "unrelated": [5000], "prevalence": [2000]}


def acts_draft(count: int, slug: str = "acts") -> dict:
    """Import a part with so many yes/no questions."""
    part = {
        "key": "acts",
        "title": text("Acts"),
        "protected": True,
        "truth_probability": 3000,
        "refusal": 1500,
        "questions": [yes_no(f"act{number}") for number in range(count)],
    }
    document = screening_document(slug=slug, blocks=[part])
    survey_import(document, by="rosa")
    return document


@pytest.mark.soak
def test_a_part_is_sent_as_one_answer_and_taken_back_and_nothing_is_lost(researcher, live_server):
    document = acts_draft(10)
    page = researcher("surveys/acts/build")
    open_entry(page, "Acts")
    page.get_by_role("button", name="At least one of these").click()
    expect(page.get_by_role("heading", name="Three made-up people")).to_be_visible()
    # The slips, the remedy, and the rule for gaps that is filled in.
    expect(page.get_by_text("9.6 points of this answer are slips")).to_be_visible()
    page.get_by_role("button", name="Send “at least 2” instead").click()
    expect(page.get_by_text("0.4 points of this answer are slips")).to_be_visible()
    saved(page)
    rule = stored("acts", 0)["computed"]
    assert rule["levels"] == [{"option": "no"}, {"option": "yes", "from": 2}]
    assert rule["missing"] == {"at_most": 2, "as": "no_points"}
    assert violations_light_and_dark(page) == {}
    fits_both(page)
    # A reload loses nothing, and one press takes it back.
    page.reload()
    open_entry(page, "Acts")
    page.get_by_role("button", name="Send each answer again").click()
    expect(page.get_by_text("10 of 10 questions")).to_be_visible()
    saved(page)
    assert Survey.objects.get(slug="acts").definition["blocks"] == document["blocks"]
    page.get_by_role("button", name="The same rule as before").click()
    expect(page.get_by_role("heading", name="Three made-up people")).to_be_visible()
    saved(page)
    assert stored("acts", 0)["computed"] == rule
    page.locator("[data-area=undo] button").click()
    saved(page)
    assert Survey.objects.get(slug="acts").definition["blocks"] == document["blocks"]


@pytest.mark.soak
def test_points_levels_and_made_up_people_follow_each_key(researcher, live_server):
    survey_import(composite_document("AUDIT", slug="audit"), by="rosa")
    page = researcher("surveys/audit/build")
    open_entry(page, "risk?")
    expect(page.get_by_text("Sums from 0 to 40 are possible.")).to_be_visible()
    first = field(page, "blocks[0].questions[0].computed.components[0].options[4].points")
    first.fill("14")
    # Before the draft is saved: the same program as on phones.
    expect(page.locator(".people tfoot td").nth(2)).to_have_text("50")
    saved(page)
    # Prorated sums can exceed the sum without gaps, so the server enumerates them.
    high = reach_of(stored("audit", 0)["computed"]).sums[-1]
    assert high > 50
    expect(page.get_by_text(f"Sums from 0 to {high} are possible.")).to_be_visible()
    # A pasted column fills the cells below; arrow keys move in it.
    first.focus()
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.setData("text", "4\\n4\\n9");
          const paste = { clipboardData: data, bubbles: true, cancelable: true };
          document.activeElement.dispatchEvent(new ClipboardEvent("paste", paste));
        }"""
    )
    expect(page.locator("[data-area=undo]")).to_contain_text("Filled in 3 numbers.")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(field(page, "blocks[0].questions[0].computed.components[2].options[4].points")).to_be_focused()
    # The table stays inside its card.
    card, table = (page.locator(place).bounding_box() for place in (".builder-beside", "table.points"))
    assert table["x"] + table["width"] <= card["x"] + card["width"]
    # Its button appears while the row is in use.
    first.focus()
    page.get_by_role("button", name="Reverse the points of “Component item1?”").click()
    levels = "blocks[0].questions[0].computed.levels"
    field(page, f"{levels}[1].from").fill("99")
    # The error is at the level that does not follow.
    expect(page.locator(f'[data-remark="{levels}[2].from"]')).to_contain_text("16 after 99")
    expect(field(page, f"{levels}[2].from")).to_have_attribute("aria-invalid", "true")
    field(page, f"{levels}[1].from").fill("9")
    page.get_by_role("button", name="Add a level").click()
    field(page, f"{levels}[4].from").fill("41")
    page.get_by_label("Name of level 5, English").fill("very high")
    page.get_by_label("Name of level 5, 简体中文").fill("很高")
    saved(page)
    expect(page.get_by_text(COMPLETE)).to_be_visible()
    question = stored("audit", 0)
    points = [[option["points"] for option in each["options"]] for each in question["computed"]["components"]]
    assert (points[0], points[2][4]) == ([4, 3, 2, 1, 0], 9)
    assert question["computed"]["levels"][4] == {"option": question["options"][4]["key"], "from": 41}
    assert len(question["unrelated"]) == 5
    fits_both(page)


def typed_first(page: Page, english: str, chinese: str) -> None:
    """Type the first text on the phone in both languages."""
    for language, words in (("zh-hans", chinese), ("en", english)):
        speak(page, language)
        page.locator(".phone textarea:visible").first.fill(words)


def speak(page: Page, language: str) -> None:
    page.get_by_label("Language of the texts").select_option(language)


@pytest.mark.soak
def test_every_member_of_a_rule_is_made_without_a_file(researcher, live_server):
    document = screening_document(slug="made")
    document["blocks"] = document["blocks"][:1]
    survey_import(document, by="rosa")
    page = researcher("surveys/made/build")
    page.get_by_role("button", name="Add a protected part").click()
    typed_first(page, "Health", "健康")
    page.get_by_role("button", name="Add yes or no").click()
    typed_first(page, "Do you drink?", "你喝酒吗？")
    open_entry(page, "Health")
    page.get_by_role("button", name="Points and levels").click()
    here = "blocks[1].questions[0].computed"

    def add(kind: str, words: str) -> None:
        page.get_by_role("button", name=kind).click()
        for number, language in ((1, "zh-hans"), (0, "en")):
            speak(page, language)
            field(page, f"{here}.components[{count}].text.{language}").fill(f"{words} {number}")

    count = 1
    add("Add choose one", "How often?")
    for language in ("zh-hans", "en"):
        speak(page, language)
        for place, words in enumerate(("Never", "Often")):
            field(page, f"{here}.components[1].options[{place}].text.{language}").fill(words)
    # Only after a yes to the first question.
    field(page, f"{here}.components[1].asked_if").select_option("Do you drink?")
    page.locator("#editor-heading + .link-button").click()
    count = 2
    add("Whole number", "How many?")
    field(page, f"{here}.components[2].number.high").fill("30")
    field(page, f"{here}.components[2].bands[0].from").fill("5")
    field(page, f"{here}.components[2].bands[0].to").fill("30")
    page.locator("#editor-heading + .link-button").click()
    count = 3
    add("Add tick several", "Where?")
    for language in ("zh-hans", "en"):
        speak(page, language)
        for place, words in enumerate(("Home", "Work")):
            field(page, f"{here}.components[3].options[{place}].text.{language}").fill(words)
    page.locator("#editor-heading + .link-button").click()
    count = 4
    add("Add yes or no", "Please choose no here")
    field(page, f"{here}.components[4].instructed").select_option("No")
    page.locator("#editor-heading + .link-button").click()
    # Points of an open question, a step with points and gaps of its own, levels with a base.
    page.get_by_text("Points from open questions").click()
    page.get_by_label("sex? woman?").fill("1")
    page.get_by_text("Steps: sums within the sum").click()
    page.get_by_role("button", name="Add a step").click()
    step = page.get_by_role("group", name="Step 1")
    step.get_by_label("How often? 0").first.check()
    page.get_by_text("Other points in this step").click()
    step.get_by_label("How often? 0").nth(1).check()
    page.get_by_label("How often? 0 Often").last.fill("7")
    # A press that draws the form again keeps what was typed just before.
    step.get_by_label("Level 2 From").fill("2")
    step.get_by_role("button", name="Add a level").click()
    expect(step.get_by_label("Level 2 From")).to_have_value("2")
    step.get_by_label("Level 3 From").fill("6")
    page.get_by_label("A rule of its own for unanswered questions").check()
    page.get_by_text("Levels", exact=True).first.click()
    page.get_by_role("button", name="Add a level").first.click()
    for level, words in enumerate(("low", "middle", "high"), 1):
        for language in ("English", "简体中文"):
            page.get_by_label(f"Name of level {level}, {language}").fill(words)
    field(page, f"{here}.base").select_option("middle")
    field(page, f"{here}.source.en").fill("Own cut-off")
    field(page, f"{here}.source.zh-hans").fill("自定分界线")
    saved(page)
    expect(page.get_by_text(COMPLETE)).to_be_visible()
    rule = stored("made", 1)["computed"]
    assert [each["kind"] for each in rule["components"]] == [
        "yes_no",
        "single",
        "number",
        "several",
        "yes_no",
    ]
    first, second = (each["key"] for each in rule["components"][:2])
    assert rule["components"][1]["asked_if"] == {"component": first, "options": ["yes"]}
    assert rule["components"][4]["instructed"] == "no"
    assert rule["uses"] == [{"question": "sex", "points": {"woman": 1}}]
    (own,) = rule["steps"]
    assert own["of"] == [first, second]
    assert own["points"] == {second: [0, 7]}
    assert [level.get("from") for level in own["levels"]] == [None, 2, 6]
    assert own["missing"] == {"at_most": 0, "as": "mean"}
    assert rule["base"]
    assert reach_of(rule).sums[0] == 0
    fits_both(page)


@pytest.mark.soak
def test_forty_components_work_on_a_phone(researcher, live_server):
    acts_draft(40)
    page = researcher("surveys/acts/build", viewport={"width": 360, "height": 740})
    open_entry(page, "Acts")
    page.get_by_role("button", name="Points and levels").click()
    expect(page.get_by_text("40 questions are the most for one answer.")).to_be_visible()
    expect(page.locator(".points tbody tr")).to_have_count(40)
    fits_both(page)


@pytest.mark.soak
def test_an_error_names_the_value_and_the_remedy(researcher, live_server):
    acts_draft(3)
    page = researcher("surveys/acts/build")
    open_entry(page, "Acts")
    page.get_by_text("Choose some of the questions").click()
    page.get_by_role("button", name="None", exact=True).click()
    page.get_by_role("button", name="How many of these").click()
    expect(page.get_by_text("0 questions are chosen. Choose 1 to 40.")).to_be_visible()
    page.get_by_role("button", name="All", exact=True).click()
    page.get_by_role("button", name="Points and levels").click()
    points = field(page, "blocks[0].questions[0].computed.components[0].points[1]")
    points.fill("1000")
    expect(page.locator(".builder-editor .remark").filter(has_text="1000").first).to_be_visible()
    points.fill("x")
    expect(page.get_by_text("They appear here once every number is a whole number")).to_be_visible()
    expect(page.locator(".builder-editor .remark").filter(has_text="'x'").first).to_be_visible()
    points.fill("2")
    saved(page)
    expect(page.get_by_text(COMPLETE)).to_be_visible()


@pytest.mark.soak
def test_neutral_questions_are_filled_in_changed_and_removed(researcher, live_server):
    """Only rules with follow-ups have the field; the survey in this test has one such rule."""
    survey_import(screening_document(), by="rosa")

    page = researcher("surveys/screening/build")
    page.locator(".outline-link").filter(has_text="any?").last.click()
    expect(page.get_by_role("button", name="Fill in neutral questions")).to_have_count(0)
    page.locator(".outline-link").filter(has_text="bribe").last.click()
    page.get_by_role("button", name="Fill in neutral questions").click()
    saved(page)
    assert stored("screening", 3)["computed"]["neutral"] == neutral_questions(2)
    field(page, "blocks[3].questions[0].computed.neutral[0].text.en").fill("Do you like tea?")
    saved(page)
    assert stored("screening", 3)["computed"]["neutral"][0]["text"] == {
        **neutral_questions(1)[0]["text"],
        "en": "Do you like tea?",
    }
    fits_both(page)
    page.get_by_role("button", name="Remove the neutral questions").click()
    saved(page)
    assert "neutral" not in stored("screening", 3)["computed"]


@pytest.mark.soak
def test_answers_of_one_part_get_halves_a_placebo_index_and_a_shared_filter(researcher, live_server):
    acts_draft(6)
    page = researcher("surveys/acts/build")
    open_entry(page, "Acts")
    page.get_by_role("button", name="Two halves, for reliability").click()
    expect(page.get_by_role("heading", name="Three made-up people")).to_be_visible()
    saved(page)
    expect(page.get_by_text(COMPLETE)).to_be_visible()
    first, second = (stored("acts", 0, place) for place in (0, 1))
    assert second["computed"]["other_half"] == first["key"]
    assert [each["key"] for each in second["computed"]["components"]] == ["act1", "act3", "act5"]
    page.locator("[data-area=undo] button").click()
    open_entry(page, "Acts")
    page.get_by_text("Choose some of the questions").click()
    for place in (3, 4, 5):
        page.locator(".step-sources input").nth(place).uncheck()
    page.get_by_role("button", name="At least one of these").click()
    # The name is focused, because the part's title does not name it.
    expect(field(page, "blocks[0].questions[0].text.en")).to_be_focused()
    page.keyboard.type("One")
    field(page, "blocks[0].questions[0].text.zh-hans").fill("一")
    page.get_by_role("button", name="Add a placebo index").click()
    expect(page.get_by_label("Name of the answer, English")).to_have_value("One · placebo index")
    saved(page)
    placebo = stored("acts", 0, 1)
    assert placebo["computed"]["placebo_of"] == stored("acts", 0)["key"]
    assert len(placebo["computed"]["components"]) == 3
    page.locator("#editor-heading + .link-button").click()
    page.get_by_role("button", name="At least one of these").click()
    expect(field(page, "blocks[0].questions[2].text.en")).to_be_focused()
    page.keyboard.type("Two")
    field(page, "blocks[0].questions[2].text.zh-hans").fill("二")
    saved(page)
    expect(page.get_by_text(COMPLETE)).to_be_visible()
    # A question of the first answer also decides in the second one.
    open_entry(page, "act0?")
    page.get_by_role("group", name="Also decides in other answers").get_by_label("Two").check()
    for place, component in ((0, 1), (2, 1)):
        page.locator(".outline-link").filter(has_text=("act1?", "act3?")[place > 0]).click()
        field(page, f"blocks[0].questions[{place}].computed.components[{component}].asked_if").select_option(
            "act0?"
        )
    saved(page)
    expect(page.get_by_text(COMPLETE)).to_be_visible()
    one, two = (stored("acts", 0, place)["computed"]["components"][0] for place in (0, 2))
    assert one == two
    assert one["shared"] is True
    fits_both(page)


@pytest.mark.soak
def test_the_plan_page_sends_one_answer_without_scripts_and_takes_it_back(researcher, live_server):
    document = acts_draft(10)
    page = researcher("surveys/acts/plan", java_script_enabled=False)
    page.locator("[name=people]").fill("300")
    page.get_by_role("button", name="At least two of these").click()
    # Its figures were for another number of people; now they are for these.
    expect(page.get_by_text("it was computed for other entries")).to_be_visible()
    page.get_by_role("button", name="At least two of these").click()
    expect(page.get_by_text("Saved. Devices send one answer for these questions.")).to_be_visible()
    assert stored("acts", 0)["computed"]["levels"][1] == {"option": "yes", "from": 2}
    page.get_by_text("Three made-up people").first.click()
    expect(page.get_by_role("row", name="Sent in disguise")).to_contain_text("yes")
    page.get_by_role("button", name="Send each answer again").click()
    expect(page.get_by_text("Devices send each answer again.")).to_be_visible()
    questions = Survey.objects.get(slug="acts").definition["blocks"][0]["questions"]
    assert [each["key"] for each in questions] == [each["key"] for each in document["blocks"][0]["questions"]]


@pytest.mark.soak
def test_the_plan_page_of_composite_questions_fits_phones_and_computers(researcher, live_server):
    survey_import(composite_document("AUDIT", slug="audit"), by="rosa")
    page = researcher("surveys/audit/plan")
    page.get_by_text("Three made-up people").first.click()
    fits_both(page)
    assert violations_light_and_dark(page) == {}


@pytest.mark.soak
def test_a_rule_that_cannot_be_read_lists_its_problems(researcher, live_server):
    survey_import(composite_document("AUDIT", slug="audit"), by="rosa")
    survey = Survey.objects.get(slug="audit")
    survey.definition["blocks"][0]["questions"][0]["computed"] = {"components": [5], "steps": 7}
    survey.save()
    page = researcher("surveys/audit/build")
    open_entry(page, "risk?")
    expect(field(page, "blocks[0].questions[0].text.en")).to_have_value("risk?")
    expect(page.locator(".builder-editor [data-remarks]")).to_contain_text("It is missing; state it.")
    open_entry(page, "Part risk-part?")
    expect(field(page, "blocks[0].title.en")).to_have_value("Part risk-part?")
