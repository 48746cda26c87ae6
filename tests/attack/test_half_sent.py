"""Honest answers arrive despite half-sent bodies, except on a server that reads bodies in its threads."""

import sys
from pathlib import Path

import pytest

from surveys.models import Receipt
from tests.attack.half_sent import attack_half_sent, half_sent, web_server
from tests.attack.respondents import Respondents, publish, wide_definition

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 2


def reads_in_threads(host: str, port: int) -> list[str]:
    """Return the command of a server as Sottovoce used to have: each request occupies a thread early."""
    how = ["--interface", "wsgi", "--workers", "1", "--blocking-threads", str(THREADS), "--http", "1"]
    place = ["--host", host, "--port", str(port), "--log-level", "warning"]
    return [sys.executable, "-m", "granian", *how, *place, "surveys.wsgi:application"]


def test_honest_answers_arrive_despite_half_sent_bodies(tmp_path: Path) -> None:
    found = attack_half_sent(tmp_path, count=20, seed=1)
    assert not found.beyond_chance, found
    assert found.tried == "20 at a time, at least 20 of them held beside each honest answer"
    assert Receipt.objects.count() == 20


@pytest.mark.soak
def test_half_sent_bodies_block_a_server_that_reads_in_threads(tmp_path: Path) -> None:
    """A few arrive anyway, while a thread has not yet started on a half-sent body."""
    respondents = Respondents(publish(wide_definition("honest", questions=90)))
    with web_server(tmp_path, reads_in_threads) as port:
        honest = [respondents.request(respondents.row(), key=f"{number:032x}") for number in range(5)]
        found = half_sent(port, honest, count=2 * THREADS, patience=3)
    assert found.requests == 5
    assert found.answered < 5
