"""Visits by invitation: the code is sent once, with the answer; a letter opens the survey that it names."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.intake.codes import code_in_groups
from surveys.models import Inbox, Receipt
from surveys.respondent.client_documents import documents_of
from surveys.respondent.invitations import invitations_make, invitations_revoke
from surveys.respondent.survey_digests import digest_in_link, digest_in_print
from tests.e2e.conftest import Published, Server
from tests.e2e.survey import ANSWERS, TRUTH, body_of, workplace
from tests.e2e.tap import LATER, QUIET, Tap, traces
from tests.e2e.test_seal_once import NO_FILES
from tests.e2e.visit import Visit
from tests.fixtures.devices import CONTENT_TYPE, request_of, survey_of
from tests.fixtures.invitations import invited as published_by_invitation

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = "Try it: did you have tea this morning?"
OTHER = "This is not the survey named in your letter"
REFUSED = "This code cannot be used"
KEPT = "sottovoce-code-workplace"
SMALL: Any = {"separators": (",", ":")}

FORBIDDEN = """
Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("no", "SecurityError"); } });
"""


@pytest.fixture
def invited(publish_definition: Callable[..., Published]) -> Published:
    return publish_definition(workplace(), published_by_invitation(workplace()))


def codes(here: Published, number: int) -> tuple[str, ...]:
    return invitations_make(survey_of(here.version), number=number, by="alice")


def enter(device: Any, here: Published, code: str, **options: Any) -> Visit:
    page = device(**options).new_page()
    return Visit(page, f"{here.address}#{code}", here.definition).open()


def test_the_code_leaves_the_device_once_inside_the_sealed_answer(invited, device):
    (code,) = codes(invited, 1)
    context = device(words=TRUTH)
    tap = Tap(context)
    there = Visit(context.new_page(), f"{invited.address}#{code}", invited.definition)
    there.step = lambda screen: tap.look(there.page, screen)
    there.open().walk(ANSWERS)
    # One more history change is allowed: the page removes the code from the address.
    taken_out = ("history", json.dumps(["null", "", "/en/s/workplace/"], separators=(",", ":")))
    assert tap.writes.count(taken_out) == 1
    tap.steps[0].writes.remove(taken_out)
    # The tab also keeps the code, in one place, until the answers are sealed.
    kept = {KEPT: json.dumps({"code": code}, **SMALL)}
    tap.steps[0].writes.remove(("storage", json.dumps(list(*kept.items()), **SMALL)))
    for step in tap.steps:
        assert step.around.pop("session") == kept
        step.around["session"] = {}
    assert traces(tap.steps) == []
    assert there.page.url == invited.address
    assert tap.everything().count(code) == 1

    loaded = {sent.url for sent in tap.requests}
    before = len(tap.steps)
    there.seal().delivered()
    posted = [sent for sent in tap.requests if sent.url not in loaded]
    assert [(sent.method, sent.url.split("/", 3)[3]) for sent in posted] == [("POST", "api/submissions")]
    body = json.loads(posted[0].body)
    assert list(body) == ["survey", "code", "design_id", "body", "nonce"]
    assert body["code"] == code
    assert body["body"] == body_of(invited.version.to_design(), ANSWERS, TRUTH).hex()
    assert not [sent for sent in tap.requests if code in f"{sent.url} {sent.headers}"]
    left = tap.steps[-1].around
    assert {name: left[name] for name in QUIET} == QUIET
    assert len(tap.steps) == before + 1
    there.root.get_by_text("Answers as sent", exact=True).click()
    there.root.get_by_text("All bits that were sent", exact=True).click()
    expect(there.root.get_by_text("your code and 64 random digits")).to_be_visible()
    assert len(invited.bodies) == 1


def test_the_tab_keeps_the_links_code_for_its_survey_until_the_answers_are_sealed(invited, device):
    (code,) = codes(invited, 1)
    context = device(viewport={"width": 360, "height": 640})
    page = context.new_page()
    page.goto(f"{invited.address}#{code}")
    there = Visit(page, invited.address, invited.definition)
    there.started()
    published_by_invitation(workplace(slug="other"))
    page.goto(invited.address.replace("workplace", "other"))
    expect(page.get_by_label("Invitation code")).to_be_visible()
    page.goto(invited.address)
    there.started()
    assert page.url == invited.address
    there.walk(ANSWERS, until="question:unreported")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    there.started()
    other = context.new_page()
    other.goto(invited.address)
    expect(other.get_by_label("Invitation code")).to_be_visible()
    # A page in the background is painted once a second, and each click waits for that.
    page.bring_to_front()
    there.walk(ANSWERS).seal().delivered()
    assert page.evaluate("sessionStorage.length") == 0
    assert len(invited.bodies) == 1
    page.reload()
    expect(page.get_by_label("Invitation code")).to_be_visible()


@pytest.mark.soak
def test_stored_codes_need_storage(invited, device):
    (code,) = codes(invited, 1)
    forbidden = device()
    forbidden.add_init_script(FORBIDDEN)
    closed = Visit(forbidden.new_page(), f"{invited.address}#{code}", invited.definition).open()
    closed.page.reload()
    expect(closed.page.get_by_label("Invitation code")).to_be_visible()


@pytest.mark.soak
def test_typed_codes_are_checked_for_mistakes_without_the_server(invited, device):
    (code,) = codes(invited, 1)
    context = device()
    requests = []
    page = context.new_page()
    page.goto(f"{invited.address}#{code[:-2]}")
    root = page.locator("#root")
    expect(root.get_by_role("heading", name="Your invitation")).to_be_visible()
    expect(root.locator(".error")).to_have_text(re.compile("The code in this link is incomplete"))
    assert page.url == invited.address
    context.on("request", lambda request: requests.append(request.url))
    field = root.get_by_label("Invitation code")
    wrong = code[:-1] + ("A" if code[-1] != "A" else "B")
    for typed, said in (
        ("", "Type the code"),
        (code[:-1], "That code is not right"),
        (wrong, "That code is not right"),
    ):
        field.fill(typed)
        field.press("Enter")
        expect(root.locator(".error")).to_contain_text(said)
        expect(field).to_be_focused()
    field.fill(code_in_groups(code).lower().replace("0", "o").replace("1", "l"))
    field.press("Enter")
    expect(root.get_by_role("heading", name="Try it: did you have tea this morning?")).to_be_focused()
    assert [url for url in requests if not LATER.fullmatch(url)] == []
    there = Visit(page, invited.address, invited.definition).walk(ANSWERS)
    there.seal().delivered()
    assert len(invited.bodies) == 1


def test_privacy_odds_precede_the_first_question_and_typed_codes_are_never_stored(invited, device):
    (code,) = codes(invited, 1)
    shielded = [block for block in invited.version.to_design().blocks if block.protected]
    assert len(shielded) > 1
    page = device().new_page()
    there = Visit(page, invited.address, invited.definition)

    def shown():
        there.started()
        assert page.url == invited.address
        odds = there.root.locator("details").first
        expect(odds).to_contain_text("Everything your device sends, taken together")
        there.root.get_by_text("How sure could anyone be?", exact=True).click()
        expect(there.root.locator("svg.dots")).to_have_count(len(shielded))

    page.goto(invited.address)
    field = page.get_by_label("Invitation code")
    field.fill(code)
    field.press("Enter")
    shown()
    page.reload()
    type_code(page, code)
    expect(page.locator(".trial")).to_be_attached()
    hrefs = page.eval_on_selector_all("#languages a", "links => links.map(({href}) => href)")
    assert hrefs
    assert not [href for href in hrefs if code in href]
    page.get_by_role("link", name="简体中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    # The same page knows the code, and its address has not changed.
    expect(page.locator("#code")).to_have_count(0)
    assert page.url == invited.address
    # Nothing is stored, because a tab's storage can stay on disk after it is erased.
    assert page.evaluate("sessionStorage.length + localStorage.length") == 0
    page.reload()
    # The link is opened in the tab that asks for the code, and in a new one.
    expect(page.get_by_role("heading", name="Your invitation")).to_be_visible()
    expect(field).to_be_visible()
    page.goto(f"{invited.address}#{code}")
    shown()
    page.evaluate("sessionStorage.clear()")
    page.goto("about:blank")
    page.goto(f"{invited.address}#{code}")
    shown()


@pytest.mark.soak
def test_lost_answers_are_resent_unchanged_and_used_codes_look_revoked(invited, device):
    used, revoked = codes(invited, 2)
    context = device()
    server = Server(context, "lose", "pass")
    first = Visit(context.new_page(), f"{invited.address}#{used}", invited.definition).open()
    first.walk(ANSWERS).seal()
    expect(first.button("Try now")).to_be_visible()
    first.press("Try now")
    first.delivered()
    assert len(server.bodies) == 2
    assert len(set(server.bodies)) == 1
    invitations_revoke(survey_of(invited.version), texts=[revoked], by="alice")
    said = set()
    for code in (used, revoked):
        there = enter(device, invited, code).walk(ANSWERS).seal()
        expect(there.root.get_by_role("heading", name=REFUSED)).to_be_visible()
        expect(there.root.get_by_role("button")).to_have_text(["Leave this page now"])
        said.add(there.root.get_by_role("status").inner_text())
        assert there.page.evaluate("indexedDB.databases()") == []
    assert len(said) == 1
    assert len(invited.bodies) == 1


def type_code(page: Any, code: str, button: str = "Continue") -> None:
    page.get_by_label("Invitation code").fill(code_in_groups(code))
    page.get_by_role("button", name=button, exact=True).click()


def typed(context: Any, here: Published, code: str) -> Visit:
    """Open the address without a code, type one, and answer."""
    page = context.new_page()
    page.goto(here.address)
    type_code(page, code)
    there = Visit(page, here.address, here.definition)
    there.started()
    return there.walk(ANSWERS).seal()


def is_one_answer(here: Published, server: Server, codes: tuple[str, ...]) -> None:
    """Assert that all requests have the same body, with these codes in order, and gave one row."""
    sent = [json.loads(body) for body in server.bodies]
    assert [each.pop("code") for each in sent] == list(codes)
    assert [each["body"] for each in sent] == [row.hex() for row in here.bodies] * len(sent)
    assert len({json.dumps(each) for each in sent}) == 1


@pytest.mark.soak
def test_a_refused_code_can_be_corrected_for_the_same_answer(invited, device):
    used, right = codes(invited, 2)
    enter(device, invited, used).walk(ANSWERS).seal().delivered()
    Inbox.objects.all().delete()
    context = device()
    server = Server(context)
    there = typed(context, invited, used)
    expect(there.root.get_by_role("heading", name=REFUSED)).to_be_visible()
    # The page no longer shows the refused code. Another mistyped one is noticed on the device.
    field = there.root.get_by_label("Invitation code")
    expect(field).to_have_value("")
    field.fill(right[:-1])
    there.press("Send with this code")
    expect(there.root.locator(".error")).to_contain_text("That code is not right")
    assert len(server.bodies) == 1
    type_code(there.page, right, "Send with this code")
    there.delivered()
    is_one_answer(invited, server, (used, right))
    digest = hashlib.sha256(server.bodies[-1].encode()).hexdigest()[:16]
    expect(there.root.locator(".receipt")).to_have_text(" ".join(re.findall("....", digest)))
    assert there.page.evaluate("indexedDB.databases()") == []


def test_a_used_code_looks_unused_before_the_questions(invited, device):
    """Otherwise an attacker with a person's letter would learn whether they answered."""
    used, fresh = codes(invited, 2)
    raw = request_of(invited.version, code=used)
    assert Client().post("/api/submissions", raw, content_type=CONTENT_TYPE).status_code == 200

    def seen(code):
        context = device()
        tap = Tap(context)
        there = Visit(context.new_page(), f"{invited.address}#{code}", invited.definition)
        there.open()
        screens = [there.root.inner_text()]
        there.step = lambda _: screens.append(there.root.inner_text())
        there.walk(ANSWERS)
        there.page.wait_for_load_state("networkidle")
        # A set, because a module that two others import is sometimes requested twice.
        return screens, {f"{sent.method} {sent.url}" for sent in tap.requests}

    assert seen(used) == seen(fresh)


@pytest.mark.soak
def test_a_code_corrected_on_a_later_visit_never_redraws_answers(invited, device):
    wrong, right = codes(invited, 2)
    invitations_revoke(survey_of(invited.version), texts=[wrong], by="alice")
    context = device()
    server = Server(context)
    there = typed(context, invited, wrong)
    expect(there.root.get_by_role("heading", name=REFUSED)).to_be_visible()
    # Opening another invitation neither draws again nor sends the answer under its code.
    there.page.goto("about:blank")
    there.page.goto(f"{invited.address}#{right}")
    expect(there.root.get_by_role("heading", name=REFUSED)).to_be_visible()
    assert [json.loads(body)["code"] for body in server.bodies] == [wrong] * 2
    type_code(there.page, right, "Send with this code")
    expect(there.root.get_by_role("heading", name="The waiting answers have arrived")).to_be_visible()
    is_one_answer(invited, server, (wrong, wrong, right))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("script", "kept"),
    [("", "stay on this device until you send or delete them"), (NO_FILES, "if you close it, they are lost")],
)
def test_respondents_can_delete_answers_sent_with_a_wrong_code(invited, device, script, kept):
    (wrong,) = codes(invited, 1)
    invitations_revoke(survey_of(invited.version), texts=[wrong], by="alice")
    context = device()
    context.add_init_script(script)
    server = Server(context)
    there = typed(context, invited, wrong)
    expect(there.root).to_contain_text(kept)
    there.press("Delete my answers")
    expect(there.root).to_contain_text("deleted from this device")
    expect(there.root.get_by_role("button")).to_have_text(["Leave this page now"])
    assert there.page.evaluate("indexedDB.databases()") == []
    assert len(server.bodies) == 1
    assert invited.bodies == []


@pytest.mark.soak
def test_a_closed_survey_still_delivers_waiting_answers_with_codes(invited, device):
    (code,) = codes(invited, 1)
    context = device()
    Server(context, "abort")
    there = Visit(context.new_page(), f"{invited.address}#{code}", invited.definition).open()
    there.walk(ANSWERS).seal()
    expect(there.button("Try now")).to_be_visible()
    survey_close(survey_of(invited.version), by="alice", now=timezone.now())
    there.page.goto(f"{invited.address}#{code}")
    there.page.reload()
    expect(there.page.get_by_role("heading", name="The waiting answers have arrived")).to_be_visible()
    assert len(invited.bodies) == 1


def root_of(here: Published) -> str:
    return documents_of(here.version).root


def heading(page: Any, text: str) -> None:
    expect(page.get_by_role("heading", name=text)).to_be_visible()


@pytest.mark.soak
def test_version_and_code_survive_reload_language_change_and_back(invited, device):
    code, other = codes(invited, 2)
    digest = digest_in_link(root_of(invited))
    document = invited.definition | {"title": {"en": "Changed", "zh-hans": "改了"}}
    document["blocks"][1]["questions"][0]["text"]["en"] = "Another question?"
    survey_publish(
        survey_import(document, by="alice"),
        by="alice",
        now=timezone.now(),
        reason="A test.",
        is_readable_seen=True,
    )
    page = device().new_page()

    def opened():
        heading(page, FIRST)
        expect(page.locator("h1")).to_have_text("Speaking up at work")
        assert page.url == f"{invited.address}#d={digest}"

    page.goto(f"{invited.address}#c={code}&d={digest}")
    opened()
    page.reload()
    opened()
    page.goto(page.url.replace("/en/", "/zh-hans/"))
    expect(page.locator("#root .actions button")).to_have_count(2)
    page.go_back()
    opened()
    Visit(page, page.url, workplace()).walk(ANSWERS).seal().delivered()
    assert len(invited.bodies) == 1
    # Without a digest, a link opens the newest version.
    page.goto("about:blank")
    page.goto(f"{invited.address}#c={other}")
    expect(page.locator("h1")).to_have_text("Changed")
    assert Receipt.objects.filter(digest__isnull=False).count() >= 1


@pytest.mark.soak
def test_a_link_to_another_survey_is_refused_without_using_its_code(invited, publish, device):
    (code,) = codes(invited, 1)
    page = device().new_page()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto(invited.address)
    heading(page, "Your invitation")
    # In the tab of another link.
    page.goto(f"{invited.address}#d={digest_in_link('11' * 32)}")
    heading(page, OTHER)
    page.goto(f"{invited.address}#d={digest_in_print(root_of(invited)).lower()}")
    heading(page, "Your invitation")
    for named in (digest_in_link("00" * 32), digest_in_link(root_of(invited))[:-1]):
        page.goto("about:blank")
        page.goto(f"{invited.address}#c={code}&d={named}")
        heading(page, OTHER)
        expect(page.get_by_role("button")).to_have_count(0)
    assert set(sent) == {"GET"}
    assert Receipt.objects.filter(digest__isnull=True).count() == 1
    page.goto("about:blank")
    page.goto(f"{invited.address}#{code}")
    heading(page, FIRST)
    # A survey that is open to everyone.
    here = publish(slug="open")
    page.goto(f"{here.address}#d={digest_in_print('11' * 32)}")
    heading(page, OTHER)
    page.goto(f"{here.address}#d={digest_in_print(root_of(here))}")
    heading(page, FIRST)
