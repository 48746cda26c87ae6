"""Staff in real browsers: invitations, permissions, second factors, and pages without expert terms."""

import base64
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django import Settings

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.models import Survey
from tests.e2e.judged import violations, violations_light_and_dark, width_of
from tests.fixtures.runs import answered_version, definition, mined_run, published
from tests.fixtures.scale_runs import scale_definition
from tests.fixtures.second_factor import code
from tests.fixtures.staff import PASSWORD, member, with_password
from tests.site.test_plain_pages import for_experts_in, pages

pytestmark = pytest.mark.django_db(transaction=True)


def watched(device: Any, **options: Any) -> tuple[Page, list[str]]:
    """Return a page in a separate browser, and a list of the browser's errors."""
    complaints: list[str] = []
    # Without transitions, in which axe would see intermediate colours.
    page = device(reduced_motion="reduce", **options).new_page()
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    return page, complaints


def log_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def look_at(page: Page) -> None:
    """Check a page on a phone, and on a desktop in both colour schemes."""
    for width, judge in ((360, violations), (1280, violations_light_and_dark)):
        page.set_viewport_size({"width": width, "height": 900})
        assert judge(page) in ({}, "[]"), page.url
        assert width_of(page) <= width, page.url


@pytest.mark.soak
def test_an_invited_researcher_sees_only_their_own_surveys(live_server: Any, device: Any) -> None:
    with_password("adam", Role.ADMINISTRATOR)
    published("others")
    staff_page, complaints = watched(device, permissions=["clipboard-read", "clipboard-write"])
    staff_page.goto(f"{live_server.url}/en/staff/people/")
    log_in(staff_page, "adam", PASSWORD)
    look_at(staff_page)
    staff_page.get_by_role("link", name="Invite a person").click()
    staff_page.get_by_label("Login name").fill("ana")
    look_at(staff_page)
    staff_page.get_by_role("checkbox", name="Researcher").check()
    staff_page.get_by_role("button", name="Invite").click()
    link = staff_page.get_by_label("Link to set a password").input_value()
    staff_page.get_by_role("button", name="Copy link").click()
    expect(staff_page.get_by_text("Copied.")).to_be_visible()
    assert staff_page.evaluate("navigator.clipboard.readText()") == link
    look_at(staff_page)

    hers, her_complaints = watched(device)
    hers.goto(link)
    look_at(hers)
    hers.get_by_label("New password", exact=True).fill(PASSWORD)
    hers.get_by_label("New password confirmation").fill(PASSWORD)
    hers.get_by_role("button", name="Set password").click()
    log_in(hers, "ana", PASSWORD)
    expect(hers.get_by_role("heading", name="You have no surveys yet")).to_be_visible()
    look_at(hers)
    assert her_complaints == []
    hers.get_by_role("link", name="Create a survey").click()
    hers.get_by_text("Languages and address").click()
    hers.get_by_label("Address").fill("hers")
    hers.get_by_role("button", name="Speaking up at work").click()
    hers.get_by_role("button", name="Save the plan").click()
    hers.wait_for_url("**/surveys/hers/build/")
    assert Survey.objects.get(slug="hers").owner.get_username() == "ana"  # type: ignore[union-attr]  # it has one
    hers.goto(f"{live_server.url}/en/staff/")
    expect(hers.get_by_role("cell")).to_have_count(4)
    for address in ("surveys/others/", "surveys/others/build/"):
        refused = hers.goto(f"{live_server.url}/en/staff/{address}")
        assert refused is not None
        assert refused.status == 404
    hers.goto(f"{live_server.url}/en/staff/account/")
    look_at(hers)

    staff_page.goto(f"{live_server.url}/en/staff/log/?actor=ana")
    event = staff_page.locator("summary", has_text="ana created the draft “")
    expect(event).to_be_visible()
    look_at(staff_page)
    event.click()
    expect(staff_page.get_by_role("link", name="Only about hers")).to_be_visible()
    look_at(staff_page)
    staff_page.get_by_role("link", name="People").click()
    staff_page.get_by_role("link", name="ana", exact=True).click()
    look_at(staff_page)
    staff_page.get_by_role("link", name="Change owner of hers").click()
    look_at(staff_page)
    assert complaints == []


@pytest.mark.soak
def test_second_factor_setup_works_and_recovery_codes_work_once(
    live_server: Any, device: Any, settings: Settings
) -> None:
    settings.SECOND_FACTOR_FOR = frozenset({"administrators"})
    with_password("adam", Role.ADMINISTRATOR)
    page, complaints = watched(device)
    page.goto(f"{live_server.url}/en/staff/")
    log_in(page, "adam", PASSWORD)
    # Administrators need a second factor here, and the page links to its setup.
    look_at(page)
    # The browser's own word for a page that is refused.
    assert [said.partition(":")[0] for said in complaints] == ["Failed to load resource"]
    complaints.clear()
    page.get_by_role("link", name="Set up a second factor").click()
    look_at(page)
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("img", name="The secret as a QR code")).to_be_visible()
    look_at(page)
    secret = page.locator(".secret").inner_text().replace(" ", "")
    app = page.get_by_role("link", name="Open it in an app on this device").get_attribute("href")
    assert app is not None
    assert app.startswith("otpauth://totp/")
    assert f"secret={secret}" in app
    key = base64.b32decode(secret)
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("textbox", name="Code").fill("12 34")
    page.get_by_role("button", name="Turn on").click()
    look_at(page)
    # The browser's own word for a page that is refused.
    assert [said.partition(":")[0] for said in complaints] == ["Failed to load resource"]
    complaints.clear()
    # By keyboard only: from the password to the code to the button.
    page.get_by_label("Your password").fill(PASSWORD)
    page.keyboard.press("Tab")
    page.keyboard.type(code(key))
    page.keyboard.press("Enter")
    codes = page.locator(".codes li")
    expect(codes).to_have_count(10)
    look_at(page)
    recovery = codes.first.inner_text()
    page.goto(f"{live_server.url}/en/staff/account/second-factor/")
    look_at(page)
    page.goto(f"{live_server.url}/en/staff/people/")
    expect(page.get_by_role("heading", name="People")).to_be_visible()

    # In another browser: the password, then the app's next code. In two more: a recovery code, twice.
    for number, typed in enumerate((code(key, steps=1), recovery, recovery)):
        other, _complaints = watched(device)
        other.goto(f"{live_server.url}/en/staff/people/")
        log_in(other, "adam", PASSWORD)
        expect(other.get_by_role("heading", name="Enter your code")).to_be_visible()
        if number == 0:
            look_at(other)
        other.get_by_role("textbox", name="Code").fill(typed)
        other.get_by_role("button", name="Log in").click()
        if number < 2:
            expect(other.get_by_role("heading", name="People")).to_be_visible()
        else:
            look_at(other)
            expect(other.get_by_role("alert").first).to_be_visible()
    assert complaints == []


UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.fixture
def ana(live_server: Any) -> User:
    """Return an account without the expert setting."""
    return member("ana", Role.RESEARCHER, is_expert=False)


@pytest.fixture
def plain(device: Any, live_server: Any, ana: User) -> Page:
    """Return a page in that account's browser."""
    client = Client()
    client.force_login(ana)
    context = device(bypass_csp=True, viewport={"width": 1280, "height": 800})
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    page: Page = context.new_page()
    return page


@pytest.mark.soak
def test_plain_pages_show_no_greek_letters_or_p_even_when_unfolded(
    plain: Page, ana: User, live_server: Any
) -> None:
    run = mined_run(answered_version(800, n_direct=0, policy="protected"))
    for document in (definition("drafted", light=True), definition("bold"), scale_definition("town")):
        survey_import(document, by="alice")
    Survey.objects.update(owner=ana)
    places = ("", "#blocks[1]", "#blocks[1].questions[0]")
    built = [(f"/en/staff/surveys/{slug}/build/", place) for slug in ("drafted", "town") for place in places]
    for path, query in (*pages(run), *built, ("/en/staff/account/", ""), ("/en/staff/account/way/", "")):
        for language in ("en", "zh-hans"):
            plain.goto("about:blank")
            plain.goto(f"{live_server.url}{path.replace('/en/', f'/{language}/', 1)}{query}")
            plain.wait_for_load_state("networkidle")
            plain.evaluate(UNFOLD)
            assert for_experts_in(plain.inner_text("body")) == [], (path, query, language)
            for width in (360, 1280):
                plain.set_viewport_size({"width": width, "height": 800})
                assert width_of(plain) <= width, (path, language)
        assert violations_light_and_dark(plain) == {}, path


@pytest.mark.soak
def test_expert_fields_appear_on_errors_and_after_switching_mode(
    plain: Page, ana: User, live_server: Any
) -> None:
    document = definition()
    question = document["blocks"][1]["questions"][0]
    question |= {"kind": "single", "unrelated": [4000, 4000], "prevalence": [5000, 5000]}
    question["options"] = [{"key": key, "text": {"en": key}} for key in ("never", "often")]
    survey = survey_import(definition(), by="alice")
    Survey.objects.update(owner=ana, definition=document)
    plain.goto(f"{live_server.url}/en/staff/surveys/{survey.slug}/build/#blocks[1].questions[0]")
    # The sum is wrong and can be fixed here, but there is no slider for p.
    expect(plain.locator("[data-settings-count]")).to_be_visible()
    settings = plain.locator("[data-menu=settings] > summary")
    settings.click()
    expect(plain.locator(".sums")).to_be_visible()
    plain.locator(".sums").get_by_role("button").first.click()
    expect(plain.locator(".sums")).to_be_hidden()
    expect(plain.locator(".costs")).to_be_hidden()
    plain.locator(".builder-more > summary").click()
    plain.locator(".builder-more").get_by_text("For experts", exact=True).click()
    plain.get_by_role("button", name="Switch to expert view").click()
    expect(plain.get_by_text("You now see the expert view.")).to_be_visible()
    plain.goto("about:blank")
    plain.goto(f"{live_server.url}/en/staff/surveys/{survey.slug}/build/#blocks[1]")
    # The settings are open for experts.
    expect(plain.locator("details.probabilities")).to_be_visible()
