"""Workers report that they are alive, with program version, key and home, and clean their home."""

import os
import signal
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from subprocess import Popen
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, Error, InterfaceError
from django.utils import timezone
from pytest_django import Settings

from privacy.errors import PrivacyError
from surveys.errors.error import sentences
from surveys.jobs import provenance
from surveys.jobs import workers as workers_module
from surveys.jobs.home_token import home_token
from surveys.jobs.workers import clear_periodically, facts_of_this_program, key_mark, sign, workers
from surveys.models.heartbeat import record_heartbeat
from surveys.runs.mining_job import mine_snapshot
from surveys.runs.run_requests import run_request
from tests.conftest import kill_group, wait_until
from tests.fixtures.runs import LOOSE, alice, answered_version
from tests.fixtures.web_server import WebServer

StartWorker = Callable[..., Popen[bytes]]


def names() -> list[str]:
    return [worker.name for worker in workers(now=timezone.now())]


@pytest.mark.soak
def test_workers_register_at_start_and_deregister_at_exit(
    start_worker: StartWorker, broker: str, tmp_path: Path
) -> None:
    first = start_worker()
    wait_until(names, what="the sign of the first worker")
    (seen,) = workers(now=timezone.now())
    assert seen.lives
    assert seen.name.endswith(f"/{first.pid}")
    assert {name: getattr(seen, name) for name in ("program", "key", "home")} == facts_of_this_program()
    # Columns of a survey that was deleted long ago from another machine.
    home = tmp_path / "home"
    left_over = home / "columns" / "4711-00ff"
    left_over.mkdir(parents=True)
    (left_over / "1-2").write_bytes(b"disguised rows")
    other = start_worker(SOTTOVOCE_TEST_HOME=str(home), SOTTOVOCE_TEST_BROKER=broker, SECRET_KEY="k" * 40)
    wait_until(lambda: len(names()) == 2, what="the sign of the second worker")
    second = next(one for one in workers(now=timezone.now()) if one.name.endswith(f"/{other.pid}"))
    assert (second.program, second.home) == (seen.program, home_token(home))
    assert second.home != seen.home
    assert second.key != seen.key
    wait_until(lambda: not left_over.exists(), what="the end of what no survey owns")
    os.kill(other.pid, signal.SIGTERM)
    other.wait(timeout=300)
    assert names() == [seen.name]
    kill_group(first)
    assert names() == [seen.name], "whoever was killed is missed"


@pytest.mark.django_db(transaction=True)
def test_the_web_server_clears_leftover_files_at_startup(tmp_path: Path) -> None:
    left_over = tmp_path / "home" / "columns" / "4711-00ff"
    left_over.mkdir(parents=True)
    with WebServer(tmp_path / "web.log", SOTTOVOCE_TEST_HOME=str(tmp_path / "home")):
        wait_until(lambda: not left_over.exists(), what="the end of what no survey owns")


# SystemExit ends the thread; this is not an error.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("fault", [DatabaseError, InterfaceError])
def test_an_unavailable_database_does_not_stop_cleaning(
    fault: type[Error], monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = [SystemExit(), fault("the line was cut")]

    def clear() -> None:
        raise outcomes.pop()

    monkeypatch.setattr(workers_module, "columns_clear", clear)
    monkeypatch.setattr(workers_module, "SECONDS_BETWEEN_CLEARINGS", 0.01)
    thread = clear_periodically()
    # Wait for the thread's end, because its warning would otherwise appear in the next test.
    thread.join(300)
    assert not thread.is_alive()
    assert outcomes == []


@pytest.mark.django_db
def test_killed_workers_are_listed_for_an_hour_and_the_last_one_for_good() -> None:
    now = timezone.now()
    record_heartbeat("worker old/1", now=now - timedelta(hours=2))
    record_heartbeat("worker late/2", now=now - timedelta(minutes=30))
    record_heartbeat("sweeper", now=now - timedelta(days=2))
    assert names() == ["late/2", "old/1"]
    assert not any(worker.lives for worker in workers(now=now))
    sign(now=now, facts={"program": "p", "key": "k", "home": "h"})
    assert len(names()) == 2
    assert names()[1] == "late/2"


def test_key_marks_are_short_and_differ_between_keys(settings: Settings) -> None:
    settings.SECRET_KEY = "a" * 50
    mark = key_mark()
    assert mark == key_mark()
    assert len(mark) == 16
    settings.SECRET_KEY = "b" * 50
    assert key_mark() != mark


def test_a_home_directory_has_the_same_token_through_any_path(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    for directory in (home, other):
        directory.mkdir()
    (tmp_path / "link").symlink_to(home)
    assert home_token(home) == home_token(tmp_path / "link") != home_token(other)
    assert (home / "home_token").stat().st_mode & 0o077 == 0


@pytest.mark.django_db
def test_a_run_beyond_the_candidate_limit_fails_with_a_remedy(settings) -> None:
    settings.RUN_CANDIDATES = 5
    run = run_request(
        version=answered_version(), thresholds=LOOSE, by=alice(), now=timezone.now(), announce=False
    )
    with pytest.raises(PrivacyError) as refusal:
        mine_snapshot(run.job_id, lambda *progress: None)
    assert "more than 5 itemsets of 2 items" in sentences(refusal.value).lower()


@pytest.fixture(autouse=True)
def fresh() -> None:
    provenance.code_version.cache_clear()


def package(path: Path, name: str, **files: str) -> object:
    place = path / name
    place.mkdir(parents=True)
    for stem, text in files.items():
        (place / f"{stem}.py").write_text(text, encoding="utf-8")

    return SimpleNamespace(__path__=[str(place)])


def version(monkeypatch: pytest.MonkeyPatch, *packages: object) -> str:
    provenance.code_version.cache_clear()
    monkeypatch.setattr(provenance, "_PACKAGES", packages)
    return provenance.code_version()


def test_the_code_version_depends_on_content_and_not_on_location(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = version(monkeypatch, package(tmp_path / "one", "law", a="1", b="2"))
    assert version(monkeypatch, package(tmp_path / "two", "law", a="1", b="2")) == first


@pytest.mark.parametrize(
    "files", [{"a": "1", "b": "3"}, {"a": "1"}, {"a": "2", "b": "1"}, {"b": "2", "c": "1"}]
)
def test_changed_content_or_file_names_change_the_code_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]
) -> None:
    first = version(monkeypatch, package(tmp_path / "one", "law", a="1", b="2"))
    assert version(monkeypatch, package(tmp_path / "two", "law", **files)) != first


def test_the_running_code_has_a_16_digit_version() -> None:
    assert len(provenance.code_version()) == 16
    assert int(provenance.code_version(), 16) > 0
