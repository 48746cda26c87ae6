"""A bad morning: the administrators' first page names real faults of a running installation in time."""

import html
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.models import Inbox, Survey
from surveys.models.heartbeat import record_heartbeat
from surveys.server.backup_problems import MADE
from surveys.server.doctor.certificates import certificate_is_valid
from surveys.server.doctor.diagnosis import CheckContext, Severity
from surveys.server.health_line import WRONG
from tests.attack.scratch import database_url
from tests.conftest import kill_group, start_group, wait_until
from tests.fixtures.devices import CONTENT_TYPE, published, request_of, shipped_definition
from tests.fixtures.staff import browser_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

SECONDS = 45
Usage = namedtuple("Usage", ("total", "used", "free"))
SWEEPER = """
import sys
from datetime import timedelta
import django
from django.core.management import execute_from_command_line
from django.utils import timezone
django.setup()
now, ahead = timezone.now, timedelta(seconds=int(sys.argv[1]))
timezone.now = lambda: now() + ahead
if sys.argv[2]:
    from surveys.management.commands import sweep
    steps = dict(sweep.SWEEPER_STEPS) | {sys.argv[2]: lambda: 1 / 0}
    sweep.SWEEPER_STEPS = tuple(steps.items())
execute_from_command_line(["manage.py", "sweep"])
"""


class Morning:
    """An administrator's first page, and the processes behind it."""

    def __init__(self, broker: str, place: Path, worker: subprocess.Popen[bytes]) -> None:
        self.administrator = browser_of("adam", Role.ADMINISTRATOR)
        self.environment = {**os.environ, "REDIS_URL": broker, "DATABASE_URL": database_url()}
        self.environment["SOTTOVOCE_TEST_VOUCH"] = "10"
        self.keys = place / "keys"
        self.worker = worker
        self.sweep()

    def sweep(self, *, ahead: int = 0, failing: str = "") -> None:
        """Start the sweeper, with a clock that is so many seconds ahead, or with a step that fails."""
        command = [sys.executable, "-c", SWEEPER, str(ahead), failing]
        self.sweeper = start_group(command, env={**self.environment, "SOTTOVOCE_MIXER_KEYS": str(self.keys)})

    def end_sweeper(self) -> None:
        kill_group(self.sweeper)

    @property
    def line(self) -> str:
        page = html.unescape(self.administrator.get("/en/staff/").content.decode())
        found = re.search(r'<p class="note.*?</p>', page, re.DOTALL)
        assert found
        return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())

    def is_well(self) -> bool:
        return self.line.startswith("All is well")

    def wait_until_well(self) -> None:
        wait_until(self.is_well, what="a line without problems", seconds=60)

    def names(self, part: str) -> None:
        """Wait until the page names this problem and what to do."""
        sentence, command = WRONG[part]
        began = time.monotonic()
        while not (line := self.line).startswith(str(sentence)):
            assert time.monotonic() - began < SECONDS, f"{line}, not {sentence}"
            time.sleep(0.2)
        assert command in self.line
        ready = Client().get("/ready").json()
        assert {**ready, **ready["chores"]}[part] != "ok"


@pytest.fixture
def morning(
    broker: str, tmp_path: Path, start_worker: Callable[..., Any], transactional_db: None
) -> Iterator[Morning]:
    record_heartbeat(MADE, now=timezone.now())
    made = Morning(broker, tmp_path, start_worker())
    made.wait_until_well()
    yield made
    made.end_sweeper()


@contextmanager
def small_disk(place: Path) -> Iterator[None]:
    """Mount a file system of 64 MB. Only root may do that; for others its size is made up."""
    place.mkdir()
    if os.geteuid():
        with mock.patch.object(shutil, "disk_usage", return_value=Usage(64 << 20, 0, 64 << 20)):
            yield
        return
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(place)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(place)], check=True)


@contextmanager
def https_server(place: Path, left: timedelta) -> Iterator[str]:
    """Serve HTTPS with a certificate for 90 days that ends after `left`, signed by itself."""
    key, end = ec.generate_private_key(ec.SECP256R1()), timezone.now() + left
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    certificate = (
        builder.not_valid_before(end - timedelta(days=90))
        .not_valid_after(end)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = place / "certificate.pem"
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(key.private_bytes(*form) + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            # Closing the listening socket ends this.
            with suppress(OSError):
                while True:
                    plain, _address = listening.accept()
                    # A client that refuses the certificate ends the handshake.
                    with suppress(OSError), context.wrap_socket(plain, server_side=True) as secured:
                        secured.recv(1)

        threading.Thread(target=serve, daemon=True).start()
        yield f"https://localhost:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


def test_a_stopped_worker_and_a_stopped_sweeper_are_called_by_their_names(morning: Morning) -> None:
    for part, process in (("sweeper", morning.sweeper), ("worker", morning.worker)):
        os.killpg(process.pid, signal.SIGSTOP)
        morning.names(part)
        os.killpg(process.pid, signal.SIGCONT)
        morning.wait_until_well()


def test_a_small_disk_is_named(morning: Morning, settings: Any, tmp_path: Path) -> None:
    settings.SOTTOVOCE_HOME = tmp_path / "small"
    with small_disk(settings.SOTTOVOCE_HOME):
        morning.names("disk")
    settings.SOTTOVOCE_HOME = tmp_path
    morning.wait_until_well()


def test_a_sweeper_whose_clock_is_ahead_is_named_a_clock(morning: Morning) -> None:
    morning.end_sweeper()
    morning.sweep(ahead=1200)
    morning.names("clock")
    morning.end_sweeper()
    morning.sweep()
    morning.wait_until_well()


def test_mixing_that_fails_is_named(morning: Morning) -> None:
    morning.end_sweeper()
    morning.sweep(failing="mix")
    morning.names("mixing")
    morning.end_sweeper()
    morning.sweep()
    morning.wait_until_well()


def test_rows_whose_mixer_has_lost_its_folder_of_keys_are_named(morning: Morning) -> None:
    version = published(shipped_definition())
    answer = Client().post("/api/submissions", request_of(version), content_type=CONTENT_TYPE)
    assert answer.status_code == 200
    morning.end_sweeper()
    late = timezone.now() - timedelta(minutes=2)
    Survey.objects.update(state=Survey.State.CLOSED, closed_at=late, accepts_until=late)
    keys, morning.keys = morning.keys, morning.keys.with_name("new keys")
    morning.sweep()
    morning.names("mixing")
    assert Inbox.objects.count() == 1
    # With its folder back, the mixer settles the survey.
    morning.end_sweeper()
    morning.keys = keys
    morning.sweep()
    morning.wait_until_well()
    assert not Inbox.objects.exists()


def test_a_certificate_that_was_not_renewed_is_named(morning: Morning, tmp_path: Path, settings: Any) -> None:
    settings.HTTPS = True
    for days, is_named in ((80, False), (5, True), (-1, True)):
        with https_server(tmp_path, timedelta(days=days)) as address:
            findings = list(
                certificate_is_valid(CheckContext(address=address, client_digest=None, now=timezone.now()))
            )
        assert [finding.level is Severity.ERROR for finding in findings] == [is_named]
        if is_named:
            morning.names("certificate")
        else:
            morning.wait_until_well()
