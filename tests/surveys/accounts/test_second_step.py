import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.accounts.known_devices import COOKIE
from surveys.accounts.people import account_reset, link_path
from surveys.accounts.roles import Role
from surveys.accounts.second_step import WAITS_FOR
from surveys.models import AuditEvent, StaffSession
from tests.fixtures.second_factor import LOG_IN, STEP, at_second_step, code, tried, with_app
from tests.fixtures.staff import PASSWORD, with_password
from tests.site.test_roles import ADDRESSES, World, everywhere, expected, told

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    return with_password("ana", Role.RESEARCHER)


OWN_PAGE = "/en/staff/account/"


@pytest.fixture
def ana_admin() -> User:
    return with_password("ana", Role.ADMINISTRATOR)


def is_in(browser: Client) -> bool:
    return browser.get(OWN_PAGE).status_code == 200


def test_the_password_step_expires_after_ten_minutes(ana_admin: User) -> None:
    key = with_app(ana_admin)
    browser = at_second_step("ana")
    session = browser.session
    waiting = session["second_step"]
    assert 0 < session.get_expiry_age() <= WAITS_FOR.total_seconds()
    session["second_step"] = {**waiting, "until": timezone.now().isoformat()}
    session.save()
    answer = browser.post(STEP, {"code": code(key)})
    assert answer["Location"] == LOG_IN
    assert not is_in(browser)


def test_password_and_code_redirect_to_the_requested_page(ana_admin: User) -> None:
    key = with_app(ana_admin)
    browser = Client()
    form = {"username": "ana", "password": PASSWORD, "next": "/en/staff/people/"}
    led = browser.post(LOG_IN, form, follow=True)
    assert led.redirect_chain == [(f"{STEP}?next=%2Fen%2Fstaff%2Fpeople%2F", 302)]
    assert 'value="/en/staff/people/"' in led.content.decode()
    assert not is_in(browser)
    answer = browser.post(STEP, {"code": code(key), "next": "/en/staff/people/"})
    assert (answer.status_code, answer["Location"]) == (302, "/en/staff/people/")
    assert is_in(browser)
    assert browser.cookies[COOKIE]["path"] == LOG_IN
    assert [event.action for event in AuditEvent.objects.all()] == ["log_in"]


def test_the_code_step_never_redirects_to_another_site(ana_admin: User) -> None:
    key = with_app(ana_admin)
    answer = at_second_step("ana").post(STEP, {"code": code(key), "next": "https://evil.example/"})
    assert answer["Location"] == "/en/staff/"


def test_a_session_begun_without_a_code_is_not_logged_in(ana_admin: User) -> None:
    """The next test checks every address."""
    with_app(ana_admin)
    forced = Client()
    forced.force_login(ana_admin)
    assert told(forced.get("/en/staff/")) == "login"


@pytest.mark.soak
def test_every_address_treats_half_logged_in_users_as_strangers() -> None:
    world, wrong_ones = World(), []
    administrator = User.objects.get(username="administrator")
    administrator.set_password(PASSWORD)
    administrator.save()
    with_app(administrator)
    browser = at_second_step("administrator")
    # Sessions that were created without the log-in page.
    forced = Client()
    forced.force_login(administrator)
    for name, pattern in everywhere().items():
        if name not in ADDRESSES or name in ("second_step", "login", "logout"):
            continue
        arguments = {part: world.arguments[part] for part in pattern.pattern.converters}
        address = reverse(name, kwargs=arguments)
        for method, line in zip(("get", "post"), ADDRESSES[name], strict=True):
            for browser_of in (browser, forced):
                got = told(getattr(browser_of, method)(address))
                if got != expected(line)["nobody"]:
                    wrong_ones.append(f"{method} {name}: {got}")
    assert told(browser.get("/en/admin/")) == "login"
    assert not wrong_ones, "\n".join(wrong_ones)


def test_planted_session_keys_fail_after_either_step(ana_admin: User) -> None:
    key, attacker, victim = with_app(ana_admin), Client(), Client()
    session = attacker.session
    session["planted"] = True
    session.save()
    keys = [session.session_key]
    victim.cookies["sessionid"] = session.session_key
    at_second_step("ana", browser=victim)
    keys.append(victim.cookies["sessionid"].value)
    assert tried(victim, code(key)) == 302
    keys.append(victim.cookies["sessionid"].value)
    assert len(set(keys)) == 3
    for stolen in keys[:2]:
        attacker.cookies["sessionid"] = stolen
        assert not is_in(attacker)
    assert is_in(victim)
    assert not Session.objects.filter(pk__in=keys[:2]).exists()


@pytest.mark.soak
def test_logging_in_as_another_user_ends_the_current_session(ana_admin: User) -> None:
    ben = Client()
    ben.force_login(with_password("ben", Role.RESEARCHER))
    with_app(ana_admin)
    at_second_step("ana", browser=ben)
    assert not is_in(ben)
    assert not StaffSession.objects.exists()


@pytest.mark.parametrize("change", ["password", "stopped", "off"])
def test_account_changes_between_the_two_steps_cancel_the_log_in(ana_admin: User, change: str) -> None:
    key, browser = with_app(ana_admin), at_second_step("ana")
    if change == "password":
        ana_admin.set_password("eight quiet plums")
        ana_admin.save()
    elif change == "stopped":
        ana_admin.is_active = False
        ana_admin.save()
    else:
        ana_admin.totpdevice_set.all().delete()
    assert browser.post(STEP, {"code": code(key)})["Location"] == LOG_IN
    assert not is_in(browser)


def test_resetting_the_password_does_not_bypass_the_code(ana_admin: User) -> None:
    with_app(ana_admin)
    ana_admin = account_reset(ana_admin, by="adam")
    browser = Client()
    form_page = browser.get(link_path(ana_admin))["Location"]
    browser.post(form_page, {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert not is_in(browser)
    assert not is_in(at_second_step("ana", browser=browser))
