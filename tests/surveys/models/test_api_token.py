"""A token works until the end of its last day; two tokens never share a digest."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from surveys.models import ApiToken

LAST = date(2026, 11, 30)


def token(user: User | None = None) -> ApiToken:
    return ApiToken(user=user, name="laptop", digest="d", made_on=LAST - timedelta(days=90), until=LAST)


def test_a_token_works_on_its_last_day_but_not_after() -> None:
    assert [token().works(today=LAST + timedelta(days=days)) for days in (-1, 0, 1)] == [True, True, False]


@pytest.mark.django_db
def test_a_digest_belongs_to_one_token() -> None:
    ana, bob = (User.objects.create(username=name) for name in ("ana", "bob"))
    token(ana).save()
    with pytest.raises(IntegrityError), transaction.atomic():
        token(bob).save()
    assert str(ApiToken.objects.get()) == f"laptop of {ana.pk} until 2026-11-30"
