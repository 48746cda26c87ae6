"""Files of deleted surveys are removed from a home for as long as its web process lives."""

from pathlib import Path

import pytest
from django.db import DatabaseError, Error, InterfaceError

from surveys.jobs import home_files
from tests.conftest import wait_until
from tests.fixtures.web_server import WebServer


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

    monkeypatch.setattr(home_files, "columns_clear", clear)
    monkeypatch.setattr(home_files, "SECONDS_BETWEEN_CLEARINGS", 0.01)
    thread = home_files.clear_periodically()
    # Wait for the thread's end, because its warning would otherwise appear in the next test.
    thread.join(300)
    assert not thread.is_alive()
    assert outcomes == []
