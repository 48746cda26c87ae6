"""WebKitGTK, the engine of Safari, on a display of its own, driven by WebKitWebDriver."""

import json
import os
import shutil
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.conftest import kill_group, start_group, wait_until
from tests.e2e.profile import Needle, files_with

WINDOW = Path(__file__).with_name("webkit_window.py")
# Method and address of a command; {id} is an element's.
COMMANDS = {
    "WebDriver:Navigate": ("POST", "url"),
    "WebDriver:ExecuteScript": ("POST", "execute/sync"),
    "WebDriver:Back": ("POST", "back"),
    "WebDriver:Forward": ("POST", "forward"),
    "WebDriver:Refresh": ("POST", "refresh"),
    "WebDriver:FindElements": ("POST", "elements"),
    "WebDriver:ElementClick": ("POST", "element/{id}/click"),
    "WebDriver:ElementSendKeys": ("POST", "element/{id}/value"),
    "WebDriver:SwitchToFrame": ("POST", "frame"),
    "WebDriver:TakeScreenshot": ("GET", "screenshot"),
}
# These answer with a value, which Firefox's own protocol puts into an object.
IN_AN_OBJECT = ("WebDriver:ExecuteScript", "WebDriver:TakeScreenshot")


def has_webkit() -> bool:
    """Return whether this machine has the engine, its driver, a display, and Debian's Python for a window."""
    programs = ("WebKitWebDriver", "Xvfb", "/usr/bin/python3")
    if not all(map(shutil.which, programs)) or not mini_browser().exists():
        return False
    wanted = "import gi; gi.require_version('WebKit2', '4.1')"
    return (
        subprocess.run(["/usr/bin/python3", "-c", wanted], capture_output=True, check=False).returncode == 0
    )


def mini_browser() -> Path:
    """Return the small browser that comes with the engine."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"))
    return found[0] if found else Path("/usr/lib/webkit2gtk-4.1/MiniBrowser")


class WebKit:
    """One user's WebKit.

    Parameters
    ----------
    directory : Path
        Its home, on the disk.
    kind : str
        "" for a window whose pages have a file system, "private" for a private one, "mini" for MiniBrowser,
        whose pages have none.
    """

    def __init__(self, directory: Path, kind: str = "") -> None:
        self.directory = directory
        self.kind = kind
        self._started: list[subprocess.Popen[bytes]] = []
        self._address = ""

    def start(self) -> None:
        """Start a display, the driver and the browser."""
        self.directory.mkdir(exist_ok=True)
        read, write = os.pipe()
        display = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1000x24", "-nolisten", "tcp"]
        self._run(display, pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as said:
            number = said.readline().strip()
        places = {
            name: str(self.directory / name)
            for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
        }
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._run(
            ["WebKitWebDriver", f"--port={port}"],
            env={**os.environ, **places, "HOME": str(self.directory), "DISPLAY": f":{number}"},
        )
        self._address = f"http://127.0.0.1:{port}/session"
        wait_until(lambda: self._is_up(port), what="WebKit's driver")
        options = (
            {"binary": str(mini_browser()), "args": ["--automation"]}
            if self.kind == "mini"
            else {"binary": str(WINDOW), "args": [self.kind or str(self.directory)]}
        )
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._address += f"/{self._said('POST', '', wanted)['sessionId']}"

    def _run(self, command: list[str], **options: Any) -> None:
        nothing = subprocess.DEVNULL
        self._started.append(start_group(command, stdout=nothing, stderr=nothing, **options))

    @staticmethod
    def _is_up(port: int) -> bool:
        with socket.socket() as link:
            return link.connect_ex(("127.0.0.1", port)) == 0

    def ask(self, command: str, **parameters: Any) -> Any:
        """Send a command and return the response."""
        method, place = COMMANDS[command]
        if "{id}" in place:
            place = place.format(id=parameters.pop("id"))
        said = self._said(method, f"/{place}", parameters)
        return {"value": said} if command in IN_AN_OBJECT else said

    def _said(self, method: str, place: str, parameters: Any) -> Any:
        body = None if method == "GET" or method == "DELETE" else json.dumps(parameters).encode()
        request = urllib.request.Request(self._address + place, method=method, data=body)
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from error

    def close(self) -> None:
        """Quit as if the user closed the last window."""
        self._said("DELETE", "/window", None)

    def files_with(self, needles: Iterable[Needle]) -> dict[Needle, list[str]]:
        """Return which files of the home hold each text, however coded, or bytes; others are left out."""
        return files_with(self.directory, needles)

    def kill(self) -> None:
        """Kill remaining processes."""
        for process in reversed(self._started):
            kill_group(process)
