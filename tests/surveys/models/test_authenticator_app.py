"""The secret of an authenticator app can be read only with the secret key, and only for its user."""

import base64

import pytest
from django.contrib.auth.models import User

from surveys.errors.error import SurveyError
from surveys.models import AuthenticatorApp
from surveys.models.authenticator_app import APP_SECRET_BYTES

pytestmark = pytest.mark.django_db


def test_the_stored_secret_is_encrypted_and_the_app_waits_for_its_first_code() -> None:
    secret = b"twenty bytes secret!"
    app = AuthenticatorApp.begin(User.objects.create(username="ana"), secret)
    assert (app.bin_key, app.opens, app.confirmed) == (secret, True, False)
    assert secret not in base64.b64decode(app.key)


def test_each_new_secret_is_random_and_of_full_length() -> None:
    ana = User.objects.create(username="ana")
    first, second = (AuthenticatorApp.begin(ana).bin_key for _ in range(2))
    assert len(first) == len(second) == APP_SECRET_BYTES
    assert first != second


def test_a_secret_copied_to_another_user_does_not_open() -> None:
    app = AuthenticatorApp.begin(User.objects.create(username="ana"))
    app.user = User.objects.create(username="bob")
    assert not app.opens
    with pytest.raises(SurveyError) as refused:
        _ = app.bin_key
    assert refused.value.code == "app_sealed"
