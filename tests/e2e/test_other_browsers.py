"""An answer's whole way in Firefox and in WebKit, the engine of Safari."""

import json
import os
import shutil
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.proxies import free_port
from surveys.embed.answer_string import answer_string_read, version_mark
from surveys.embed.frame import frame_files
from surveys.embed.frame_hosts import Around, frame_headers
from surveys.embed.frame_promise import frame_digest, frame_promises
from surveys.intake import views
from surveys.intake.receive import SubmissionResult
from surveys.questionnaire.definition import definition_parse
from tests.conftest import kill_group, start_group, wait_until
from tests.e2e.conftest import Published
from tests.e2e.driven import IN_PAGE_BEFORE, ONLY_TRUTH, SENT, Respondent
from tests.e2e.firefox import Firefox, firefox_path
from tests.e2e.framed import PAGE
from tests.e2e.profile import Needle, files_with
from tests.e2e.survey import ANSWERS, TRUTH, body_of, workplace
from tests.e2e.test_firefox import recognisable_parts
from tests.e2e.test_seal_once import sealed_once
from tests.fixtures.devices import published
from tests.fixtures.embed_frames import three
from tests.fixtures.everyday import RIVER, everyday_definition
from tests.fixtures.invitations import codes_of, invited
from tests.operations.relay import Relay

WINDOW = Path(__file__).with_name("webkit_window.py")
# Method and address of each command; {id} stands for an element's id.
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
# Commands that return a bare value, which Firefox's protocol wraps in an object.
IN_AN_OBJECT = ("WebDriver:ExecuteScript", "WebDriver:TakeScreenshot")


def has_webkit() -> bool:
    """Return whether this machine has the engine, its driver, a display server, and Debian's Python."""
    programs = ("WebKitWebDriver", "Xvfb", "/usr/bin/python3")
    if not all(map(shutil.which, programs)) or not mini_browser().exists():
        return False
    wanted = "import gi; gi.require_version('WebKit2', '4.1')"
    return (
        subprocess.run(["/usr/bin/python3", "-c", wanted], capture_output=True, check=False).returncode == 0
    )


def mini_browser() -> Path:
    """Return the path of the small browser that comes with the engine."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"))
    return found[0] if found else Path("/usr/lib/webkit2gtk-4.1/MiniBrowser")


class WebKit:
    """One user's WebKit.

    Parameters
    ----------
    directory : Path
        Folder for its home.
    kind : str
        "" for a window whose pages have a file system, "private" for a private window, "mini" for
        MiniBrowser, whose pages have no file system.
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
        port = free_port()
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
        """Return the files of the home that contain each text, in any encoding, or bytes, if any do."""
        return files_with(self.directory, needles)

    def kill(self) -> None:
        """Kill remaining processes."""
        for process in reversed(self._started):
            kill_group(process)


pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

BLOCKS = [block for block in workplace()["blocks"] if block["key"] == "silence"]
WAITS = "Your answers are waiting to be sent"
FOUND = "The waiting answers have arrived"
STORED = """
const places = [navigator.storage?.getDirectory(), indexedDB.databases()];
return Promise.all(places).then(async ([files, databases]) => {
  const names = databases.map(({ name }) => name);
  for await (const name of files?.keys() ?? []) { names.push(name); }
  return names;
});
"""
IN_PAGE = "Your answers exist only in this open page"
MAKE: dict[str, Callable[[Path, str], Any]] = {
    "Firefox": lambda directory, kind: Firefox(
        directory,
        **{
            "": {},
            "private": {"browser.privatebrowsing.autostart": True},
            "no files": {"network.cookie.cookieBehavior": 2},
        }[kind],
    ),
    "WebKit": lambda directory, kind: WebKit(directory, "mini" if kind == "no files" else kind),
}
IS_HERE = {"Firefox": firefox_path() is not None, "WebKit": has_webkit()}


@pytest.fixture(params=MAKE)
def started(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Return a function that starts a browser with a new profile."""
    if not IS_HERE[request.param]:
        pytest.skip(f"there is no {request.param} here; ./test --soak installs it")
    made: list[Any] = []

    def start(kind: str = "") -> Any:
        browser = MAKE[request.param](tmp_path / f"profile-{len(made)}", kind)
        made.append(browser)
        browser.start()
        return browser

    start.name = request.param  # type: ignore[attr-defined]
    yield start
    for browser in made:
        browser.kill()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Record received bytes; responses in `answers` replace the server's own."""
    receive = views.submission_receive

    here = SimpleNamespace(bodies=[], answers=[])

    def received(raw: bytes, **options: Any) -> SubmissionResult:
        here.bodies.append(raw)
        own = lambda: receive(raw, **options)  # noqa: E731 - handed on
        return here.answers.pop(0)(own) if here.answers else own()

    monkeypatch.setattr(views, "submission_receive", received)
    return here


def busy(_own: Any) -> SubmissionResult:
    return SubmissionResult(status=503, answer={"error": "scripted"}, retry_after=3_000)


def every_kind() -> dict[str, Any]:
    """Return a survey with a question of every kind and look."""
    document = everyday_definition(slug="everyday")
    blocks = document["blocks"]
    (strain,) = (block for block in blocks if block["key"] == "strain")
    unpaid, *lately = strain["questions"]
    row = {**unpaid, "look": "matrix"}
    told = {**row, "key": "told", "text": {"en": "Did you tell somebody?", "zh-hans": "你告诉过别人吗？"}}
    strain["questions"] = [row, told, *lately]
    (hours,) = next(block for block in blocks if block["key"] == "time")["questions"]
    hours["look"] = "slider"
    title = {"en": "Since when", "zh-hans": "从何时起"}
    began = {
        "key": "began",
        "kind": "number",
        "text": {"en": "In which month did you begin?", "zh-hans": "你是哪个月开始的？"},
        "number": {
            "mechanism": "square_wave",
            "epsilon": 2,
            "low": "2020-01",
            "high": "2029-12",
            "bin": 12,
            "calendar": "month",
        },
        "options": [],
    }
    blocks.append({"key": "since", "protected": True, "refusal": True, "title": title, "questions": [began]})
    return document


# Taps and typed texts, and then the resulting answers.
GIVEN: dict[str, Any] = {
    "way": {"travel": 1, "shifts": 1},
    "strain": {"unpaid": 1, "told": 0, "lately_ill": 1, "lately_awake": 0},
    "visits": {"doctor": 2},
    "time": {"hours": "52"},
    "pay": {"wage": "17.4"},
    "places": {"care": ("32.0281", "118.72872")},
    "since": {"began": "2023-05"},
}
COUNTS = {"time": {"hours": 5}, "pay": {"wage": 6}, "places": {"care": RIVER}, "since": {"began": 3}}


def test_every_question_kind_is_sent_as_answered(live_server: Any, started: Any, server: Any) -> None:
    """With truthful coins, the row equals the one that Python packs from the same answers."""
    document = every_kind()
    version = published(document)
    here = Published(version=version, definition=document, address=f"{live_server.url}/en/s/everyday/")
    person = Respondent(started(), document).open(here.address)
    person.find("//button")
    person.run(ONLY_TRUTH)
    person.walk(GIVEN)
    person.sent()
    assert here.bodies == [body_of(version.to_design(), {**GIVEN, **COUNTS}, TRUTH)]
    sealed_once(here, server, attempts=1)


def test_reload_and_back_discard_unsent_answers(publish: Any, started: Any, server: Any) -> None:
    here = publish(blocks=BLOCKS)
    person = Respondent(started(), here.definition).open(here.address)
    person.walk(ANSWERS)
    person.go("Refresh")
    asked = BLOCKS[0]["questions"][0]["text"]["en"]
    person.walk({}, until=asked)
    assert person.run("return document.querySelectorAll('input:checked').length") == 0
    # The browser's Back leads to the screen before, and a single part has none of its own.
    person.go("Back")
    person.at("Try it: did you have tea this morning?")
    person.walk(ANSWERS)
    person.sent()
    person.open(here.address.replace("/s/workplace/", "/s/nowhere/")).reads("Survey not found")
    person.go("Back")
    person.at("Try it: did you have tea this morning?")
    assert person.run("return document.querySelectorAll('input:checked').length") == 0
    sealed_once(here, server, attempts=1)


def test_an_offline_answer_waits_and_is_sent_unchanged(publish: Any, started: Any, server: Any) -> None:
    """This also holds if the server received the answer and its response was lost.

    Firefox keeps the answer after the page is closed. WebKitGTK cannot write files in place, unlike Safari,
    so only the page keeps the answer there, and says so.
    """
    here = publish(blocks=BLOCKS)
    host, _, path = here.address.removeprefix("http://").partition("/")
    name, port = host.split(":")
    with Relay(("127.0.0.1", 0), (name, int(port))) as line:
        browser = started()
        person = Respondent(browser, here.definition)
        person.open(f"http://localhost:{line.port}/{path}")
        person.walk(ANSWERS)
        line.cut()
        person.press("Disguise and send")
        person.at(WAITS)
        assert server.bodies == here.bodies == []

        def lose(own: Callable[[], SubmissionResult]) -> SubmissionResult:
            result = own()
            line.cut()
            return result

        server.answers.append(lose)
        line.restore()
        person.press("Try now")
        person.until(lambda: len(server.bodies) == 1, "the answers at the server")
        person.at(WAITS)
        assert (IN_PAGE in person.text) == (started.name == "WebKit")
        if started.name == "WebKit":
            line.restore()
            person.press("Try now")
            person.at(SENT)
        else:
            # Leave while there is no network, or the page itself might send again.
            person.open("about:blank")
            line.restore()
            person.open(f"http://localhost:{line.port}/{path}").at(FOUND)
        # The page's storage has no trace of the survey either.
        person.until(lambda: person.run(STORED) == [], "an empty store")
    sealed_once(here, server, attempts=2)
    browser.close()
    request = json.loads(server.bodies[0])
    assert browser.files_with([*recognisable_parts(request), request["key"]]) == {}


def test_a_private_window_sends_and_writes_nothing_to_disk(publish: Any, started: Any, server: Any) -> None:
    here = publish(blocks=BLOCKS)
    server.answers.append(busy)
    browser = started("private")
    person = Respondent(browser, here.definition).open(here.address)
    person.reads(IN_PAGE_BEFORE)
    names = person.walk(ANSWERS)
    person.press("Disguise and send")
    person.at(WAITS)
    # In private windows neither browser keeps files for a page, and the page says so.
    person.reads(IN_PAGE)
    person.press("Try now")
    person.at(SENT)
    sealed_once(here, server, attempts=2)
    request = json.loads(server.bodies[0])
    needles = [here.address, *recognisable_parts(request), request["key"], *names]
    assert browser.files_with(needles) == {}
    browser.close()
    assert browser.files_with(needles) == {}


def test_browsers_without_storage_send_or_refuse_before_the_first_question(
    publish: Any, started: Any, server: Any
) -> None:
    here = publish(blocks=BLOCKS)
    server.answers.append(busy)
    person = Respondent(started("no files"), here.definition).open(here.address)
    if started.name == "Firefox":
        # Without any storage, the page refuses before the first question.
        person.at("This browser blocks storage for this page")
        assert server.bodies == []
        return
    person.reads(IN_PAGE_BEFORE)
    person.walk(ANSWERS)
    person.press("Disguise and send")
    person.at(WAITS)
    person.reads(IN_PAGE)
    person.press("Try now")
    person.at(SENT)
    sealed_once(here, server, attempts=2)


def test_a_code_works_once_and_is_removed_from_the_address(
    live_server: Any, started: Any, server: Any
) -> None:
    definition = workplace(slug="work", blocks=BLOCKS)
    version = invited(definition)
    (code,) = codes_of(version)
    here = Published(version=version, definition=definition, address=f"{live_server.url}/en/s/work/")
    person = Respondent(started(), definition)
    person.open(here.address)
    person.type("//*[@id='root']//input", f"{code[:5].lower()} {code[5:]}")
    person.press("Continue")
    person.walk(ANSWERS)
    person.sent()
    assert json.loads(server.bodies[0])["code"] == code
    sealed_once(here, server, attempts=1)
    person.open(f"{here.address}#{code}")
    person.go("Refresh")
    person.walk(ANSWERS)
    assert person.run("return location.hash") == ""
    person.press("Disguise and send")
    person.reads("This code cannot be used")
    assert here.receipts == len(here.bodies) == 1


@pytest.fixture
def framed(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Return a function that serves a host's page under a given name, with a third-party frame in it."""
    definition = definition_parse(three())
    served: list[ThreadingHTTPServer] = []

    def serve(directory: Path, headers: dict[str, str]) -> int:
        class Handler(SimpleHTTPRequestHandler):
            def end_headers(self) -> None:
                for name, value in headers.items():
                    self.send_header(name, value)
                super().end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        made = ThreadingHTTPServer(("", 0), lambda *asked: Handler(*asked, directory=str(directory)))
        Thread(target=made.serve_forever, daemon=True).start()
        served.append(made)
        return int(made.server_port)

    def host(name: str) -> str:
        page = tmp_path / name
        page.mkdir()
        address = f"http://{name}:{serve(page, {})}"
        around = Around(hosts=(address,))
        files = tmp_path / f"frame-{name}"
        made = frame_files(
            definition.design,
            definition.wording,
            around,
            digest=frame_digest(definition),
            promises=frame_promises(definition),
        )
        for path, content in made.items():
            place = files / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        frame = f"http://localhost:{serve(files, frame_headers(around))}"
        (page / "index.html").write_text(PAGE % (f"{frame}/index.html", frame), encoding="utf-8")
        return address

    yield host
    for each in served:
        each.shutdown()
        each.server_close()


VALUE = "return seen.map(({ data }) => data.value).find(Boolean) ?? ''"
REMEMBERS = "return seen.map(({ data }) => data.remembers).find((said) => said !== undefined) ?? null"


@pytest.mark.parametrize("kind", ["", "private"], ids=["window", "private window"])
def test_a_third_party_frame_remembers_only_within_its_window(
    framed: Callable[[str], str], started: Any, kind: str
) -> None:
    browser = started(kind)
    person = Respondent(browser, three()).open(f"{framed('127.0.0.1')}/")
    person.until(lambda: person.run(REMEMBERS) is not None, "a message")
    assert person.run(REMEMBERS) is False
    browser.ask("WebDriver:SwitchToFrame", id=0)
    person.press("Start")
    for number in range(3):
        person.click(f"(//fieldset)[{number + 1}]//label")
    person.press("Disguise")
    browser.ask("WebDriver:SwitchToFrame", id=None)
    value = person.until(lambda: person.run(VALUE), "the line")
    assert answer_string_read(value).version == version_mark(frame_digest(definition_parse(three())))
    # While the window is open, its storage for this host keeps the line.
    person.go("Refresh")
    assert person.until(lambda: person.run(VALUE), "the line") == value
    # Another window has separate storage, and draws again.
    other = Respondent(started(kind), three()).open(person.run("return location.href"))
    other.until(lambda: other.run(REMEMBERS) is not None, "a message")
    assert other.run(VALUE) == ""
