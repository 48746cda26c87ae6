"""Record a whole visit: every request, cookie, storage write, message and history entry, at every step.

Before the seal, the page sends and stores nothing. At the seal, it writes and sends exactly one thing: the
sealed body, which the tests compute from the answers and the injected words. Planted leaks show that the
recording would detect them. The one-page view gives the same answers, the same silence before the seal, and
the same body.
"""

import hashlib
import json
import re
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from privacy.survey.layout import Layout
from tests.e2e.survey import ANSWERS, DECOY, TABLE_ANSWERS, TRUTH, body_of, with_table
from tests.e2e.tap import QUIET, TRIAL, Tap, traces
from tests.e2e.visit import WHOLE, Visit

pytestmark = pytest.mark.django_db(transaction=True)

OPEN_BOX = """
async ({ box, nonce, key }) => {
  const bytes = (found) => Uint8Array.from(Object.values(found));
  const made = await crypto.subtle.importKey("raw", bytes(key), "AES-GCM", false, ["decrypt"]);
  const text = await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes(nonce) }, made, bytes(box));
  return new TextDecoder().decode(text);
}
"""


def begun(here, device, *, words=TRUTH, leak=""):
    """Open a survey and record the visit."""
    context = device(words=words)
    tap = Tap(context)
    if leak:
        plant(context, leak)
    visit = Visit(context.new_page(), here.address, here.definition)
    visit.step = lambda screen: tap.look(visit.page, screen)
    return tap, visit.open()


def recorded(here, device, answers=ANSWERS, *, words=TRUTH, direct=None):
    tap, visit = begun(here, device, words=words)
    return tap, visit.walk(answers, direct=direct)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("words", "group"),
    [(TRUTH, {"policy": "protected"}), (DECOY, {"policy": "choice"})],
    ids=["truth", "decoy"],
)
def test_a_whole_visit_sends_only_the_sealed_body(publish, device, words, group):
    here = publish(group=group)
    tap, visit = recorded(here, device, words=words, direct=False)
    assert len(tap.steps) >= 10
    assert traces(tap.steps) == []
    assert tap.names
    loaded = {sent.url for sent in tap.requests}

    before = len(tap.steps)
    visit.seal().delivered()
    sealing = tap.steps[before:]
    writes = [
        (kind, json.loads(detail)) for step in sealing for kind, detail in step.writes if kind != "history"
    ]
    # Make room, write key and box, read them back, announce; then read, send, overwrite the key, announce.
    assert [kind for kind, _ in writes] == [
        *("database", "file", "database", "record", "database", "message"),
        *("database", "fetch", "file", "message"),
    ]
    (key, erased), ((record, _),), (fetched,) = (
        [detail for kind, detail in writes if kind == wanted] for wanted in ("file", "record", "fetch")
    )
    posted = [sent for sent in tap.requests if sent.url not in loaded]
    assert [(sent.method, sent.url.split("/", 3)[3]) for sent in posted] == [("POST", "api/submissions")]
    assert set(erased[0]) == {"name"}
    sealed = json.loads(visit.page.evaluate(OPEN_BOX, {**record, "key": key[0]["key"]}))
    assert set(record) == {"box", "nonce"}
    assert posted[0].body == fetched[1] == sealed["text"]
    # Whether a code was typed, and so may need correction, reveals nothing about the answers.
    assert set(sealed) == {"text", "eraseAfter", "isTyped"}
    assert sealed["isTyped"] is False
    assert "cookie" not in posted[0].headers
    assert posted[0].headers.get("referer", "") == ""

    design = here.version.to_design()
    body = json.loads(posted[0].body)
    assert body["body"] == body_of(design, ANSWERS, words).hex()
    assert list(body) == ["survey", "key", "design_id", "body", "nonce"]
    assert re.fullmatch(r"[0-9a-f]{32}", body["key"])
    number = visit.root.locator(".receipt").text_content().replace(" ", "")
    assert number == hashlib.sha256(posted[0].body.encode()).hexdigest()[:16]

    # Nothing is left, neither the body nor its database.
    left = sealing[-1].around
    assert {name: left[name] for name in QUIET} == QUIET
    assert sealing[-1].cookies == []

    everything = tap.everything()
    assert not [name for name in tap.names if name in everything]
    truth = body_of(design, ANSWERS, TRUTH)
    assert (truth.hex() in everything) is (words == TRUTH)
    if words == DECOY:
        sent = Layout(design).unpack(bytes.fromhex(body["body"]))
        for block, key in ((1, "silence"), (2, "pressure")):
            true = ANSWERS[key]
            for question, value in zip(design.blocks[block].questions, sent.answers[block], strict=True):
                answer = true[question.key]
                assert value != (tuple(answer) if isinstance(answer, list) else answer)


@pytest.mark.soak
def test_page_activity_before_sealing_ignores_protected_answers(publish, device):
    here = publish()
    others = [
        ANSWERS,
        {
            **ANSWERS,
            "silence": {"unreported": 0, "seen_bullying": 0, "seen_theft": 0, "seen_danger": 0},
            "pressure": {"silenced": 2},
        },
        {**ANSWERS, "silence": "skipped", "pressure": "skipped"},
    ]
    done = []
    for answers in others:
        tap, _ = recorded(here, device, answers)
        done.append(
            (
                # Sorted, because the browser loads modules in parallel, in any order.
                sorted((sent.method, sent.url, str(sent.body)) for sent in tap.requests),
                # The trial of the storage writes random bytes.
                [
                    (kind, "" if TRIAL.fullmatch(f"{kind} {detail}") else detail)
                    for kind, detail in tap.writes
                ],
                [tap.steps[-1].around[name] for name in ("history", "address", "title")],
            )
        )
    assert done[0][1]
    assert done[1] == done[0]
    assert done[2] == done[0]


@pytest.mark.soak
def test_controls_get_new_names_on_every_load(publish, device):
    here = publish()
    first, second = (recorded(here, device)[0].names for _ in range(2))
    # Four questions and two lists of three lines. The trial appears when its script is loaded, perhaps later.
    assert {len(first), len(second)} <= {10, 11}
    assert first.isdisjoint(second)
    assert not [name for name in first if "unreported" in name or "seen" in name]


LEAKS = {
    "local storage": "localStorage.setItem('draft', 'local storage');",
    "session storage": "sessionStorage.draft = 'session storage';",
    "a cookie": "document.cookie = 'draft=a cookie';",
    "the address": "history.replaceState(null, '', '#the address');",
    "the history": "history.pushState({ place: 1, draft: 'the history' }, '');",
    "the title": "document.title = 'the title';",
    "the name of the window": "window.name = 'the name of the window';",
    "a request": "fetch('/live?draft=a request').catch(() => {});",
    "a beacon": "navigator.sendBeacon('/live', 'a beacon');",
    "a picture": "new Image().src = '/static/surveys/icon.svg?draft=a picture';",
    "another tab": "new BroadcastChannel('draft').postMessage('another tab');",
    "a database": "indexedDB.open('a database');",
    "a cache": "caches.open('a cache');",
    "the console": "console.log('the console');",
}


@pytest.mark.soak
def test_a_page_leaking_an_answer_by_any_channel_is_detected(publish, device):
    tap, visit = begun(publish(), device, leak="".join(LEAKS.values()))
    visit.walk(ANSWERS, until="question:leads")
    found = unquote(" ".join(traces(tap.steps)))
    assert [way for way in LEAKS if way not in found] == []


def plant(context, leak):
    """Change the page's program to leak each answer."""

    def spoilt(route):
        script = route.fetch().text()
        head = "function answer(state,value,{block,question}=current(state)){"
        assert head in script
        route.fulfill(body=script.replace(head, head + leak), content_type="text/javascript")

    context.route("**/program/*/client.js", spoilt)


def test_without_scripts_the_page_explains_itself_and_sends_nothing(publish, device):
    here = publish()
    context = device()
    tap = Tap(context)
    context.route("**/*.js", lambda route: route.abort())
    page = context.new_page()
    page.goto(here.address)
    expect(page.get_by_role("heading", name="This page needs JavaScript")).to_be_visible()
    expect(page.get_by_role("heading", name="这个页面需要 JavaScript")).to_be_visible()
    expect(page.locator("form, button, input, select, textarea")).to_have_count(0)
    tap.look(page, "blocked")
    assert traces(tap.steps) == []


@pytest.mark.soak
def test_browsers_that_cannot_seal_safely_see_why_and_send_nothing(publish, device):
    """tests/js/seal.test.js tests each missing feature."""
    here = publish()
    context = device()
    methods = []
    context.on("request", lambda request: methods.append(request.method))
    context.add_init_script("Crypto.prototype.getRandomValues = () => { throw new Error(); }")
    page = context.new_page()
    page.goto(here.address)
    expect(page.get_by_role("heading", name="You cannot answer in this browser")).to_be_visible()
    expect(page.locator("#root")).to_contain_text("crypto.getRandomValues")
    expect(page.locator("button, input")).to_have_count(0)
    assert set(methods) == {"GET"}


@pytest.mark.soak
def test_a_failing_random_generator_prevents_sealing(publish, visit):
    here = publish()
    there = visit(here).walk(ANSWERS)
    there.page.evaluate("() => { Crypto.prototype.getRandomValues = () => { throw new Error(); }; }")
    there.seal()
    expect(there.root.get_by_role("heading", name="You cannot answer in this browser")).to_be_visible()
    assert here.bodies == []


OTHERS = {**ANSWERS, "silence": "skipped", "pressure": {"silenced": 2}}


def recorded_on_one_page(here, device, answers, *, words):
    tap, visit = begun(here, device, words=words)
    # The visitor also tries the coins and opens what is folded, which leave no traces either.
    visit.root.locator("summary", has_text="How sure could anyone be?").click()
    visit.root.locator(".trial").get_by_label("Yes", exact=True).check()
    expect(visit.root.locator(".draws li")).to_have_count(5)
    return tap, visit.walk_whole(answers)


def test_a_one_page_visit_sends_only_the_sealed_body(publish, device):
    here = publish()
    done = []
    for answers, words in ((ANSWERS, TRUTH), (OTHERS, DECOY)):
        tap, visit = recorded_on_one_page(here, device, answers, words=words)
        assert len(tap.steps) >= 8
        assert traces(tap.steps) == []
        # The trial before the first question stores random bytes.
        writes = [(kind, detail) for kind, detail in tap.writes if not TRIAL.fullmatch(f"{kind} {detail}")]
        done.append((sorted((sent.method, sent.url) for sent in tap.requests), writes))
        visit.seal().delivered()
        posted = [sent for sent in tap.requests if sent.url.endswith("/api/submissions")]
        body = json.loads(posted[0].body)["body"]
        assert body == body_of(here.version.to_design(), answers, words).hex()
        assert len(posted) == 1
        assert {name: tap.steps[-1].around[name] for name in QUIET} == QUIET
    assert done[0] == done[1]
    assert len(here.bodies) == 2


@pytest.mark.soak
def test_conditional_questions_are_added_with_an_announcement(publish, visit):
    here = publish()
    there = visit(here, words=TRUTH).walk_whole({"work": {}, "silence": ANSWERS["silence"]})
    there.root.get_by_role("button", name="Change").first.click()
    expect(there.root.get_by_role("heading", name=WHOLE)).to_have_count(1)
    # The question to change has the focus, not the top of the page.
    expect(there.root.locator("h4:focus")).to_have_text(next(iter(there.questions)))
    leads, pressed = (
        there.root.get_by_role("group", name=text, exact=True)
        for text, (_, question) in there.questions.items()
        if question["key"] in ("leads", "silenced")
    )
    expect(pressed).to_be_hidden()
    leads.get_by_label("Yes", exact=True).check()
    expect(pressed).to_be_visible()
    expect(there.root.get_by_role("status")).to_contain_text("More questions were added below")
    there.press("Check your answers")
    expect(pressed.locator(".error")).to_be_visible()
    expect(pressed.locator("input").first).to_be_focused()
    pressed.locator("input").nth(1).check()
    there.press("Check your answers")
    there.seal().delivered()
    answers = {"work": {"leads": 1}, "silence": ANSWERS["silence"], "pressure": {"silenced": 1}}
    assert here.bodies == [body_of(here.version.to_design(), answers, TRUTH)]


@pytest.mark.soak
def test_back_leads_from_the_one_page_view_to_single_questions(publish, visit):
    here = publish()
    there = visit(here, words=TRUTH).walk_whole(ANSWERS)
    there.page.go_back()
    expect(there.root.get_by_role("heading", name=WHOLE)).to_be_focused()
    there.press("Back")
    there.press("Start")
    there.at("question:years").walk(ANSWERS)
    there.seal().delivered()
    assert here.bodies == [body_of(here.version.to_design(), ANSWERS, TRUTH)]


@pytest.mark.soak
def test_a_table_sends_the_same_answers_in_the_one_page_view(publish, device, visit):
    here, context = publish(blocks=with_table()), device(words=TRUTH)
    for walk in (Visit.walk_whole, Visit.walk):
        there = walk(visit(here, context), TABLE_ANSWERS)
        there.seal().delivered()
    assert here.bodies == 2 * [body_of(here.version.to_design(), TABLE_ANSWERS, TRUTH)]
