"""Staff sessions, and the page on which users manage their own account."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.accounts.sessions import sessions_step
from surveys.management.commands import sweep
from surveys.models import AuditEvent, StaffSession
from tests.fixtures.runs import answered_version, mined_run
from tests.fixtures.staff import PASSWORD, with_password

pytestmark = pytest.mark.django_db
NEW = "eight quiet plums"
PAGE = "/en/staff/account/"


def session(key: str, **runs_out_in: float) -> None:
    Session.objects.create(session_key=key, expire_date=timezone.now() + timedelta(**runs_out_in))


def test_the_sweeper_deletes_only_expired_sessions() -> None:
    session("old", seconds=-1)
    session("new", hours=1)
    step = dict(sweep.SWEEPER_STEPS)["sessions"]
    step()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["new"]


def test_a_clean_up_without_expired_sessions_writes_nothing() -> None:
    session("new", hours=1)
    with CaptureQueriesContext(connection) as queries:
        sessions_step()
    assert len(queries) == 1
    assert queries[0]["sql"].startswith("SELECT")


def logged_in(user: User, agent: str = "") -> Client:
    """Return a browser in which a user has logged in through the page."""
    browser = Client(headers={"user-agent": agent})
    form = {"username": user.get_username(), "password": PASSWORD}
    assert browser.post("/en/staff/log-in/", form)["Location"] == "/en/staff/"
    return browser


def is_in(browser: Client) -> bool:
    return browser.get(PAGE).status_code == 200


def shifted(user: User, **times: datetime) -> None:
    assert StaffSession.objects.filter(user=user).update(**times) == 1


def test_idle_sessions_end_and_used_sessions_continue() -> None:
    ana = with_password("ana", Role.RESEARCHER)
    browser, now = logged_in(ana), timezone.now()
    shifted(ana, used_at=now - timedelta(minutes=59))
    assert is_in(browser)
    assert StaffSession.objects.get().used_at >= now
    shifted(ana, used_at=now - timedelta(minutes=60))
    assert not is_in(browser)
    assert not Session.objects.exists()


def test_automatic_polling_does_not_extend_the_session() -> None:
    adam = with_password("adam", Role.ADMINISTRATOR)
    browser, run = logged_in(adam), mined_run(answered_version())
    before = timezone.now() - timedelta(minutes=30)
    shifted(adam, used_at=before)
    assert browser.get(f"/en/staff/runs/{run.pk}/progress").status_code == 200
    assert StaffSession.objects.get().used_at == before
    browser.get("/en/staff/")
    assert StaffSession.objects.get().used_at > before


def test_sessions_end_after_twelve_hours_even_if_active() -> None:
    ana = with_password("ana", Role.RESEARCHER)
    browser = logged_in(ana)
    shifted(ana, begun_at=timezone.now() - timedelta(hours=12))
    assert not is_in(browser)


def test_the_sweeper_deletes_idle_sessions() -> None:
    ana = with_password("ana", Role.RESEARCHER)
    logged_in(ana)
    sessions_step()
    assert StaffSession.objects.count() == 1
    shifted(ana, used_at=timezone.now() - timedelta(hours=2))
    sessions_step()
    assert (Session.objects.count(), StaffSession.objects.count()) == (0, 0)


def test_unrecorded_sessions_are_not_logged_in() -> None:
    """A session created without the log-in page has no record."""
    browser = logged_in(with_password("ana", Role.RESEARCHER))
    StaffSession.objects.all().delete()
    assert not is_in(browser)


def test_users_can_list_sessions_and_end_one_or_all_others() -> None:
    ana = with_password("ana", Role.RESEARCHER)
    here = logged_in(ana, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    phone = logged_in(
        ana, "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1"
    )
    third = logged_in(ana, "curl/8.5.0")
    page = here.get(PAGE).content.decode()
    for said in ("Firefox, Linux", "Safari, iPhone", "unknown browser"):
        assert page.count(f"<strong>{said}</strong>") == 1
    for browser in (here, phone, third):
        assert browser.cookies["sessionid"].value not in page
    ended = StaffSession.objects.get(browser="Safari, iPhone")
    assert here.post(f"{PAGE}sessions/{ended.pk}/end").status_code == 302
    assert [is_in(browser) for browser in (here, phone, third)] == [True, False, True]
    here.post(f"{PAGE}sessions/end-elsewhere")
    assert [is_in(browser) for browser in (here, phone, third)] == [True, False, False]
    told = AuditEvent.objects.exclude(action="log_in").order_by("pk")
    assert list(told.values_list("actor", "action")) == [("ana", "session_end"), ("ana", "sessions_end")]


def test_users_cannot_end_sessions_of_others() -> None:
    ana, adam = with_password("ana", Role.RESEARCHER), with_password("adam", Role.ADMINISTRATOR)
    hers, his = logged_in(ana), logged_in(adam)
    session = StaffSession.objects.get(user=ana)
    assert his.post(f"{PAGE}sessions/{session.pk}/end").status_code == 404
    his.post(f"{PAGE}sessions/end-elsewhere")
    assert is_in(hers)


def test_changing_the_password_rotates_this_session_and_ends_others() -> None:
    ana = with_password("ana", Role.RESEARCHER)
    here, elsewhere = logged_in(ana), logged_in(ana)
    before = StaffSession.objects.get(session=here.cookies["sessionid"].value)
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert "Your password was changed." in here.post(PAGE, form, follow=True).content.decode()
    assert User.objects.get().check_password(NEW)
    assert AuditEvent.objects.filter(actor="ana", action="password_change", target="ana").count() == 1
    after = StaffSession.objects.get()
    assert after.session_id == here.cookies["sessionid"].value != before.session_id
    assert after.begun_at == before.begun_at
    assert [is_in(here), is_in(elsewhere)] == [True, False]


def test_session_keys_planted_before_log_in_fail_after_it() -> None:
    """Session fixation: the attacker plants a session key in the victim's browser before log-in."""
    ana, attacker, victim = with_password("ana", Role.RESEARCHER), Client(), Client()
    session = attacker.session
    session["planted"] = True
    session.save()
    attacker.cookies["sessionid"] = victim.cookies["sessionid"] = session.session_key
    form = {"username": "ana", "password": PASSWORD}
    assert victim.post("/en/staff/log-in/", form).status_code == 302
    assert victim.cookies["sessionid"].value != session.session_key
    assert is_in(victim)
    assert not is_in(attacker)
    assert list(StaffSession.objects.values_list("user", flat=True)) == [ana.pk]


@pytest.mark.parametrize(
    "form",
    [
        {"old_password": "wrong", "new_password1": NEW, "new_password2": NEW},
        {"old_password": PASSWORD, "new_password1": "sea-urchin", "new_password2": "sea-urchin"},
        {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW + "s"},
    ],
)
def test_refused_password_changes_change_nothing(form: dict[str, str]) -> None:
    browser = Client()
    browser.force_login(with_password("ana", Role.RESEARCHER))
    answer = browser.post(PAGE, form)
    assert answer.status_code == 422
    for password in form.values():
        assert password not in answer.content.decode()
    assert User.objects.get().check_password(PASSWORD)
    assert not AuditEvent.objects.exists()


def test_the_account_page_describes_the_users_roles() -> None:
    browser = Client()
    for roles, said in (((Role.REVIEWER,), "Reviewer: reads the reports"), ((), "You have no role yet.")):
        browser.force_login(with_password("ana", *roles))
        assert said in browser.get(PAGE).content.decode()
