"""A frame in another tool's page sends one line of text, once, and the host learns nothing else."""

import re

import pytest
from playwright.sync_api import expect

from privacy.survey.layout import Layout
from surveys.embed.answer_string import answer_string_read, version_mark
from tests.e2e.framed import FOREIGN, HOST, SIBLING, Framed
from tests.e2e.judged import violations, width_of
from tests.e2e.survey import DECOY, TRUTH
from tests.e2e.test_composites import evened
from tests.fixtures.composite_drafts import composite_document
from tests.fixtures.embed_frames import FRAMED, person_asked_in, rotating, three, with_choices, worded

# A planted leak: a message after each answer.
LEAK = 'addEventListener("change", () => parent.postMessage({sotto: 1, progress: 1}, "*"));'
# Another one: a longer value for "yes".
LONGER = (
    'addEventListener("change", ({target}) => { if (target.value === "0")'
    ' parent.postMessage({sotto: 1, value: "x"}, "*"); });'
)


# Another one: computing takes longer for "yes", so the delay before the line reveals it.
SLOWER = """{ const fill = crypto.getRandomValues.bind(crypto); crypto.getRandomValues = (into) => {
  const until = performance.now() + (document.querySelector("input[value='1']:checked") ? 5 : 0);
  while (performance.now() < until); return fill(into); }; }"""
TIMES = """const now = () => performance.timeOrigin + performance.now();
addEventListener("click", () => { window.pressed = now(); }, true);
addEventListener("message", ({data}) => { if (data?.value) window.came = now(); }, true);"""
TRIALS = 40
DONE = "Done. You can no longer change it."


@pytest.fixture
def framed(device):
    def make(document=None, words=None, **more):
        options = {name: more.pop(name) for name in ("viewport", "bypass_csp") if name in more}
        here = Framed(context=device(words=words, **options), document=document or three(), **more)
        here.open()
        return here

    return make


def test_a_frame_draws_once_and_the_host_gets_only_the_height_and_one_string(framed):
    both = {"hosts": (HOST, "https://other.uni.example")}
    here = framed(words=TRUTH, **both)
    other = Framed(context=here.context, document=three(), **both)
    other.open()
    other.answer("No", "No", "No")
    here.page.bring_to_front()
    here.answer("Yes", "No", "Yes")
    assert [sorted(message) for message in here.messages] == [["height", "remembers", "sotto"]]
    here.press("Disguise")
    value = here.value()
    read = answer_string_read(value)
    assert read.version == version_mark(here.digest)
    assert Layout(here.definition.design).unpack(read.body).answers == ((1, 0, 1),)
    assert len(value) == 35
    assert here.messages[1:] == [{"sotto": 1, "part": "part", "value": value}]
    expect(here.frame.get_by_role("heading", name=DONE)).to_be_visible()
    # The frame only requested its own files, so no answer went elsewhere.
    assert all(request.startswith("GET ") for request in here.requests)
    # Two windows share one draw.
    other.page.bring_to_front()
    other.press("Disguise")
    assert other.value() == value
    # So do two hosts of one site, or a respondent asked on both would draw twice.
    other = Framed(context=here.context, document=three(), host="https://other.uni.example", **both)
    other.open()
    assert other.value() == value
    here.page.bring_to_front()
    here.page.reload()
    assert here.value() == value
    here.page.goto(f"{here.host}/elsewhere")
    here.page.go_back()
    expect(here.frame.get_by_role("heading", name=DONE)).to_be_visible()
    assert here.value() == value
    # A private window does not know the string, and says before the questions to answer only once.
    private = framed()
    expect(private.frame.get_by_role("button", name="Start")).to_be_visible()
    expect(private.frame.get_by_text("Do not answer again in another window.")).to_be_visible()
    assert [sorted(message) for message in private.messages] == [["height", "remembers", "sotto"]]
    private.answer("Yes", "No", "Yes").press("Disguise")
    assert private.value() != value
    assert {**private.seen(), "history": 0} == {**here.seen(), "history": 0}
    # Once the survey is complete, the frame forgets the string but not that it was given.
    here.page.evaluate("tell({sotto: 1, complete: true})")
    here.page.frames[1].wait_for_function(
        "(value) => !JSON.stringify({...localStorage}).includes(value)", arg=value
    )
    here.page.reload()
    expect(here.frame.get_by_role("heading", name=DONE)).to_be_visible()
    height, done = here.messages
    assert sorted(height) == ["height", "remembers", "sotto"]
    assert done == {"sotto": 1, "part": "part", "done": True}
    assert value not in here.frame.locator("body").evaluate("() => JSON.stringify({...localStorage})")


def failing_first(failures, asked):
    def handle(route):
        asked.append(route.request.url)
        if len(asked) <= failures:
            route.abort()
        else:
            route.fallback()

    return handle


@pytest.mark.soak
def test_a_part_of_a_frame_that_does_not_arrive_is_requested_again(device):
    """After the last request, a button requests it again, and the frame does not show the browser's words."""
    for failures in (2, 3):
        context, asked = device(), []
        here = Framed(context=context, document=rotating())
        context.route(re.compile(r"/drawing\.js"), failing_first(failures, asked))
        here.open()
        if failures > 2:
            expect(
                here.frame.get_by_role("heading", name="The survey did not load completely")
            ).to_be_visible()
            expect(here.frame.locator("#root")).not_to_contain_text(re.compile("module|fetch|http"))
            here.press("Try again")
        expect(here.frame.get_by_role("button", name="Start")).to_be_visible()
        assert len(set(asked)) == failures + 1


@pytest.mark.soak
def test_the_host_notices_a_changed_answer_only_in_a_leaking_frame(device):
    here = Framed(context=device(), document=three())
    here.page = here.context.new_page()
    for here.planted in ("", LEAK, LONGER):
        worlds = []
        for first in ("Yes", "No"):
            here.page.goto(f"{here.host}/")
            here.answer(first, "No", "Yes").press("Disguise")
            here.value()
            worlds.append(here.seen())
            # The next respondent has a device without memory.
            here.page.frames[1].evaluate("() => localStorage.clear()")
        leaks = worlds[0] != worlds[1] or len(worlds[0]["messages"]) != 2
        assert leaks == bool(here.planted), here.planted


def delay_to_line(here, first):
    """Return the delay from press to line for a respondent who gives only this answer."""
    here.page.goto(f"{here.host}/")
    here.answer(first, first, first).press("Disguise")
    here.value()
    frame = here.page.frames[1]
    took = here.page.evaluate("() => came") - frame.evaluate("() => pressed")
    # The next respondent has a device without memory.
    frame.evaluate("() => localStorage.clear()")
    return took


@pytest.mark.soak
@pytest.mark.parametrize("planted", ["", SLOWER], ids=["the frame", "one that works longer"])
def test_message_timing_reveals_no_answers(device, planted):
    # Imported here, because no other browser test needs it and it takes 0.7 s.
    from scipy.stats import mannwhitneyu

    here = Framed(context=device(), document=three(), planted=planted)
    here.context.add_init_script(TIMES)
    here.page = here.context.new_page()
    # Alternate, so that other load on the machine affects both.
    times = [[delay_to_line(here, first) for first in ("Yes", "No")] for _ in range(TRIALS)]
    yes, no = zip(*times, strict=True)
    # False-alarm rate 1e-6; complete separation has probability 2 / C(80, 40) = 1.9e-23.
    told = mannwhitneyu(yes, no).pvalue < 1e-6
    assert told == bool(planted)


@pytest.mark.soak
def test_the_frame_promises_to_remember_only_when_that_is_certain(device):
    context = device()
    for origin, site, shared, remembers in (
        (SIBLING, "uni.example", False, True),
        (SIBLING, "", False, False),
        (FOREIGN, "uni.example", False, False),
        (SIBLING, "uni.example", True, False),
    ):
        here = Framed(context=context, document=three(), origin=origin, site=site, shared_device=shared)
        here.open()
        here.frame.get_by_role("button", name="Start").wait_for()
        assert here.messages[0]["remembers"] is remembers
        warning = here.frame.get_by_text("Answer once only")
        expect(warning).to_have_count(0 if remembers else 1)
        expect(here.frame.get_by_text("Do not answer again in another window.")).to_be_visible()


def test_an_unlisted_host_page_shows_nothing_and_receives_nothing(framed):
    # The header blocks the page. If a careless host omits the header, the script does.
    here = framed(host="https://other.example")
    here.page.wait_for_timeout(300)
    assert here.messages == []
    here.headers.clear()
    here.page.reload()
    expect(here.frame.get_by_role("heading", name="This box only works inside a survey")).to_be_visible()
    assert here.messages == []


def test_only_the_embedding_page_is_heard(framed):
    here = framed()
    here.frame.get_by_role("button", name="Start").wait_for()
    forged = "sotto1." + "A" * 12 + "." + "A" * 12 + ".YA"
    # This listener is called after the frame's own.
    here.page.frames[1].evaluate("() => { addEventListener('message', () => { window.heard = true; }); }")
    here.page.evaluate("(value) => tell({sotto: 1, value})", forged)
    here.page.frames[1].wait_for_function("() => window.heard")
    # The forged line has another design, so the frame ignores it.
    expect(here.frame.get_by_role("button", name="Start")).to_be_visible()
    here.answer("Yes", "Yes", "Yes").press("Disguise")
    value = here.value()
    # The host passes the earlier line to a device that has forgotten it.
    here.page.frames[1].evaluate("() => localStorage.clear()")
    here.page.goto(f"{here.host}/")
    here.frame.get_by_role("button", name="Start").wait_for()
    here.page.evaluate("(value) => tell({sotto: 1, value})", value)
    expect(here.frame.get_by_role("heading", name=DONE)).to_be_visible()
    assert len(here.messages) == 1


@pytest.mark.soak
def test_the_frame_warns_if_the_host_does_not_confirm_storage(device):
    here = Framed(context=device(), document=three())
    here.context.clock.install()
    here.open()
    here.answer("Yes", "No", "Yes").press("Disguise")
    here.value()
    here.page.clock.run_for(11_000)
    alert = here.frame.get_by_role("alert")
    expect(alert).to_have_text("Your answer may not have been kept.")
    here.press("Send it again")
    here.page.evaluate("tell({sotto: 1, stored: true})")
    here.page.clock.run_for(11_000)
    expect(alert).to_have_count(0)
    assert here.messages[1] == here.messages[2]


@pytest.mark.soak
def test_unanswered_questions_are_reported_and_skips_are_disguised(framed):
    here = framed(with_choices(), words=DECOY)
    here.press("Start")
    here.press("Disguise")
    expect(here.frame.locator(".error:visible")).to_have_count(4)
    here.press("Prefer not to say")
    read = answer_string_read(here.value())
    assert Layout(here.definition.design).unpack(read.body).refused == (False,)


@pytest.mark.soak
def test_a_device_asks_only_the_questions_it_drew(framed):
    here = framed(rotating())
    here.answer("No", "No")
    expect(here.frame.get_by_role("group")).to_have_count(2)
    here.press("Disguise")
    record = Layout(here.definition.design).unpack(answer_string_read(here.value()).body)
    assert record.drawn is not None
    assert len(record.drawn[0]) == 2


@pytest.mark.parametrize("kind", FRAMED)
@pytest.mark.soak
def test_the_frame_is_accessible_at_320_pixels(framed, kind):
    here = framed(FRAMED[kind](), viewport={"width": 640, "height": 900}, bypass_csp=True)
    here.page.locator("iframe").evaluate("node => { node.width = 320; }")
    here.page.reload()
    here.page.locator("iframe").evaluate("node => { node.width = 320; }")
    here.frame.get_by_role("button", name="Start").wait_for()
    if kind == "turning":
        here.page.evaluate("(person) => tell({sotto: 1, person})", person_asked_in(1))
        expect(here.frame.get_by_role("button", name="Start")).to_be_enabled()
    for press in ("Start", "Disguise"):
        here.press(press)
        here.page.wait_for_timeout(100)
        assert violations(here.page.frames[1]) == "[]"
        assert here.frame.locator("html").evaluate("node => node.scrollWidth") <= 320


def test_the_frame_works_by_keyboard_within_its_requested_height(framed):
    here = framed()
    main = here.frame.locator("main")
    here.frame.get_by_role("button", name="Start").focus()
    height = here.messages[0]["height"]
    here.page.keyboard.press("Enter")
    for _ in range(3):
        here.page.keyboard.press("Tab")
        here.page.keyboard.press("Space")
    assert main.evaluate("node => node.offsetHeight") <= height
    here.page.keyboard.press("Tab")
    here.page.keyboard.press("Enter")
    assert len(here.value()) == 35
    assert main.evaluate("node => node.offsetHeight") <= height
    assert width_of(here.page) <= 1280


def test_two_surveys_with_one_design_have_separate_memories(device):
    """The wordings differ, so an answer to one is not an answer to the other."""
    here = Framed(context=device(), document=worded("Did you ever drug?"))
    here.open()
    here.answer("Yes", "No", "Yes").press("Disguise")
    value = here.value()
    there = Framed(context=here.context, document=worded("Did you ever give blood?"))
    there.open()
    assert there.definition.design == here.definition.design
    expect(there.frame.get_by_role("button", name="Start")).to_be_visible()
    # The frame does not accept the other survey's line.
    there.page.evaluate("(value) => tell({sotto: 1, value})", value)
    there.answer("No", "No", "No").press("Disguise")
    assert there.value()[:19] != value[:19]


# Simulates browsers that give a third-party frame temporary storage.
LETS_OTHERS_STORE = """document.hasStorageAccess = async () => true; const kept = new Map();
Object.defineProperty(window, "localStorage", { value: { setItem: (key, value) => kept.set(key, value),
  getItem: (key) => kept.get(key) ?? null, removeItem: (key) => kept.delete(key) } });"""


def test_hosts_under_a_public_suffix_are_not_one_site(device):
    """The browser knows that anyone can have a host there, even if it allows third-party storage."""
    names = {"hosts": ("https://survey.pages.dev",), "host": "https://survey.pages.dev", "site": "pages.dev"}
    here = Framed(context=device(), document=three(), origin="https://sottovoce.pages.dev", **names)
    here.context.add_init_script(LETS_OTHERS_STORE)
    here.open()
    here.frame.get_by_role("button", name="Start").wait_for()
    assert here.messages[0]["remembers"] is False
    expect(here.frame.get_by_text("Answer once only")).to_have_count(1)
    assert here.context.cookies() == []


@pytest.mark.soak
def test_a_frame_shows_neutral_questions_and_hands_over_the_same(framed):
    seen = {}
    for answers in (("No", "Yes", "No"), ("No", "No", "No"), ("Yes", "No", "No")):
        here = framed(evened(), words=TRUTH)
        assert "You will see 3 questions." in here.frame.locator("#root").inner_text()
        here.answer(answers[0])
        for place, answer in enumerate(answers[1:], start=1):
            here.frame.locator("fieldset:visible").nth(place).get_by_label(answer, exact=True).check()
        shown = here.frame.locator("fieldset:visible legend").all_inner_texts()
        assert len(shown) == 3
        assert ("Do you like the colour green?" in shown) == (answers[0] == "No")
        here.press("Disguise")
        seen[answers] = here.value()
    assert len({len(value) for value in seen.values()}) == 1
    # The last part of a string is the record; the coins send the truth.
    first, second, other = (value.rsplit(".", 1)[-1] for value in seen.values())
    assert first == second != other


def test_a_frame_asks_components_and_hands_over_only_the_computed_answer(framed):
    """The host sees the same, whatever the components are: which are shown, how many are left empty."""
    seen = {}
    for answers, skips in ((("No",), False), (("Yes", "Yes", "No"), False), (("Yes", "No", "No"), True)):
        here = framed(composite_document("bribe"), words=DECOY)
        fields = here.frame.locator("fieldset")
        text = here.frame.locator("#root").inner_text()
        assert "You will see up to 3 questions." in text
        assert text.count("disguises it, and sends only that") == 1
        here.answer(*answers[:1])
        expect(fields.nth(1)).to_be_visible(visible=answers[0] == "Yes")
        for place, answer in list(enumerate(answers))[1:]:
            here.frame.locator("fieldset").nth(place).get_by_label(answer, exact=True).check()
        here.press("Prefer not to say" if skips else "Disguise")
        value = here.value()
        assert Layout(here.definition.design).unpack(answer_string_read(value).body).answers == ((2,),)
        seen[answers, skips] = ({**here.seen(), "history": 0}, len(value))
    assert len({str(each) for each in seen.values()}) == 1


@pytest.mark.soak
def test_a_frame_sends_the_level_of_its_components(framed):
    here = framed(composite_document("bribe"), words=TRUTH).answer("Yes")
    here.press("Disguise")
    expect(here.frame.locator("fieldset").nth(1).locator(".error")).to_be_visible()
    for place in (1, 2):
        here.frame.locator("fieldset").nth(place).get_by_label("No", exact=True).check()
    here.press("Disguise")
    assert Layout(here.definition.design).unpack(answer_string_read(here.value()).body).answers == ((1,),)


@pytest.mark.soak
def test_a_frame_asks_for_numbers_and_gaps_among_components(framed):
    document = composite_document("five items, one gap")
    rule = document["blocks"][0]["questions"][0]["computed"]
    band = {"from": 3, "to": 9, "points": 2}
    number = {"key": "times", "kind": "number", "text": {"en": "How often?", "zh-hans": "几次？"}}
    rule["components"][0] = number | {"number": {"low": 0, "high": 9}, "bands": [band]}
    here = framed(document, words=TRUTH)
    here.frame.get_by_role("button", name="Start").click()
    here.frame.get_by_label("A number from 0 to 9").fill("4")
    for place in (1, 2, 3):
        here.frame.locator("fieldset").nth(place).locator("label").nth(1).click()
    here.press("Disguise")
    # Of five items four were answered with 5 points, which count as 6: the third level.
    assert Layout(here.definition.design).unpack(answer_string_read(here.value()).body).answers == ((2,),)
