import pytest
from django.test import Client
from pytest_django import Settings

from surveys.accounts.provider_accounts import provider_account_user
from surveys.accounts.roles import Role
from surveys.models import ProviderAccount
from tests.fixtures.staff import member, with_password

pytestmark = pytest.mark.django_db


ISSUER = "https://login.example"


def test_administrators_allow_and_revoke_provider_log_in_per_person(settings: Settings) -> None:
    settings.OPENID = {"issuer": ISSUER, "client": "sottovoce", "secret": "", "called": "Example University"}
    ana = member("ana", Role.RESEARCHER)
    browser = Client()
    browser.force_login(with_password("root", Role.ADMINISTRATOR))
    page = f"/en/staff/people/{ana.pk}/"
    assert "Allow login with Example University" in browser.get(page).content.decode()
    assert browser.post(f"{page}provider", {"subject": "七"}).status_code == 409
    assert browser.post(f"{page}provider", {"subject": " 7.ana "})["Location"] == page
    assert provider_account_user(issuer=ISSUER, subject="7.ana") == ana
    text = " ".join(browser.get(page).content.decode().split())
    assert "linked to 7.ana at https://login.example. root allowed it." in text
    assert browser.post(f"{page}provider-forget")["Location"] == page
    assert "7.ana" not in browser.get(page).content.decode()
    assert not ProviderAccount.objects.exists()
