"""A page that never answers fails its own test, by name, and the next test runs in a working browser."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error

from tests.conftest import ROOT
from tests.e2e.time_limit import Overtime, kill_browsers, time_limit

NEVER = "new Promise(() => {})"
BUSY = "for (;;) {}"


def fail() -> None:
    raise AssertionError("the first error did not end the code")


@pytest.mark.soak
def test_an_evaluation_that_never_ends_is_interrupted_and_its_page_still_works(
    device: Callable[..., BrowserContext],
) -> None:
    page = device().new_page()
    with (
        pytest.raises(Overtime, match=r"^a hanging test did not end within 0\.2 seconds$"),
        time_limit("a hanging test", 0.2, then_every=60, if_still_running=fail),
    ):
        page.evaluate(NEVER)
    assert page.evaluate("1 + 1") == 2


def test_code_that_swallows_the_first_error_meets_another_one() -> None:
    further: list[str] = []

    def swallow() -> None:
        try:
            while True:
                pass
        except Overtime:
            further.append("swallowed")
        while True:
            pass

    with (
        pytest.raises(Overtime),
        time_limit("it", 0.1, then_every=0.1, if_still_running=lambda: further.append("called")),
    ):
        swallow()
    assert further == ["swallowed", "called"]


def test_a_killed_browser_ends_calls_that_wait_for_it(browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    with (
        pytest.raises((Overtime, Error)),
        time_limit("it", 0.2, then_every=60, if_still_running=fail),
    ):
        page.evaluate(BUSY)
    kill_browsers()
    with pytest.raises(Error):
        page.evaluate("1 + 1")
    context.close()
    assert not browser.is_connected()


PLANTED = f'''
import pytest

tries = []

def test_before(page):
    assert page.evaluate("1 + 1") == 2

def test_hanging_at_first(page):
    tries.append(page)
    if len(tries) == 1:
        page.evaluate("{BUSY}")

def test_after(page):
    assert page.evaluate("1 + 1") == 2
'''
LIMITS = """
from tests.conftest import _browsers, browser, page, playwright_driver
from tests.e2e import conftest
from tests.e2e.conftest import pytest_runtest_call, pytest_runtest_setup, pytest_runtest_teardown

conftest.LONGEST = conftest.LONGEST_SOAK = 5
conftest.END = 1
"""


@pytest.mark.soak
def test_a_planted_hang_is_named_tried_again_and_harms_no_other_test(tmp_path: Path) -> None:
    (tmp_path / "test_planted.py").write_text(PLANTED)
    (tmp_path / "conftest.py").write_text(LIMITS)
    command = [
        "-m",
        "pytest",
        "-q",
        "-c",
        str(ROOT / "pyproject.toml"),
        "--reruns",
        "1",
    ]
    done = subprocess.run(
        [sys.executable, *command, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed, 1 rerun" in done.stdout
    assert "test_planted.py::test_hanging_at_first did not end within" in done.stdout
