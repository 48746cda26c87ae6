"""Accounts, and the identities at a log-in provider whose log-ins they accept."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from surveys.errors.error import SurveyError
from surveys.models import ProviderAccount
from surveys.models.audit_event import account_event_record

_LONGEST_SUBJECT: Final = 255


def provider_account_user(*, issuer: str, subject: str) -> User | None:
    """Return the account that accepts log-ins of this subject; None if it is stopped or does not exist.

    The user's name at the provider is ignored, because users may be able to choose it. The subject never
    changes and is never reassigned (OpenID Connect Core 1.0, section 2).
    """
    users = User.objects.filter(is_active=True, is_staff=True)
    return users.filter(provider_account__issuer=issuer, provider_account__subject=subject).first()


@transaction.atomic
def provider_account_bind(user: User, *, issuer: str, subject: str, by: str) -> None:
    """Let an account accept log-ins of a provider's subject.

    Parameters
    ----------
    user : User
    issuer, subject : str
    by : str
        Who allows it: the logged-in owner of the account, or an administrator.

    Raises
    ------
    SurveyError
        ``provider.subject``: not a valid subject; ``provider.bound``: the account accepts another subject;
        ``provider.taken``: another account accepts this one.
    """
    if not (subject.isascii() and subject.isprintable() and 0 < len(subject) <= _LONGEST_SUBJECT):
        raise SurveyError("provider.subject", subject[:40], longest=_LONGEST_SUBJECT)
    account = ProviderAccount.objects.filter(user=user).first()
    if account is not None and (account.issuer, account.subject) != (issuer, subject):
        raise SurveyError("provider.bound", user.get_username())
    if account is not None:
        return
    try:
        with transaction.atomic():
            ProviderAccount.objects.create(
                user=user, issuer=issuer, subject=subject, bound_on=timezone.now().date(), allowed_by=by
            )
    except IntegrityError as error:
        raise SurveyError("provider.taken", subject) from error
    account_event_record("provider_bind", user, by, issuer=issuer)


@transaction.atomic
def provider_account_forget(user: User, *, by: str) -> None:
    """Stop accepting a provider's log-ins for an account."""
    deleted, _rows = ProviderAccount.objects.filter(user=user).delete()
    if deleted:
        account_event_record("provider_forget", user, by)
