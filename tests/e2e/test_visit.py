"""Whole visits of respondents."""

import json
import re
from importlib import resources
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from privacy.survey.layout import Layout
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from tests.e2e.judged import violations, width_of
from tests.e2e.survey import ANSWERS, DECOY, TABLE_ANSWERS, TOLD, TRUTH, body_of, with_table, workplace
from tests.e2e.visit import INTRO, Visit
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.everyday import everyday_definition

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_a_part_can_be_skipped_and_the_skip_is_disguised(publish, visit):
    here = publish()
    answers = {**ANSWERS, "silence": "skipped"}
    visit(here, words=DECOY).walk(answers).seal().delivered()
    design = here.version.to_design()
    assert here.bodies == [body_of(design, answers, DECOY)]
    assert Layout(design).unpack(here.bodies[0]).refused[1] is False


@pytest.mark.soak
def test_none_of_these_counts_as_an_answer(publish, visit):
    here = publish()
    nowhere = {"years": 1, "leads": 1, "place_office": 0, "place_floor": 0, "place_home": 0}
    silence = {"unreported": 0, "seen_bullying": 0, "seen_theft": 0, "seen_danger": 0}
    answers = {**ANSWERS, "work": nowhere, "silence": silence}
    there = visit(here, words=TRUTH).walk(answers).seal().delivered()
    # The page does not load scripts for other kinds of questions.
    assert not [url for url in there.loaded if url.endswith("/scale.js")]
    assert here.bodies == [body_of(here.version.to_design(), answers, TRUTH)]


@pytest.mark.soak
def test_an_open_question_can_be_left_empty_or_cleared(publish, visit):
    here = publish()
    there = visit(here, words=TRUTH).walk({}, until="question:years")
    expect(there.button("Clear this answer")).to_be_hidden()
    there.root.get_by_role("radio").first.check()
    there.press("Clear this answer")
    expect(there.root.get_by_role("radio", checked=True)).to_have_count(0)
    answers = {"work": {}, "silence": ANSWERS["silence"]}
    there.walk(answers).seal().delivered()
    assert here.bodies == [body_of(here.version.to_design(), answers, TRUTH)]


@pytest.mark.soak
def test_empty_protected_questions_explain_how_to_continue(publish, visit):
    there = visit(publish())
    there.walk(ANSWERS, until="list:place")
    for screen, rows in (("question:unreported", 1), ("list:seen", 3)):
        there.walk(ANSWERS, until=screen).press("Continue")
        for row in range(rows):
            error = there.root.locator(".error").nth(row)
            expect(error).to_have_text("Choose an answer to go on. Or choose “Prefer not to say”.")
            assert there.screen == screen
            fieldset = there.root.get_by_role("group").nth(row)
            assert error.get_attribute("id") in fieldset.get_attribute("aria-describedby").split()
            if row == 0:
                expect(there.root.locator("input").first).to_be_focused()
            fieldset.locator("input").first.check()
            expect(error).to_be_hidden()
        expect(there.root.locator("[aria-invalid]")).to_have_count(0)
    # The browser's Back and Forward move through the screens.
    for expected in ("question:unreported", "block:silence", "list:place"):
        there.page.go_back()
        there.at(expected)
    there.page.go_forward()
    there.at("block:silence")
    assert there.page.url == there.address


@pytest.mark.soak
def test_every_answer_can_be_changed_from_the_review(publish, visit):
    here = publish()
    there = visit(here, words=TRUTH).walk(ANSWERS)
    for row in range(there.root.get_by_role("button", name="Change").count()):
        change = there.root.get_by_role("button", name="Change").nth(row)
        name = change.inner_text().removeprefix("Change").strip()
        change.click()
        assert there.heading == there.heading_of(name)
        there.press("Continue")
        assert there.screen == "review"
    unreported = next(text for text, (_, each) in there.questions.items() if each["key"] == "unreported")
    there.root.get_by_role("button", name=f"Change {unreported}").click()
    there.root.get_by_label("No", exact=True).check()
    there.press("Continue")
    changed = {**ANSWERS, "silence": {**ANSWERS["silence"], "unreported": 0}}
    there.seal().delivered()
    assert here.bodies == [body_of(here.version.to_design(), changed, TRUTH)]


@pytest.mark.soak
def test_a_visit_works_with_the_keyboard_alone(publish, visit):
    here = publish()
    there = visit(here, words=TRUTH)
    keyboard = there.page.keyboard

    def key_to(*buttons):
        for _stop in range(60):
            if there.page.evaluate("document.activeElement.textContent") in buttons:
                return
            keyboard.press("Tab")
        raise AssertionError(f"no way to {buttons} by the keyboard")

    for screen in there.screens(until="review"):
        if screen.startswith(("question:", "list:")):
            expect(there.root.locator("h2")).to_be_focused()
            for row in there.root.locator("fieldset").all():
                keyboard.press("Tab")
                if there.page.evaluate("document.activeElement.innerText") == "Clear this answer":
                    keyboard.press("Tab")
                expect(row.locator("input").first).to_be_focused()
                keyboard.press("Space")
            keyboard.press("Enter")
        else:
            key_to("Continue", "Start")
            keyboard.press("Enter")
    key_to("Disguise and send")
    keyboard.press("Space")
    there.delivered()
    first = {
        "work": {"years": 0, "leads": 1, "place_office": 1, "place_floor": 1, "place_home": 1},
        "silence": {"unreported": 1, "seen_bullying": 1, "seen_theft": 1, "seen_danger": 1},
        "pressure": {"silenced": 0},
    }
    assert here.bodies == [body_of(here.version.to_design(), first, TRUTH)]


@pytest.mark.soak
def test_each_screen_focuses_its_heading_and_shows_the_practice_banner(publish, visit):
    there = visit(publish(practice=True))

    def focused(screen):
        expect(there.page.locator(".banner")).to_contain_text("answers are not private")
        if screen not in {"sent"} and there.heading != INTRO[0]:
            expect(there.root.locator("h2").first).to_be_focused()

    there.step = focused
    there.walk(ANSWERS).seal().delivered()


@pytest.mark.soak
def test_the_group_is_chosen_before_the_first_question_and_then_fixed(publish, visit):
    here = publish(group={"policy": "choice"})
    there = visit(here, words=DECOY).walk(ANSWERS, until="group")
    there.press("Continue")
    expect(there.root.locator(".error")).to_have_text("Choose one of the two ways to go on.")
    assert there.screen == "group"
    there.walk(ANSWERS, direct=True, until="block:silence")
    expect(there.root).to_contain_text("your real answers are stored")
    while there.screen != "group":
        there.back()
    expect(there.root).to_contain_text("You chose to answer directly.")
    expect(there.root.get_by_role("radio")).to_have_count(0)
    there.walk(ANSWERS).press("Send")
    there.delivered()
    expect(there.root).to_contain_text("You answered directly: these are your real answers.")
    expect(there.root).not_to_contain_text("This limit")
    assert here.bodies == [body_of(here.version.to_design(), ANSWERS, DECOY, direct=True)]


@pytest.mark.soak
def test_two_strengths_are_chosen_by_their_odds_and_both_disguise(publish, visit):
    here = publish(group={"policy": "choice", "light": True})
    there = visit(here, words=DECOY).walk(ANSWERS, until="group")
    expect(there.root.locator("label")).to_have_text([re.compile("^Strongly"), re.compile("^Lightly")])
    expect(there.root.locator("label").get_by_text("is still wrong")).to_have_count(2)
    there.walk(ANSWERS, direct=True, until="block:silence")
    expect(there.root).to_contain_text("Otherwise it sends")
    expect(there.root).not_to_contain_text("real answers are stored")
    there.walk(ANSWERS).seal().delivered()
    sent = there.root.locator("details", has_text="Answers as sent")
    expect(sent).to_contain_text("Lightly disguised")
    expect(sent).not_to_contain_text("these are your real answers")
    assert here.bodies == [body_of(here.version.to_design(), ANSWERS, DECOY, direct=True)]


@pytest.mark.soak
def test_a_survey_without_protected_questions_warns_that_nothing_is_disguised(publish, visit):
    here = publish(blocks=workplace()["blocks"][:1])
    there = visit(here)
    expect(there.root.locator("h2")).to_have_text("Nothing is disguised here")
    there.walk(ANSWERS)
    expect(there.root).to_contain_text("sends your real answers")
    there.seal().delivered()
    expect(there.root).to_contain_text("Nothing is disguised in this survey")
    answers = {"work": ANSWERS["work"]}
    assert here.bodies == [body_of(here.version.to_design(), answers, TRUTH)]


@pytest.mark.soak
def test_assigned_groups_are_shown_before_the_questions_and_not_stored(publish, visit):
    here = publish(group={"policy": "assigned", "direct_share": 2500})
    there = visit(here, words=TRUTH).walk(ANSWERS, until="group")
    expect(there.root).to_contain_text("This device chose at random to send your real answers.")
    assert there.page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]") == [0, 0, ""]
    assert there.page.evaluate("indexedDB.databases()") == []
    there.back()
    there.walk(ANSWERS).seal().delivered()
    assert here.bodies == [body_of(here.version.to_design(), ANSWERS, TRUTH, direct=True)]


def test_reloading_the_page_redraws_the_assigned_group(publish, visit):
    """The group is only in memory, as the report says. The generator changes between the loads."""
    here = publish(group={"policy": "assigned", "direct_share": 2500})
    there = visit(here, words=TRUTH).walk(ANSWERS, until="group")
    expect(there.root).to_contain_text("This device chose at random to send your real answers.")
    there.page.add_init_script("Crypto.prototype.getRandomValues = (array) => array.fill(9999)")
    there.page.reload()
    there.started()
    there.walk(ANSWERS, until="group")
    expect(there.root).to_contain_text("This device chose at random to disguise your answers.")


@pytest.mark.soak
def test_risks_follow_the_design_before_sealing_and_the_row_after(publish, visit):
    """A manual calculation for "pressure": p .5, decoys .34, .33, .33, skip .25; stated .7, .2, .1."""
    there = visit(publish(), words=TRUTH).walk(ANSWERS, until="block:pressure")
    # Its rarest answers reveal the most: 1 + .5 / (.5 .33 .75) = 5.04, 5.04 / 6.04 = 83.5%. A line of
    # the list in "silence" is one answer, with p .5 and skip .0589: 1 + .5 / (.5 .9411 / 2) = 3.13.
    expect(there.root).to_contain_text("could make them at most 84% sure")
    # "Once", stated at .2 * .75 = .15: .15 (.5 + .12375) / (.075 + .12375) = .4708.
    said = re.compile("If 15 in 100 people truly give .*, about 47 of 100 whose device sends them truly did")
    expect(there.root).to_contain_text(said)
    there.walk(ANSWERS).seal().delivered()
    expect(there.root.locator("section.card").last).to_contain_text(said)


@pytest.mark.soak
def test_the_page_shows_every_sent_bit_after_sealing(publish, visit):
    here = publish()
    there = visit(here, words=DECOY).walk(ANSWERS).seal().delivered()
    there.root.get_by_text("Answers as sent", exact=True).click()
    there.root.get_by_text("All bits that were sent", exact=True).click()
    bits = "".join(there.root.locator("tbody th").all_inner_texts())
    sent = here.bodies[0]
    assert bits == "".join(f"{byte:08b}" for byte in sent)
    expect(there.root.locator("details details")).to_contain_text(sent.hex())
    cards = there.root.locator("section.card")
    work = cards.nth(0)
    expect(work.locator("dt")).to_have_text(
        [*there.questions][:2] + [*there.lists][:1] + [*there.questions][2:5]
    )
    expect(work.locator("dd").filter(has_text=re.compile("^(Yes|No)$"))).to_have_text(
        ["Yes", "Yes", "No", "Yes"]
    )
    expect(cards.nth(1).locator("dd").first).to_have_text("No")
    expect(there.root).to_contain_text("Disguised answers may not be your real ones")
    expect(there.root.get_by_role("button")).to_have_count(1)
    expect(there.root.locator("input")).to_have_count(0)
    there.press("Leave this page now")
    there.page.wait_for_url("about:blank")


def shipped(name):
    """Return a shipped survey ready to publish, with its gaps filled and a deletion date."""
    text = resources.files("surveys").joinpath("definitions", f"{name}.json").read_text(encoding="utf-8")
    filled = json.loads(re.sub(r'"\[([^"\]]*)\]"', r'"\1"', text))
    return {**filled, "slug": "counted", "practice": False, "delete_on": "2099-03-01"}


@pytest.mark.soak
def test_two_taps_and_150_words_precede_the_first_question(publish_definition, reader):
    """For an open link and strong disguise for everyone; the survey's own words do not count."""
    for name, changes, taps in (
        # Everything disguised; every kind of question; rotating parts; a choice of group, which comes later.
        ("workplace", {"blocks": shipped("workplace")["blocks"][1:2], "group": {"policy": "protected"}}, 1),
        ("everyday", {"group": {"policy": "protected"}}, 1),
        ("templates/drugs", {"group": {"policy": "protected"}}, 1),
        ("marriage", {}, 1),
    ):
        document = {**shipped(name), **changes, "slug": name.split("/")[-1]}
        there = Visit(reader, publish_definition(document).address, document).open()
        words, tapped = before_the_first_question(there, document)
        assert tapped == taps, name
        assert words > 40, name
        assert words <= 150 or document["group"]["policy"] == "choice", name


@pytest.mark.soak
def test_a_phones_first_screen_shows_all_essentials_without_scrolling(publish_definition, reader):
    """An unchanged template in a window of 360 by 640 pixels."""
    document = shipped("templates/health")
    there = Visit(reader, publish_definition(document).address, document)
    reader.set_viewport_size({"width": 360, "height": 640})
    for language in ("en", "zh-hans"):
        there.page.goto(there.address.replace("/en/", f"/{language}/"))
        there.root.locator(".actions").wait_for()
        start = there.root.locator(".actions").bounding_box()
        assert start["y"] + start["height"] <= 640
        for part in (".length", ".trial", ".proof", ".proof + p"):
            box = there.root.locator(part).bounding_box()
            assert box["y"] + box["height"] <= start["y"], part
        assert there.root.locator("details[open]").count() == 0


@pytest.mark.soak
def test_a_number_and_a_map_are_explained_in_forty_words(publish_definition, reader):
    """The explanation is above the part's questions; how sure anyone could be is folded."""
    for key in ("time", "places"):
        (block,) = [each for each in everyday_definition()["blocks"] if each["key"] == key]
        # The second part has a screen of its own; question 1 shows what the first one's would say.
        before = next(each for each in everyday_definition()["blocks"] if not each["protected"])
        document = everyday_definition(slug=key, blocks=[before, block], group={"policy": "protected"})
        there = Visit(reader, publish_definition(document).address, document).open()
        for screen in there.screens(until=f"block:{key}"):
            assert not screen.startswith("block:")
            there.go_on()
        there.at(f"block:{key}")
        own = [block[text]["en"] for text in ("title", "help") if text in block]
        shown = there.root.locator("p:visible, li:visible").all_inner_texts()
        words = sum(len(re.findall(r"\w+", text)) for text in shown if text not in own)
        # The part's number is no explanation: "Part 2 of 2".
        expect(there.root).to_contain_text("Part 2 of 2")
        words -= 4
        assert 20 < words <= 40, key
        there.root.locator("details summary").click()
        expect(there.root).to_contain_text("% sure")


def before_the_first_question(there, document):
    """Count Sottovoce's own words that a respondent reads, and their taps."""
    own = [text["en"] for text in document["about"].values()]
    own += [block[key]["en"] for block in document["blocks"] for key in ("title", "help") if block.get(key)]
    words = tapped = 0
    while not there.screen.startswith("question:"):
        heading = there.heading
        shown = there.root.inner_text()
        for text in sorted(own, key=len, reverse=True):
            shown = shown.replace(text, "")
        words += sum(1 for part in shown.split() if re.search(r"\w", part))
        if there.screen == "group":
            there.root.get_by_role("radio").first.check()
        there.go_on()
        tapped += 1
        # The questions' scripts may still be loading; without waiting, the first screen counted twice.
        expect(there.root.locator("h2").first).not_to_have_text(heading)
    return words, tapped


@pytest.mark.soak
def test_reloading_asks_for_confirmation_only_if_answers_would_be_lost(publish, visit):
    asked = []
    there = visit(publish())
    there.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    there.page.reload()
    there.started()
    assert asked == []
    there.walk(ANSWERS)
    there.page.reload()
    there.started()
    assert asked == ["beforeunload"]
    # The answers and the history are gone.
    there.walk({}, until="question:unreported")
    expect(there.root.get_by_role("radio", checked=True)).to_have_count(0)
    there.walk(ANSWERS).seal().delivered()
    there.page.reload()
    there.started()
    assert asked == ["beforeunload"]


@pytest.mark.soak
def test_changing_the_language_between_questions_keeps_the_answers(publish, visit):
    here = publish()
    there = visit(here, words=TRUTH).walk(ANSWERS, until="question:unreported")
    there.choose(ANSWERS)
    there.page.get_by_role("link", name="简体中文").click()
    expect(there.page.locator("html")).to_have_attribute("lang", "zh-hans")
    blocks = here.definition["blocks"]
    question = next(one for block in blocks for one in block["questions"] if one["key"] == "unreported")
    expect(there.root.locator("h2").first).to_have_text(question["text"]["zh-hans"])
    expect(there.root.locator("input:checked")).to_have_count(1)
    there.page.get_by_role("link", name="English").click()
    expect(there.root.locator("h2").first).to_have_text(question["text"]["en"])
    there.walk(ANSWERS).seal().delivered()
    assert here.bodies == [body_of(here.version.to_design(), ANSWERS, TRUTH)]


@pytest.mark.soak
def test_a_word_of_eighty_one_letters_does_not_widen_the_page(publish, reader):
    blocks = workplace()["blocks"]
    word = "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetzesangelegenheiten"
    blocks[0]["questions"][0]["text"]["en"] = f"{word}?"
    blocks[0]["questions"][0].get("options", [{"text": {}}])[0]["text"]["en"] = word
    here = publish(blocks=blocks)
    reader.set_viewport_size({"width": 360, "height": 640})
    there = Visit(reader, here.address, here.definition).open()
    there.walk(ANSWERS, until=f"{word}?")
    assert width_of(there.page) <= 360


@pytest.mark.soak
def test_the_first_question_waits_for_the_remaining_scripts(publish, visit, device):
    """Everything is loaded before the first question, so that no network failure can interrupt later."""
    context, waiting = device(), []
    context.route(re.compile(r"/program/[0-9a-f]+/later\.js"), lambda route: waiting.append(route))
    here = publish()
    there = visit(here, context)
    there.press("Start")
    assert there.screen == "intro"
    waiting.pop().continue_()
    there.at("question:years")
    there.walk(ANSWERS).seal().delivered()
    assert here.receipts == 1


@pytest.mark.soak
def test_questions_with_the_same_options_share_one_table(publish, visit):
    here = publish(blocks=with_table()[1:2])
    there = visit(here, words=TRUTH)
    for _screen in there.screens(until="table:silence"):
        there.go_on()
    rows = there.root.locator(".matrix > fieldset")
    expect(rows).to_have_count(2)
    rows.nth(0).get_by_label("Yes", exact=True).check()
    there.press("Continue")
    expect(rows.nth(1).locator(".error")).to_be_visible()
    expect(rows.nth(0).locator(".error")).to_be_hidden()
    rows.nth(1).get_by_label("No", exact=True).check()
    # A table with columns if there is room, cards on a phone.
    for width in (1280, 360):
        there.page.set_viewport_size({"width": width, "height": 800})
        assert width_of(there.page) <= width
        boxes = [rows.nth(0).get_by_label(name, exact=True).bounding_box() for name in ("Yes", "No")]
        assert (boxes[0]["y"] == boxes[1]["y"]) == (width > 360)
    there.press("Continue")
    there.choose(TABLE_ANSWERS)
    there.press("Continue")
    there.root.get_by_role("button", name=f"Change {TOLD}").click()
    expect(rows.nth(1).get_by_label("No", exact=True)).to_be_checked()
    there.press("Continue")
    there.seal().delivered()
    answers = {"silence": TABLE_ANSWERS["silence"]}
    assert here.bodies == [body_of(here.version.to_design(), answers, TRUTH)]


def towns(count: int) -> dict[str, Any]:
    names = [f"Tówn {number:03}" for number in range(count)]
    options = [{"key": f"t{number}", "text": {"en": name}} for number, name in enumerate(names)]
    return {"key": "town", "kind": "single", "text": {"en": "Which town?"}, "options": options}


def opened(page: Any, live_server: Any, count: int) -> Any:
    document = document_of(unprotected("place", towns(count)), protected("never", yes_no("steal")))
    survey = survey_import(document, by="ana")
    survey_publish(survey, by="ana", now=timezone.now(), reason="A test.", is_readable_seen=True)
    page.goto(f"{live_server.url}/en/s/checked/")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="Which town?")).to_be_visible()
    return page


@pytest.mark.soak
def test_searching_a_long_list_ignores_accents_and_keeps_the_choice(reader: Any, live_server: Any) -> None:
    reader.set_viewport_size({"width": 360, "height": 640})
    short = opened(reader, live_server, 15)
    expect(short.get_by_role("radio")).to_have_count(15)
    expect(short.get_by_role("searchbox")).to_have_count(0)
    page = opened(reader, live_server, 150)
    radios = page.get_by_role("radio")
    expect(radios).to_have_count(150)
    search = page.get_by_role("searchbox", name="Search these answers")
    search.fill("town 14")
    expect(page.get_by_text("10 of 150 answers match.")).to_be_visible()
    expect(radios).to_have_count(10)
    page.get_by_label("Tówn 143").check()
    search.fill("Tówn 007")
    expect(radios).to_have_count(2)
    expect(page.get_by_label("Tówn 143")).to_be_checked()
    search.press("Enter")
    expect(page.get_by_role("heading", name="Which town?")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == "[]"
    search.fill("")
    expect(radios).to_have_count(150)
