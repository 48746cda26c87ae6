"""The certificate check: when a certificate is late, what is said without HTTPS, and where it looks."""

import socket
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest import mock

import pytest
from cryptography import x509

from surveys.models import Beat
from surveys.server.doctor import certificates
from surveys.server.doctor.certificates import certificate_is_valid, renewal_due
from surveys.server.doctor.diagnosis import Severity
from surveys.server.health import CERTIFICATE
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db

END = datetime(2026, 12, 31, tzinfo=UTC)


def certificate(life: timedelta) -> Any:
    return mock.Mock(x509.Certificate, not_valid_before_utc=END - life, not_valid_after_utc=END)


@pytest.mark.parametrize(("days", "notice"), [(398, 14), (90, 14), (56, 14), (47, 11.75), (6, 1.5)])
def test_a_certificate_is_late_two_weeks_before_its_end_or_in_its_last_quarter(
    days: float, notice: float
) -> None:
    assert END - renewal_due(certificate(timedelta(days=days))) == timedelta(days=notice)


def test_without_https_no_certificate_is_needed_and_none_is_fetched(doctor: Doctor) -> None:
    assert doctor.level(certificate_is_valid) is Severity.OK
    assert not Beat.objects.filter(name=CERTIFICATE).exists()


@pytest.mark.parametrize(
    ("left", "problem", "level"),
    [
        (15, "", Severity.OK),
        (15, "self-signed", Severity.WARNING),
        (13, "", Severity.ERROR),
        (0, "", Severity.ERROR),
    ],
)
def test_behind_a_proxy_the_certificate_of_the_accepted_host_is_read_on_this_machine_first(
    doctor: Doctor, settings: Any, left: int, problem: str, level: Severity
) -> None:
    settings.HTTPS, settings.ALLOWED_HOSTS = True, ["survey.example.org"]
    shown = (certificate(timedelta(days=90)), problem)
    with mock.patch.object(certificates, "certificate_at", return_value=shown) as read:
        assert doctor.level(certificate_is_valid, now=END - timedelta(days=left)) is level
    read.assert_called_once_with(("127.0.0.1", 443), name="survey.example.org")
    assert Beat.objects.get(name=CERTIFICATE).says["end"] == END.isoformat()


def test_an_unreachable_proxy_is_a_warning_and_the_earlier_dates_stay(doctor: Doctor) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"https://127.0.0.1:{closed.getsockname()[1]}"
    assert doctor.level(certificate_is_valid, address=address) is Severity.WARNING
    assert not Beat.objects.filter(name=CERTIFICATE).exists()
