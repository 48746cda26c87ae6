"""The page on which users manage their own account."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.accounts.permissions import Role
from surveys.models import AuditEvent
from tests.fixtures.staff import PASSWORD, able

pytestmark = pytest.mark.django_db
PAGE = "/en/staff/account/"
NEW = "eight quiet plums"


def test_a_changed_password_ends_the_sessions_of_other_browsers() -> None:
    ana, here, elsewhere = able("ana", Role.RESEARCHER), Client(), Client()
    here.force_login(ana)
    elsewhere.force_login(ana)
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    led = here.post(PAGE, form, follow=True)
    assert "Your password was changed." in led.content.decode()
    assert here.get(PAGE).status_code == 200
    assert elsewhere.get(PAGE).status_code == 302
    assert User.objects.get().check_password(NEW)
    assert list(AuditEvent.objects.values_list("actor", "action", "target")) == [
        ("ana", "password_change", "ana")
    ]


@pytest.mark.parametrize(
    "form",
    [
        {"old_password": "wrong", "new_password1": NEW, "new_password2": NEW},
        {"old_password": PASSWORD, "new_password1": "sea-urchin", "new_password2": "sea-urchin"},
        {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW + "s"},
    ],
)
def test_a_refused_change_changes_nothing(form: dict[str, str]) -> None:
    browser = Client()
    browser.force_login(able("ana", Role.RESEARCHER))
    answer = browser.post(PAGE, form)
    assert answer.status_code == 422
    for password in form.values():
        assert password not in answer.content.decode()
    assert User.objects.get().check_password(PASSWORD)
    assert not AuditEvent.objects.exists()


def test_the_page_says_what_one_may_do() -> None:
    browser = Client()
    for roles, said in (((Role.REVIEWER,), "Reviewer: reads the reports"), ((), "You have no role yet.")):
        browser.force_login(able("ana", *roles))
        assert said in browser.get(PAGE).content.decode()
