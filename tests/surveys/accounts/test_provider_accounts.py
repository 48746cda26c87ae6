"""Accounts linked to identities at a log-in provider."""

import pytest
from django.contrib.auth.models import User

from surveys.accounts.provider_accounts import (
    provider_account_bind,
    provider_account_forget,
    provider_account_user,
)
from surveys.accounts.roles import Role
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, ProviderAccount
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

ISSUER = "https://login.example"


def bound(user: User, subject: str, *, by: str = "root", issuer: str = ISSUER) -> None:
    provider_account_bind(user, issuer=issuer, subject=subject, by=by)


def test_an_account_links_to_one_subject_until_an_administrator_unlinks_it() -> None:
    ana = member("ana", Role.RESEARCHER)
    bound(ana, "7")
    bound(ana, "7")
    for subject, issuer in (("8", ISSUER), ("7", "https://other.example")):
        with pytest.raises(SurveyError, match="already linked to another identity at a provider"):
            bound(ana, subject, issuer=issuer)
    # One person cannot have two accounts either.
    with pytest.raises(SurveyError, match="another account"):
        bound(member("bo"), "7")
    assert provider_account_user(issuer=ISSUER, subject="7") == ana
    assert provider_account_user(issuer="https://other.example", subject="7") is None
    provider_account_forget(ana, by="root")
    provider_account_forget(ana, by="root")
    assert provider_account_user(issuer=ISSUER, subject="7") is None
    bound(ana, "8", by="ana")
    assert ProviderAccount.objects.get().allowed_by == "ana"
    assert [(event.actor, event.action) for event in AuditEvent.objects.order_by("pk")] == [
        ("root", "provider_bind"),
        ("root", "provider_forget"),
        ("ana", "provider_bind"),
    ]


@pytest.mark.parametrize("subject", ["", "七", "x" * 256, "a\nb"])
def test_invalid_provider_identifiers_are_rejected(subject: str) -> None:
    with pytest.raises(SurveyError, match="cannot be an identifier from a login provider"):
        bound(member("ana"), subject)
