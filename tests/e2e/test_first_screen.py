"""What respondents read before the questions: the first screen and its label, or a page without questions."""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from privacy.risk.amplification import promise
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.questionnaire.definition import SURVEYED
from surveys.questionnaire.promise_words import promise_sentence, promise_texts
from surveys.questionnaire.stated_prevalences import definition_prevalences
from surveys.respondent.client_program import client
from surveys.respondent.survey_digests import survey_digest
from tests.conftest import wait_until
from tests.e2e.judged import width_of
from tests.e2e.survey import ANSWERS, TRUTH, in_arabic, workplace
from tests.fixtures.devices import published, shipped_definition, survey_of, wide_definition
from tests.fixtures.first_question import effort_to_question_one
from tests.fixtures.own_surveys import OWN, own_survey
from tests.fixtures.posteriors import row_odds, worst_row_odds
from tests.fixtures.runs import published as with_strengths

pytestmark = pytest.mark.django_db(transaction=True)

HEIGHTS = (480, 640, 900)
# Returns texts of the first screen that its buttons cover, at any scroll position.
COVERED = """
() => {
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
  const covered = [];
  for (let place = 0; place < document.body.scrollHeight; place += 100) {
    window.scrollTo(0, place);
    const actions = document.querySelector("#root .actions").getBoundingClientRect();
    const texts = document.querySelectorAll("#root p, #root li, #root summary, #root h2, h1, #languages a");
    covered.push(...[...texts].filter((text) => meet(text.getBoundingClientRect(), actions)));
  }
  return covered.map((text) => text.textContent);
}
"""


@pytest.fixture
def said(reader: Page, live_server: Any) -> Any:
    """Return a function that opens an address and returns all of its text, folded or not."""

    def read(path: str) -> str:
        reader.goto(f"{live_server.url}{path}")
        expect(reader.get_by_role("heading", name="This page needs JavaScript")).to_have_count(0)
        expect(reader.locator("#root > *").first).to_be_attached()
        if reader.locator("[data-intro]").count():
            # It loads after everything that question 1 needs.
            reader.locator("details .digest").first.wait_for(state="attached")
        # Include folded text.
        return " ".join(reader.locator("body").evaluate("node => node.textContent").split())

    return read


def test_the_first_screen_contains_all_required_information(said: Any) -> None:
    definition = shipped_definition(slug="workplace", delete_on="2099-03-01")
    version = published(definition)
    text = said("/en/s/workplace/")
    count = max(sum(len(block["questions"]) for block in definition["blocks"]), 1)
    for sentence in (
        f"{count} questions, about {1 + -(-count // 4)} minutes.",
        "24 of 100 people whose true answer is “no” send “yes”. So a “yes” proves nothing.",
        "“Stored as answered” means: not disguised.",
        "After that, we cannot find or delete them.",
        "All answers are deleted on March 1, 2099. Earlier backups may keep answers for longer.",
        "If you close or reload this page, you start again.",
        "This page sets no cookies and loads nothing from other sites.",
        client().digest,
        survey_digest(version),
    ):
        assert sentence in text
    for key, part in definition["about"].items():
        # The population is described only in the report.
        assert (part["en"].split(".")[0] in text) == (key not in SURVEYED)
    assert "which of several texts" not in text


def test_the_first_screen_describes_how_answers_are_sent(said: Any) -> None:
    blocks = workplace()["blocks"]
    protected = [block for block in blocks if block["protected"] and not block.get("asked_if")]
    told = {
        "choice": "You can choose to answer directly instead. Then your real answers are stored.",
        "assigned": "12.5 in 100 devices, chosen at random, send the real answers.",
    }
    published(shipped_definition(slug="choice", group={"policy": "choice"}))
    published(shipped_definition(slug="assigned", group={"policy": "assigned", "direct_share": 1250}))
    for slug, sentence in told.items():
        assert sentence in said(f"/en/s/{slug}/")
    published(shipped_definition(slug="all", blocks=protected))
    text = said("/en/s/all/")
    assert "24 of 100 people whose true answer is “no” send “yes”." in text
    assert "Stored as answered" not in text
    with_strengths("two", policy="choice", light=True)
    text = said("/en/s/two/")
    assert "Your choice is stored as it is." in text
    assert "real answers are stored" not in text


@pytest.mark.soak
@pytest.mark.parametrize(("language", "says"), [("en", "Loading"), ("zh-hans", "正在加载")])
def test_a_folded_part_opened_early_says_that_it_loads_and_then_fills(
    device: Any, live_server: Any, language: str, says: str
) -> None:
    """It used to be empty for as long as the network took."""
    published(shipped_definition(slug="workplace"))
    reader = device().new_page()
    held: list[Route] = []
    reader.route("**/program/*/end.js*", lambda route: held.append(route))
    reader.goto(f"{live_server.url}/{language}/s/workplace/")
    folds = reader.locator("[data-intro] > details")
    for number in range(2):
        folds.nth(number).locator("summary").click()
        expect(folds.nth(number).get_by_role("status")).to_have_text(says)
    wait_until(lambda: bool(held), what="a request for the folded parts")
    for route in held:
        route.continue_()
    expect(folds.locator("h3").first).to_be_visible()
    expect(reader.get_by_text(says)).to_have_count(0)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["end.js", "later.js", "later.css"])
def test_a_folded_part_that_fails_can_be_requested_again(device: Any, live_server: Any, name: str) -> None:
    """Opened before later.js had arrived, it said that the page does not work, and stayed so."""
    published(shipped_definition(slug="workplace"))
    reader = device().new_page()
    reader.route(f"**/program/*/{name}*", lambda route: route.abort())
    reader.goto(f"{live_server.url}/en/s/workplace/")
    fold = reader.locator("[data-intro] > details").first
    fold.locator("summary").click()
    expect(fold.get_by_role("heading", name="The survey did not load completely")).to_be_visible()
    reader.unroute(f"**/program/*/{name}*")
    fold.get_by_role("button", name="Try again").click()
    # The pressed button is gone, and the focus stays at the folded part.
    expect(fold.locator("summary")).to_be_focused()
    expect(fold.locator("h3").first).to_be_visible()


@pytest.mark.soak
def test_start_covers_no_text_and_one_tap_reaches_an_open_question(reader: Page, live_server: Any) -> None:
    with_strengths("two", policy="choice", light=True)
    published(shipped_definition(slug="workplace"))
    for language in ("en", "zh-hans"):
        reader.goto(f"{live_server.url}/{language}/s/two/")
        reader.locator("#root details h3").first.wait_for(state="attached")
        for height in HEIGHTS:
            reader.set_viewport_size({"width": 360, "height": height})
            assert reader.evaluate(COVERED) == []
        for height in HEIGHTS:
            reader.set_viewport_size({"width": 360, "height": height})
            reader.goto(f"{live_server.url}/{language}/s/workplace/")
            reader.locator("#root .actions button").first.click()
            expect(reader.locator("#root:not(:has([data-intro])) fieldset")).to_be_visible()


@pytest.mark.soak
def test_a_one_question_part_opens_directly_and_repeats_no_text(reader: Page, live_server: Any) -> None:
    work, silence, _ = workplace()["blocks"]
    own = work["questions"][0]
    help_text = {"en": "Think of your present job.", "zh-hans": "请想你现在的工作。"}
    # Surveys of earlier versions repeat the first question as the title of a part that has none.
    alone = {**work, "questions": [own], "title": dict(own["text"]), "help": help_text}
    del silence["title"]
    published(shipped_definition(slug="alone", blocks=[alone, silence]))
    for language, asks in (("en", "4 questions"), ("zh-hans", "4 道题")):
        reader.goto(f"{live_server.url}/{language}/s/alone/")
        heading = reader.locator("#root h2").first
        reader.locator("#root .actions button").first.click()
        expect(heading).to_have_text(own["text"][language])
        expect(reader.get_by_text(help_text[language])).to_be_visible()
        expect(reader.get_by_text(own["text"][language], exact=True)).to_have_count(1)
        reader.get_by_role("radio").first.check()
        reader.locator("#root .actions button").first.click()
        # This part has no separate title.
        expect(heading).to_have_text(asks)
        reader.locator("#root .actions button").first.click()
        expect(heading).to_have_text(silence["questions"][0]["text"][language])


@pytest.mark.soak
def test_the_survey_uses_the_addresss_language_if_available(
    said: Any, reader: Page, live_server: Any
) -> None:
    published(shipped_definition(slug="workplace"))
    text = said("/zh-hans/s/workplace/")
    assert "在工作中说出来" in text
    assert "Speaking up at work" not in text
    assert reader.locator("html").get_attribute("lang") == "zh-hans"
    assert reader.title() == "在工作中说出来"
    english = wide_definition("wide")
    published(english)
    text = said("/zh-hans/s/wide/")
    assert english["title"]["en"] in text
    # A survey without the address's language speaks its own throughout.
    assert "你今天早上喝茶了吗" not in text
    assert reader.locator("html").get_attribute("lang") == "en"
    published(in_arabic(workplace(slug="arabic")))
    said("/en/s/arabic/ar/")
    assert reader.locator("html").get_attribute("dir") == "rtl"
    reader.locator("#languages").get_by_text("English", exact=True).click()
    expect(reader.locator("h1")).to_have_text("Speaking up at work")
    assert reader.locator("html").get_attribute("dir") == "ltr"
    # The language changes in the same page, and the address stays.
    assert reader.url == f"{live_server.url}/en/s/arabic/ar/"


@pytest.mark.soak
def test_unavailable_surveys_explain_why_and_what_to_do(said: Any, reader: Page) -> None:
    survey_import(shipped_definition(slug="draft"), by="alice")
    published(shipped_definition(slug="planned", opens_at="2099-12-01T08:00", time_zone="Europe/Berlin"))
    for slug in ("draft", "nowhere"):
        text = said(f"/en/s/{slug}/")
        assert "Survey not found" in text
        assert "Compare the address with the one you were given" in text
    text = said("/en/s/planned/")
    assert "It opens on December 1, 2099 at 08:00 (Europe/Berlin)." in text
    assert "Speaking up at work" not in text
    for slug, practice, at_once, late in (
        ("late", False, False, True),
        ("at-once", False, True, False),
        ("practice", True, False, False),
    ):
        version = published(shipped_definition(slug=slug, practice=practice))
        survey_close(survey_of(version), by="alice", now=timezone.now(), at_once=at_once)
        text = said(f"/en/s/{slug}/")
        assert "“Speaking up at work” is closed" in text
        assert "It no longer accepts answers." in text
        assert ("That works for two days after closing." in text) is late
        assert reader.locator("#root input").count() == 0


@pytest.mark.soak
def test_a_survey_that_fails_to_load_offers_a_retry(reader: Page, live_server: Any) -> None:
    published(shipped_definition(slug="workplace"))
    away = [True]
    reader.route("**/client/surveys/*", lambda route: route.abort() if away else route.continue_())
    reader.goto(f"{live_server.url}/en/s/workplace/#code")
    expect(reader.get_by_role("heading", name="The survey did not load completely")).to_be_visible()
    away.clear()
    reader.get_by_role("button", name="Try again").click()
    expect(reader.get_by_role("button", name="Start")).to_be_visible()
    assert reader.url.endswith("#code")


@pytest.mark.soak
def test_phones_show_the_label_before_questions_and_after_sealing(publish, visit):
    here = publish()
    there = visit(here, words=TRUTH, viewport={"width": 390, "height": 844})
    expect(there.root.locator("h2").first).to_have_text("Try it: did you have tea this morning?")
    there.root.get_by_text("How sure could anyone be?").click()
    design, stated = here.version.to_design(), definition_prevalences(here.definition)
    shielded = [number for number, block in enumerate(design.blocks) if block.protected]
    worst = [worst_row_odds(design, stated, block) for block in shielded]
    labels = there.root.locator(".odds")
    expect(labels).to_have_count(len(shielded))
    for label, odds in zip(labels.all(), worst, strict=True):
        expect(label).to_contain_text(
            f"about {odds.posterior_of_100} of 100 whose device sends them truly did."
        )
        # Picture and sentence agree.
        expect(label.locator("circle.dot--on")).to_have_count(odds.posterior_of_100)
        expect(label.locator("circle")).to_have_count(100)
    whole = promise(design)
    assert whole is not None
    first = promise_sentence(whole)
    expect(there.root).to_contain_text(first)
    # The promise is visible without a tap, above the start button.
    assert whole.one_of_100 is not None
    assert whole.of_100 is not None
    doubts = {"k": f"{100 - whole.one_of_100} in 100", "m": f"{100 - whole.of_100} in 100"}
    kind = "promise_short_same" if doubts["k"] == doubts["m"] else "promise_short"
    said = promise_texts()[kind].format(**doubts)
    if whole.skip_of_100 is not None and whole.skip_of_100 > whole.one_of_100 and doubts["k"] != doubts["m"]:
        said += " " + promise_texts()["promise_short_skip"].format(s=f"{100 - whole.skip_of_100} in 100")
    short = there.root.get_by_text(said, exact=True)
    expect(short).to_be_visible()
    lowest = short.bounding_box()
    start = there.button("Start").bounding_box()
    assert lowest["y"] + lowest["height"] <= start["y"]
    assert width_of(there.page) <= 390
    there.walk(ANSWERS).seal().delivered()
    # The row is hidden until opened, so that no one reads it over the respondent's shoulder.
    expect(there.root.get_by_text("Disguised answers may not be your real ones")).to_be_hidden()
    there.root.get_by_text("Answers as sent").click()
    expect(there.root.get_by_text("Disguised answers may not be your real ones")).to_be_visible()
    expect(there.root).to_contain_text(first)
    sent = there.root.locator(".odds")
    expect(sent).to_have_count(len(shielded))
    for label, number in zip(sent.all(), shielded, strict=True):
        block = design.blocks[number]
        row = tuple(ANSWERS[block.key][one.key] for one in block.questions)
        odds = row_odds(design, stated, number, row)
        expect(label).to_contain_text(
            f"about {odds.posterior_of_100} of 100 whose device sends them truly did."
        )
        expect(label.locator("circle.dot--on")).to_have_count(odds.posterior_of_100)
    assert width_of(there.page) <= 390


@pytest.mark.soak
@pytest.mark.parametrize("first", OWN)
def test_question_one_of_a_disguised_part_says_how_it_is_sent_above_its_buttons(
    publish_definition: Any, reader: Page, first: str
) -> None:
    """How to skip used to follow the button that skips, below the edge of small phones."""
    here = publish_definition(own_survey(first))
    reader.goto(here.address)
    effort_to_question_one(reader, "en")
    root = reader.locator("#root")
    said = ["This device sends", "You can choose “Prefer not to say”.", "How sure could anyone be?"]
    if first in {"yes-no", "list"}:
        said.append("“Prefer not to say” skips this whole part")
    for text in said:
        sentence = root.get_by_text(text)
        expect(sentence).to_be_visible()
        assert sentence.evaluate(
            "(node) => Boolean(node.compareDocumentPosition(document.querySelector('#root .actions'))"
            " & Node.DOCUMENT_POSITION_FOLLOWING)"
        ), text
