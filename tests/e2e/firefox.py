"""Firefox with a profile on disk, driven through Marionette, a protocol of JSON messages over a socket."""

import json
import shutil
import socket
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.conftest import kill_group, start_group, wait_until
from tests.e2e.profile import Needle, files_with

# Firefox makes no unrequested connections, and quits as for a user.
PREFERENCES = {
    "marionette.port": 0,
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}


def firefox_path() -> str | None:
    """Return the path of this machine's Firefox, if any."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One user's Firefox.

    Parameters
    ----------
    directory : Path
        Folder for the profile; initially empty.
    preferences : object
        Added to those of all tests.
    """

    def __init__(self, directory: Path, **preferences: object) -> None:
        self.directory = directory
        self.preferences = {**PREFERENCES, **preferences}
        self.process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self._asked = 0

    def start(self) -> None:
        """Start Firefox and open a session."""
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in self.preferences.items()
        ]
        self.directory.mkdir(exist_ok=True)
        (self.directory / "user.js").write_text("\n".join(lines), encoding="utf-8")
        port = self.directory / "MarionetteActivePort"
        self.process = start_group(
            [str(firefox_path()), "--headless", "--marionette", "--profile", str(self.directory)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: port.exists() and port.read_text().strip(), what="Firefox's port")
        self._link = socket.create_connection(("127.0.0.1", int(port.read_text())), timeout=180)
        self._answer()
        self.ask("WebDriver:NewSession")

    def ask(self, command: str, **parameters: Any) -> Any:
        """Send a command and return the response."""
        assert self._link is not None
        self._asked += 1
        said = json.dumps([0, self._asked, command, parameters]).encode()
        self._link.sendall(b"%d:" % len(said) + said)
        _kind, _number, error, result = self._answer()
        assert error is None, error
        return result

    def _answer(self) -> Any:
        assert self._link is not None
        digits = b""
        while (byte := self._link.recv(1)) != b":":
            assert byte, "Firefox has gone"
            digits += byte
        content = b""
        while len(content) < int(digits):
            content += self._link.recv(int(digits) - len(content))
        return json.loads(content)

    def close(self) -> None:
        """Quit as if the user closed the last window, and wait until everything is written."""
        assert self.process is not None
        self.ask("Marionette:Quit", flags=["eAttemptQuit"])
        self.process.wait(timeout=180)

    def kill(self) -> None:
        """Kill remaining processes."""
        if self._link is not None:
            self._link.close()
        if self.process is not None:
            kill_group(self.process)

    def files_with(self, needles: Iterable[Needle]) -> dict[Needle, list[str]]:
        """Return the profile's files that contain each text, in any encoding, or bytes, if there are any."""
        return files_with(self.directory, needles)
