"""A browser with a profile on disk, which can be killed, searched and restarted with its session."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from playwright.sync_api import BrowserContext, Error, Playwright
from playwright.sync_api import TimeoutError as Late

from tests.conftest import CHROMIUM, program_path, wait_until

# Encodings in which Chromium stores texts; the last one is for names in IndexedDB.
CODES = ("utf-8", "utf-16-le", "utf-16-be")
STARTS = 4
# Seconds without a change of pages before Playwright connects. It used to wait forever for pages that had
# disappeared meanwhile: those of a spare process and of the address bar's popup, which NOT_NEEDED disables.
QUIET = 1.5
Needle: TypeAlias = str | bytes
NOT_NEEDED = "SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup"


def files_with(directory: Path, needles: Iterable[Needle], *, among: str = "**/*") -> dict[Needle, list[str]]:
    """Return the files in a directory that contain each text, in any encoding, or bytes, if there are any."""
    found: dict[Needle, list[str]] = {}
    spelt = [
        (needle, spelling)
        for needle in needles
        for spelling in ([needle.encode(code) for code in CODES] if isinstance(needle, str) else [needle])
    ]
    for path in sorted(directory.glob(among)):
        if path.is_file() and not path.is_symlink():
            content = b""
            # A running browser may remove files at any time.
            with contextlib.suppress(FileNotFoundError):
                content = path.read_bytes()
            for needle, spelling in spelt:
                if spelling in content:
                    found.setdefault(needle, []).append(str(path.relative_to(directory)))
    return found


class Profile:
    """One user's browser.

    Parameters
    ----------
    driver : Playwright
    directory : Path
        Initially empty.
    """

    def __init__(self, driver: Playwright, directory: Path) -> None:
        self.driver = driver
        self.directory = directory
        self.process: subprocess.Popen[bytes] | None = None
        self.connection: Any = None

    def start(self) -> BrowserContext:
        """Start the browser; after a kill, it restores its session.

        If connecting fails, the browser is killed and started again with the original profile, so that pages
        have not already done something, such as sending waiting answers.
        """
        before = self.directory.with_name(f"{self.directory.name}-before")
        shutil.copytree(self.directory, before, symlinks=True)
        for failed in range(STARTS):
            address = self._started()
            try:
                self.connection = self.driver.chromium.connect_over_cdp(address, timeout=60_000)
                break
            except Late:
                self.kill()
                self.directory.rename(self.directory.with_name(f"{self.directory.name}-failed-{failed}"))
                shutil.copytree(before, self.directory, symlinks=True)
        assert self.connection is not None, f"no connection to any of {STARTS} browsers"
        shutil.rmtree(before)
        context: BrowserContext = self.connection.contexts[0]
        context.set_default_timeout(60_000)
        return context

    def _started(self) -> str:
        """Start the process and return the address to connect to."""
        port_file = self.directory / "DevToolsActivePort"
        port_file.unlink(missing_ok=True)
        for lock in self.directory.glob("Singleton*"):
            lock.unlink()
        self._restore_next_time()
        self.process = subprocess.Popen(
            [
                program_path(*CHROMIUM),
                "--headless=new",
                "--no-sandbox",
                "--no-first-run",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--password-store=basic",
                f"--disable-features={NOT_NEEDED}",
                "--remote-debugging-port=0",
                f"--user-data-dir={self.directory}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_until(
            lambda: port_file.exists() and len(port_file.read_text().split()) == 2, what="the browser's port"
        )
        address = f"http://127.0.0.1:{port_file.read_text().split()[0]}"
        self._wait_for_quiet(address)
        return address

    def _wait_for_quiet(self, address: str) -> None:
        """Wait until no page has appeared, disappeared or changed its address for some seconds."""
        seen: list[tuple[str, str]] = []
        since = time.monotonic()

        def quiet() -> bool:
            nonlocal seen, since
            with urllib.request.urlopen(f"{address}/json/list", timeout=300) as answer:
                now = sorted((target["id"], target["url"]) for target in json.load(answer))
            if now != seen:
                seen, since = now, time.monotonic()
            return bool(seen) and time.monotonic() - since > QUIET

        wait_until(quiet, what="a browser whose pages stay")

    def _restore_next_time(self) -> None:
        preferences = self.directory / "Default" / "Preferences"
        preferences.parent.mkdir(exist_ok=True)
        settings = json.loads(preferences.read_text()) if preferences.exists() else {}
        settings.setdefault("session", {})["restore_on_startup"] = 1
        settings.setdefault("profile", {}).update(exit_type="Normal", exited_cleanly=True)
        preferences.write_text(json.dumps(settings))

    def kill(self) -> None:
        """Kill -9 the browser, like a power cut, and leave the disk as it is."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.connection is not None:
            with contextlib.suppress(Error):
                self.connection.close()
            self.connection = None

    def close(self) -> None:
        """Quit as if the user closed the last window, and wait until everything is written."""
        assert self.process is not None
        self.connection.new_browser_cdp_session().send("Browser.close")
        self.process.wait(timeout=300)
        self.connection = None

    def files_with(self, needles: Iterable[Needle], *, among: str = "**/*") -> dict[Needle, list[str]]:
        """Return the files of a pattern that contain each text, in any encoding, or bytes, if any do."""
        return files_with(self.directory, needles, among=among)

    def wait_for(self, needles: Iterable[Needle], *, among: str = "**/*") -> None:
        """Wait until the running browser has written each text into a file of a pattern."""
        wanted = set(needles)
        wait_until(
            lambda: wanted <= self.files_with(wanted, among=among).keys(), what=f"writing {wanted} down"
        )
