import base64
import binascii
import json
import re
import time
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.core import serializers
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from surveys.accounts.roles import Role
from surveys.accounts.second_factor import code_spend, recovery_codes_make, unconfirmed_second_factor
from surveys.models import AuthenticatorApp
from tests.fixtures.second_factor import code_at, with_app
from tests.fixtures.staff import with_password

pytestmark = pytest.mark.django_db


def stolen() -> str:
    """Return the contents of the database as text."""
    everything = (row for model in apps.get_models() for row in model._default_manager.all())
    return serializers.serialize("json", everything)


def readings(text: str) -> Iterator[bytes]:
    """Yield every cell as it is, and decoded in every way."""
    for cell in {str(cell) for cell in _cells(json.loads(text))}:
        yield cell.encode()
        for reader in (bytes.fromhex, _base64, base64.b32decode):
            try:
                yield reader(cell)
            except (ValueError, binascii.Error):
                continue


def _base64(cell: str) -> bytes:
    return base64.b64decode(cell, validate=True)


def _cells(found: object) -> Iterator[object]:
    if isinstance(found, dict):
        found = list(found.values())
    if isinstance(found, list):
        for one in found:
            yield from _cells(one)
    else:
        yield found


def windows(found: bytes, size: int) -> set[bytes]:
    """Return all byte strings of this size, because a secret may be anywhere."""
    return {found[start : start + size] for start in range(len(found) - size + 1)}


def makes_the_code(text: str, wanted: set[str], moments: tuple[float, float]) -> bool:
    """Return whether any bytes of the database give the codes of both moments."""
    secrets = {secret for found in readings(text) for secret in windows(found, 20)}
    return any({code_at(secret, moment) for moment in moments} == wanted for secret in secrets)


def test_app_codes_cannot_be_computed_from_the_database_without_the_secrets() -> None:
    ana = with_password("ana", Role.RESEARCHER)
    secret = with_app(ana)
    recovery = recovery_codes_make(ana)
    moments = (1_800_000_015.0, 1_900_000_015.0)
    wanted = {code_at(secret, moment) for moment in moments}
    text = stolen()
    assert not makes_the_code(text, wanted, moments)
    assert not any(re.sub("-", "", one) in re.sub("-", "", text) for one in recovery)
    # The attack finds a planted secret in plain text.
    TOTPDevice.objects.update(key=secret.hex())
    assert makes_the_code(stolen(), wanted, moments)


def test_another_secret_key_opens_no_app_and_admits_no_user(settings: Settings) -> None:
    ana, bob = with_password("ana", Role.RESEARCHER), with_password("bob", Role.RESEARCHER)
    secret = with_app(ana)
    waiting = AuthenticatorApp.begin(bob)
    assert unconfirmed_second_factor(bob) == waiting
    # Another user's encrypted secret does not work for this account.
    AuthenticatorApp.objects.filter(pk=waiting.pk).update(key=AuthenticatorApp.objects.get(user=ana).key)
    assert unconfirmed_second_factor(bob) is None
    settings.SECRET_KEY = "b" * 50
    assert code_spend(ana, code_at(secret, time.time())) is None
