"""Threads take turns at writing."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest
from django.db import OperationalError

from surveys.respond import turns
from surveys.respond.turns import writing_turn


def test_only_one_thread_has_the_turn_and_the_next_gets_it_when_it_is_given_back() -> None:
    inside, most, barrier = [0], [0], threading.Barrier(6)

    def write() -> None:
        barrier.wait()
        for _ in range(50):
            with writing_turn():
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1

    threads = [threading.Thread(target=write) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_a_turn_that_does_not_come_is_a_busy_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "SECONDS_TO_WAIT", 0.01)
    refused: list[BaseException] = []

    def wait() -> None:
        try:
            with writing_turn():
                pass
        except OperationalError as error:
            refused.append(error)

    with writing_turn():
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join()
    assert len(refused) == 1
    with writing_turn():
        pass


def test_a_fault_gives_the_turn_back() -> None:
    with pytest.raises(ZeroDivisionError), writing_turn():
        raise ZeroDivisionError
    with writing_turn():
        pass


def test_another_database_needs_no_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "connection", SimpleNamespace(vendor="postgresql"))
    with writing_turn(), writing_turn():
        pass
