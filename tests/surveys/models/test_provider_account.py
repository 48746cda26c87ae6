"""A provider's subject opens one account, and an account has one subject."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from surveys.models import ProviderAccount

pytestmark = pytest.mark.django_db


def bind(user: User, issuer: str, subject: str) -> None:
    with transaction.atomic():
        ProviderAccount.objects.create(user=user, issuer=issuer, subject=subject, bound_on=date(2026, 11, 2))


def test_a_subject_opens_one_account_but_other_providers_may_name_the_same() -> None:
    ana, bob, eve = (User.objects.create(username=name) for name in ("ana", "bob", "eve"))
    bind(ana, "https://i.example.org", "7")
    bind(bob, "https://j.example.org", "7")
    for user, issuer, subject in ((eve, "https://i.example.org", "7"), (ana, "https://j.example.org", "8")):
        with pytest.raises(IntegrityError):
            bind(user, issuer, subject)
    assert ProviderAccount.objects.count() == 2
