"""Time honest submissions during an attack: how much an attacker can slow down other users.

    python -m benchmarks.floods [--front run nginx caddy] [--attack half-sent ...] [--seconds 10] [--json]

Starts the web server as ./run does, alone or behind nginx or Caddy with the documented configuration, on
loopback only. Sends submissions at a steady rate, first without and then during an attack. The best of three
measurements counts. Attackers run in their own process and share the processor with everything else. The
attacks:

half-sent    500 connections that announce a body, send one byte of it and wait
half-heads   500 connections that send half a head and wait
unread       500 connections that ask for the largest static file and read nothing
answers      200 connections from one network that send answers, eight at a time, as fast as they are answered
log-ins      16 addresses that each send wrong passwords on 4 connections, as fast as they are answered
hosts        4 connections that ask for another Host, as fast as they are answered
checks       8 connections of a staff member that each ask the builder to check its largest draft
uploads      4 connections of a staff member that each upload a large file to the page for tools' files:
             CSV of 1,000,000 lines, and Parquet that unpacks to more than is allowed
staff        6 connections of a staff member that repeatedly paste 45 kB of blanks into *New survey*,
             and 8 that upload as above; respondents also read the survey's documents, and the
             slowest of their requests is reported with the machine's load
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import json
import os
import re
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.proxies import COMMANDS, NAME, connected, free_port, wait_for
from benchmarks.submissions import ROOT, environment, publish, request, sweeping
from tests.attack.held import Held, half_body

ATTACKS = ("half-sent", "half-heads", "unread", "answers", "log-ins", "hosts", "checks", "uploads", "staff")
CONTENT_TYPE = "application/vnd.sotto.submission+json"
PER_SECOND = 20
PASSWORD = "violet harbour lamp seven"
LOG_IN = "/en/staff/log-in/"
UPLOADED = "uploaded"
FROM_TEXT = "/en/staff/surveys/new"
PASTED = "pasted"
TOOLS_FILE = "/en/staff/surveys/new/answers"


class Link(http.client.HTTPConnection):
    """A connection to the front server, optionally over HTTPS, from one of this machine's addresses."""

    def __init__(self, port: int, *, https: bool, source: str = "127.0.0.1") -> None:
        super().__init__("127.0.0.1", port, timeout=60)
        self.https = https
        self._source = source

    def connect(self) -> None:
        """Connect."""
        self.sock = connected(self.port, https=self.https, source=self._source)

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, bytes, Any]:
        """Send a request; return the status, body and headers of the response."""
        self.request(
            method, path, body, {"Host": NAME, **{k.replace("_", "-"): v for k, v in headers.items()}}
        )
        response = self.getresponse()
        return response.status, response.read(), response.headers


def log_in(link: Link, name: str, password: str) -> tuple[int, str]:
    """Log in through the page; return the status (302 on success) and the cookies."""
    _status, page, headers = link.ask("GET", LOG_IN)
    cookie = headers["Set-Cookie"].partition(";")[0]
    token = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token is not None
    status, _page, headers = send_log_in(link, token.group(1).decode(), cookie, name, password)
    return status, "; ".join(
        [cookie, *(text.partition(";")[0] for text in headers.get_all("Set-Cookie", []))]
    )


def send_log_in(link: Link, token: str, cookie: str, name: str, password: str) -> tuple[int, bytes, Any]:
    """Send the form of the log-in page."""
    body = f"csrfmiddlewaretoken={token}&username={name}&password={password.replace(' ', '+')}".encode()
    kind = "application/x-www-form-urlencoded"
    origin = f"https://{NAME}/" if link.https else f"http://{NAME}/"
    return link.ask("POST", LOG_IN, body, Content_Type=kind, Cookie=cookie, Referer=origin)


# Attacks. Each runs in its own process until it is killed.


def hold(port: int, https: bool, first: bytes) -> None:
    """Keep 500 connections open that have sent `first`, replacing those that are closed."""
    held = Held(lambda: connected(port, https=https, timeout=30), first, count=500)
    while True:
        with contextlib.suppress(OSError):
            held.refill()
            time.sleep(0.5)


def run_threads(count: int, work: Any) -> None:
    """Call `work` repeatedly in `count` threads, with the number of the thread."""

    def repeat(number: int) -> None:
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException, AssertionError, TypeError):
                work(number)

    threads = [threading.Thread(target=repeat, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()


def pipeline(port: int, https: bool, slug: str, design_id: str, number: int) -> None:
    """Repeatedly send eight answers on one connection without waiting for the first response."""
    source = f"127.0.3.{1 + number % 200}"
    with contextlib.closing(connected(port, https=https, source=source, timeout=30)) as link:
        while True:
            for _ in range(8):
                body = request(slug, design_id)
                link.sendall(
                    f"POST /api/submissions HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: {CONTENT_TYPE}\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n".encode()
                    + body
                )
            answered = 0
            while answered < 8:
                piece = link.recv(65_536)
                if not piece:
                    return
                answered += piece.count(b"HTTP/1.1 ")


def staff_session(port: int, https: bool) -> tuple[str, str]:
    """Log in as a staff member; return the cookies and the CSRF token."""
    cookies = log_in(Link(port, https=https), "honest", PASSWORD)[1]
    return cookies, re.findall(r"csrftoken=([^;]+)", cookies)[-1]


def large_files() -> list[tuple[str, bytes]]:
    """Return a CSV file of the largest allowed size, and a small Parquet file that unpacks to even more."""
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({"answer": pyarrow.array(["no"] * 5_000_000).dictionary_encode()})
    packed = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, packed)
    return [
        ("study.csv", b"answer\n" + b"yes\nno\n" * 500_000),
        ("study.parquet", packed.getvalue().to_pybytes()),
    ]


def uploader(port: int, https: bool) -> Any:
    """Return a function that uploads a large file to the page for other tools' files."""
    cookies, token = staff_session(port, https)
    boundary = secrets.token_hex(16)
    fields = {"csrfmiddlewaretoken": token}
    head = b"".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    )
    bodies = [
        head
        + f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        + content
        + f"\r\n--{boundary}--\r\n".encode()
        for name, content in large_files()
    ]
    origin = f"https://{NAME}/" if https else f"http://{NAME}/"
    kind = f"multipart/form-data; boundary={boundary}"

    def upload(number: int) -> None:
        with contextlib.closing(Link(port, https=https)) as link:
            for turn in itertools.count(number):
                body = bodies[turn % len(bodies)]
                status, page, _headers = link.ask(
                    "POST", TOOLS_FILE, body, Content_Type=kind, Cookie=cookies, Referer=origin
                )
                # A redirect, for example after the session expired, means that nothing was uploaded.
                assert status in {200, 422}, (status, page[:200])
                print(UPLOADED, status, len(body), flush=True)

    return upload


def paster(port: int, https: bool) -> Any:
    """Return a function that pastes a question with 45 kB of blanks into *New survey*."""
    cookies, token = staff_session(port, https)
    pasted = "Title\n1. Which of these" + " " * 45_000 + "applies?\n- a\n- b"
    body = urlencode({"csrfmiddlewaretoken": token, "pasted": pasted, "part": "1"}).encode()
    origin = f"https://{NAME}/" if https else f"http://{NAME}/"
    kind = "application/x-www-form-urlencoded"

    def paste(_number: int) -> None:
        with contextlib.closing(Link(port, https=https)) as link:
            while True:
                status, page, _headers = link.ask(
                    "POST", FROM_TEXT, body, Content_Type=kind, Cookie=cookies, Referer=origin
                )
                assert status == 200, (status, page[:200])
                print(PASTED, flush=True)

    return paste


def attack(kind: str, port: int, https: bool, largest: str, survey: str) -> None:
    """Attack until killed."""
    half = half_body(NAME, path="api/submissions", content_type=CONTENT_TYPE)
    if kind == "half-sent":
        hold(port, https, half)
    elif kind == "half-heads":
        hold(port, https, half[:60])
    elif kind == "unread":
        hold(port, https, f"GET {largest} HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode() * 20)
    elif kind == "answers":
        slug, _, design_id = survey.partition("/")
        run_threads(200, lambda number: pipeline(port, https, slug, design_id, number))
    elif kind == "log-ins":

        def guess(number: int) -> None:
            with contextlib.closing(Link(port, https=https, source=f"127.0.1.{1 + number % 16}")) as link:
                _status, page, headers = link.ask("GET", LOG_IN)
                cookie = headers["Set-Cookie"].partition(";")[0]
                token = page.partition(b'name="csrfmiddlewaretoken" value="')[2].partition(b'"')[0].decode()
                while True:
                    send_log_in(link, token, cookie, f"nobody-{secrets.token_hex(4)}", "wrong")

        run_threads(64, guess)
    elif kind == "hosts":

        def misname(_number: int) -> None:
            with contextlib.closing(Link(port, https=https)) as link:
                while True:
                    link.request("GET", "/en/", headers={"Host": "evil.example"})
                    link.getresponse().read()

        run_threads(4, misname)
    elif kind == "uploads":
        run_threads(4, uploader(port, https))
    elif kind == "staff":
        paste, upload = paster(port, https), uploader(port, https)
        run_threads(14, lambda number: paste(number) if number < 6 else upload(number))
    else:
        cookies, token = staff_session(port, https)
        body = json.dumps({"document": largest_draft()}).encode()
        headers = {"Content_Type": "application/json", "Cookie": cookies, "X_CSRFToken": token}
        origin = f"https://{NAME}/" if https else f"http://{NAME}/"

        def check(_number: int) -> None:
            with contextlib.closing(Link(port, https=https)) as link:
                while True:
                    link.ask(
                        *("POST", "/en/staff/surveys/flood-draft/build/check", body),
                        **headers,
                        Referer=origin,
                    )

        run_threads(8, check)


# Honest users.


def honest(
    port: int, https: bool, slug: str, design_id: str, seconds: float, *, reads: bool = False
) -> tuple[list[float], int]:
    """Send submissions at a steady rate, each on a new connection; return the seconds of each, and failures.

    With `reads`, every other request is for the survey's documents instead.
    """
    taken: list[float] = []
    failed: list[int] = []

    def one(number: int) -> None:
        asked: tuple[str, str, bytes | None] = ("POST", "/api/submissions", request(slug, design_id))
        if reads and number % 2:
            asked = ("GET", f"/client/surveys/{slug}", None)
        start = time.perf_counter()
        try:
            with contextlib.closing(Link(port, https=https, source="127.0.2.1")) as link:
                status, _body, _headers = link.ask(*asked, Content_Type=CONTENT_TYPE)
            failed.extend([status] * (status != 200))
        except (OSError, http.client.HTTPException):
            failed.append(0)
        taken.append(time.perf_counter() - start)

    threads = []
    begun = time.perf_counter()
    for number in range(round(seconds * PER_SECOND)):
        time.sleep(max(0.0, number / PER_SECOND - (time.perf_counter() - begun)))
        threads.append(threading.Thread(target=one, args=(number,)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    return taken, len(failed)


def honest_log_in(port: int, https: bool) -> float:
    """Log in from an unknown device, retrying until it succeeds; return the seconds needed."""
    start = time.perf_counter()
    while time.perf_counter() - start < 60:
        with contextlib.suppress(OSError, http.client.HTTPException, TypeError, AssertionError):
            status, _cookies = log_in(Link(port, https=https, source="127.0.2.2"), "honest", PASSWORD)
            if status == 302:
                return time.perf_counter() - start
        time.sleep(0.5)
    return float("inf")


def health(port: int) -> float:
    """Return the duration of the health check, requested on the same machine."""
    start = time.perf_counter()
    with contextlib.closing(Link(port, https=False)) as link:
        link.ask("GET", "/ready")
    return time.perf_counter() - start


def p99(taken: list[float]) -> float:
    """Return the 99th percentile in milliseconds."""
    return 1000 * statistics.quantiles(taken, n=100, method="inclusive")[98]


@contextlib.contextmanager
def running(command: list[str], variables: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program in a new process group, and kill the group afterwards."""
    with log.open("ab") as file:
        process = subprocess.Popen(
            command, cwd=ROOT, env=variables, start_new_session=True, stdout=file, stderr=file
        )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


# Creates the staff member and their data once.
SETUP = """
import sys
import django
django.setup()
from django.contrib.auth.models import User
from django.utils import timezone
from benchmarks.floods import largest_draft
from surveys.authoring.drafts import draft_create
User.objects.create_user("honest", password=sys.argv[1], is_staff=True, is_superuser=True)
draft_create(largest_draft(), slug="flood-draft", by="honest", now=timezone.now(), source="file")
"""


def largest_draft() -> dict[str, Any]:
    """Return a draft of 60 protected blocks, each with five multi-select questions of twelve options."""
    shipped = ROOT / "surveys/definitions/workplace.json"
    draft: dict[str, Any] = json.loads(shipped.read_text(encoding="utf-8"))

    def text(words: str) -> dict[str, str]:
        return dict.fromkeys(draft["title"], words)

    def question(key: str) -> dict[str, Any]:
        options = [{"key": f"o{number}", "text": text(f"Answer {number} of {key}")} for number in range(12)]
        shares = {"unrelated": [5000] * 12, "prevalence": [1000] * 12}
        return {"key": key, "kind": "multi", "text": text(f"What of {key}?"), "options": options, **shares}

    def part(number: int) -> dict[str, Any]:
        how = {"protected": True, "truth_probability": 5000, "refusal": 589}
        return {
            "key": f"part{number}",
            "title": text(f"Part {number}"),
            **how,
            "questions": [question(f"q{number}-{asked}") for asked in range(5)],
        }

    return {**draft, "slug": "flood-draft", "blocks": [part(number) for number in range(60)]}


@contextlib.contextmanager
def behind_front(front: str, home: Path, variables: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Run the web server as ./run starts it, behind the server named by `front`; yield the ports of both."""
    from surveys.server.process_commands import web_command

    backend = free_port()
    with contextlib.ExitStack() as stack:
        stack.enter_context(running(web_command("127.0.0.1", backend), variables, home / "web.log"))
        wait_for(backend, https=False)
        port = backend
        if front != "run":
            port = free_port()
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=f"sottovoce-{front}-")))
            command = COMMANDS[front](directory, port=port, backend=backend)
            stack.enter_context(running(command, variables, home / f"{front}.log"))
            wait_for(port, https=True)
        yield port, backend


def measure_attack(front: str, kind: str, place: Place, seconds: float) -> dict[str, Any]:
    """Measure honest users without and during one attack, on a new server."""
    with sweeping(place.variables), behind_front(front, place.home, place.variables) as (port, backend):
        https = front != "run"
        honest(port, https, place.slug, place.design_id, 1.0)
        reads = kind == "staff"
        load_quiet = os.getloadavg()[0]
        quiet, failed = honest(port, https, place.slug, place.design_id, seconds, reads=reads)
        known = ["--port", str(port), "--largest", place.largest]
        known += ["--survey", f"{place.slug}/{place.design_id}", *(["--https"] if https else [])]
        command = [sys.executable, "-m", "benchmarks.floods", "--be", kind, *known]
        log = place.home / "attack.log"
        log.unlink(missing_ok=True)
        with running(command, place.variables, log):
            time.sleep(3)
            beside: dict[str, float] = {}
            watch = threading.Thread(target=lambda: beside.update(health=health(backend)))
            knock = threading.Thread(target=lambda: beside.update(log_in=honest_log_in(port, https)))
            watch.start()
            if kind == "log-ins":
                knock.start()
            loud, failed_too = honest(port, https, place.slug, place.design_id, seconds, reads=reads)
            load = os.getloadavg()[0]
            watch.join()
            if kind == "log-ins":
                knock.join()
    uploaded = log.read_text(encoding="utf-8").count(UPLOADED)
    pasted = log.read_text(encoding="utf-8").count(PASTED)
    # An attack whose requests are refused measures nothing.
    assert kind not in ("uploads", "staff") or uploaded, log.read_text(encoding="utf-8")[-2000:]
    return {
        "uploaded": uploaded,
        "pasted": pasted,
        "quiet_worst_ms": 1000 * max(quiet),
        "worst_ms": 1000 * max(loud),
        "requests": len(loud),
        "load": [load_quiet, load],
        "quiet_p99_ms": p99(quiet),
        "p99_ms": p99(loud),
        "allowed_ms": 2 * p99(quiet) + 100,
        "failed": failed + failed_too,
        "health_s": beside["health"],
        "log_in_s": beside.get("log_in"),
    }


@dataclass(frozen=True, kw_only=True)
class Place:
    """An installation with an open survey, a staff member and a draft."""

    home: Path
    variables: dict[str, str]
    slug: str
    design_id: str
    largest: str


@contextlib.contextmanager
def installation() -> Iterator[Place]:
    """Create a separate installation."""
    with tempfile.TemporaryDirectory(prefix="sottovoce-benchmark-") as home:
        variables = {**environment(home), "ALLOWED_HOSTS": f"{NAME},127.0.0.1,localhost"}
        behind = {"SOTTOVOCE_HTTPS": "1", "CSRF_TRUSTED_ORIGINS": f"https://{NAME}"}
        slug = f"benchmark-{secrets.token_hex(4)}"
        design_id = publish(home, slug)
        arguments = [sys.executable, "-c", SETUP, PASSWORD]
        subprocess.run(arguments, cwd=ROOT, env=variables, check=True)
        collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
        subprocess.run(collect, cwd=ROOT, env=variables, check=True)
        static = Path(home) / "static"
        files = [path for path in static.rglob("*") if path.is_file() and path.suffix in {".js", ".css"}]
        largest = max(files, key=lambda path: path.stat().st_size).relative_to(static)
        yield Place(
            home=Path(home),
            variables={**variables, **behind},
            slug=slug,
            design_id=design_id,
            largest=f"/static/{largest}",
        )


def best(front: str, kind: str, place: Place, seconds: float, times: int) -> dict[str, Any]:
    """Return the measurement that is farthest below its limit; stop early if one is within it."""
    found = []
    for _time in range(times):
        variables = {**place.variables, "SOTTOVOCE_HTTPS": str(int(front != "run"))}
        found.append(measure_attack(front, kind, replace(place, variables=variables), seconds))
        if found[-1]["p99_ms"] <= found[-1]["allowed_ms"]:
            break
    return {"front": front, "attack": kind, **min(found, key=lambda one: one["p99_ms"] - one["allowed_ms"])}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--front", nargs="+", choices=("run", *COMMANDS), default=["run", *COMMANDS])
    parser.add_argument("--attack", nargs="+", choices=ATTACKS, default=list(ATTACKS))
    parser.add_argument("--seconds", type=float, default=10.0, help="of quiet, and of each attack")
    parser.add_argument("--times", type=int, default=3, help="tries, of which the best counts")
    parser.add_argument("--json", action="store_true")
    # Arguments of the attacker's process.
    parser.add_argument("--be", choices=ATTACKS, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--https", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--largest", help=argparse.SUPPRESS)
    parser.add_argument("--survey", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.be:
        attack(arguments.be, arguments.port, arguments.https, arguments.largest, arguments.survey)
        return
    # The code that starts the web server translates its error messages, which needs settings.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    with installation() as place:
        for front in arguments.front:
            for kind in arguments.attack:
                row = best(front, kind, place, arguments.seconds, arguments.times)
                print(json.dumps(row) if arguments.json else line_of(row), flush=True)


def line_of(row: dict[str, Any]) -> str:
    """Return a measurement as one line of text."""
    uploads = f"   {row['uploaded']} uploads" if row["uploaded"] else ""
    if row["attack"] == "staff":
        uploads += (
            f"   {row['pasted']} pastes   worst of {row['requests']}: "
            f"quiet {row['quiet_worst_ms']:.0f} ms at load {row['load'][0]:.1f}, "
            f"attacked {row['worst_ms']:.0f} ms at load {row['load'][1]:.1f}"
        )
    log_in_too = "" if row["log_in_s"] is None else f"   a log-in {row['log_in_s']:.1f} s"
    return (
        f"{row['front']:6} {row['attack']:10}  p99 quiet {row['quiet_p99_ms']:6.0f} ms   attacked "
        f"{row['p99_ms']:6.0f} ms of {row['allowed_ms']:6.0f}   failed {row['failed']}   "
        f"health {row['health_s']:.2f} s{log_in_too}{uploads}"
    )


if __name__ == "__main__":
    main()
