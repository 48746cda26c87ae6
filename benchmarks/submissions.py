"""Compare durable submissions over HTTP with a bare Django view that inserts one row.

    python -m benchmarks.submissions [--n 3000] [--clients 8] [--repeat 3] [--json]

The bare view runs behind the middleware of Sottovoce's pages, and once more behind none. Submissions pass
only the first two layers of that middleware (`surveys.intake.views.SubmissionsFirst`). All run on granian as
./run starts it, and on DATABASE_URL, by default a new SQLite file with durable commits. The clients run in a
separate process and share the processor.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.fixtures.composite_templates import filled_in

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("submission", "bare insert", "no middleware")


def environment(home: str) -> dict[str, str]:
    """Return the environment of all processes, with a separate home and no rate limit."""
    limits = {"SOTTOVOCE_SUBMISSION_RATE": "1000000,1000000"}
    return {**os.environ, "SOTTOVOCE_HOME": home, "DJANGO_SETTINGS_MODULE": "surveys.settings", **limits}


def _relabelled(node: Any, language: str) -> Any:
    """Return a definition whose English texts count as texts in another language, without its other texts."""
    if isinstance(node, list):
        return [
            language if part == "en" else _relabelled(part, language) for part in node if part != "zh-hans"
        ]
    if not isinstance(node, dict):
        return node
    return {
        language if key == "en" else key: _relabelled(part, language)
        for key, part in node.items()
        if key != "zh-hans"
    }


def publish(home: str, slug: str, shipped: str = "marriage", language: str = "") -> str:
    """Create the database and open a shipped survey under this name; return the ID of its design.

    With a language, the English questions count as questions in this language: respondents read Sottovoce's
    own sentences in it.
    """

    def manage(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=environment(home),
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    definition = json.loads((ROOT / f"surveys/definitions/{shipped}.json").read_text(encoding="utf-8"))
    definition = filled_in(definition)
    if language:
        definition = {**_relabelled(definition, language), "languages": [language]}
    file = Path(home) / "survey.json"
    file.write_text(json.dumps({**definition, "slug": slug}), encoding="utf-8")
    manage("migrate", "--verbosity", "0")
    manage("import_survey", str(file))
    design_id: str = json.loads(manage("publish", slug, "--readable-seen", "--json"))["design_id"]
    return design_id


@contextmanager
def sweeping(variables: dict[str, str]) -> Iterator[None]:
    """Run the sweeper, whose mixer vouches for the keys of answers, from its first round on."""
    command = [sys.executable, "manage.py", "sweep"]
    subprocess.run([*command, "--once"], cwd=ROOT, env=variables, check=True, capture_output=True)
    sweeper = subprocess.Popen(command, cwd=ROOT, env=variables)
    try:
        yield
    finally:
        sweeper.kill()
        sweeper.wait()


def request(slug: str, design_id: str) -> bytes:
    """Return a new submission to the survey."""
    members = {
        "survey": slug,
        "key": secrets.token_hex(16),
        "design_id": design_id,
        # A valid body: the open blocks are empty, and the protected blocks are answered "no".
        "body": EMPTY_BODY,
        "nonce": secrets.token_hex(32),
    }
    return json.dumps(members, separators=(",", ":")).encode("ascii")


# Group bit; four absent open questions of 3 bits; affair, unhappy and not-religious, each present with "no".
EMPTY_BODY = int("0" + "000" * 4 + "10" * 3 + "0" * 5, 2).to_bytes(3, "big").hex()


def serve(kind: str, home: str, port: int) -> subprocess.Popen[bytes]:
    """Start the web server and wait until it answers."""
    # Error messages of the imported module are translated, which needs settings.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    from surveys.server.process_commands import web_command

    command = web_command("127.0.0.1", port)
    if kind != "submission":
        command = [*command[:-1], "benchmarks.bare_insert:application"]
    variables = {**environment(home), "BARE_MIDDLEWARE": str(int(kind == "bare insert"))}
    server = subprocess.Popen(command, cwd=ROOT, env=variables, start_new_session=True)
    for _ in range(600):
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return server
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server does not answer")


def load(port: int, requests: list[bytes], clients: int) -> tuple[float, list[float], int]:
    """Send all requests on persistent connections; return total seconds, seconds of each, and failures."""
    latencies: list[float] = []
    failed = 0
    lock = threading.Lock()

    def client(part: list[bytes]) -> None:
        nonlocal failed
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        mine, wrong = [], 0
        for raw in part:
            start = time.perf_counter()
            link.request(
                "POST", "/api/submissions", raw, {"Content-Type": "application/vnd.sotto.submission+json"}
            )
            response = link.getresponse()
            response.read()
            mine.append(time.perf_counter() - start)
            wrong += response.status != 200
        with lock:
            latencies.extend(mine)
            failed += wrong

    threads = [threading.Thread(target=client, args=(requests[first::clients],)) for first in range(clients)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start, latencies, failed


def measure(n: int, clients: int, repeat: int) -> list[dict[str, Any]]:
    """Measure all kinds in turn and return the medians."""
    found: dict[str, list[dict[str, float]]] = {kind: [] for kind in KINDS}
    with ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory(prefix="sottovoce-benchmark-"))
        slug = f"benchmark-{secrets.token_hex(4)}"
        design_id = publish(home, slug)
        stack.enter_context(sweeping(environment(home)))
        for _turn in range(repeat):
            for kind in KINDS:
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", 0))
                    port: int = probe.getsockname()[1]
                server = serve(kind, home, port)
                try:
                    load(port, [request(slug, design_id) for _ in range(50)], clients)
                    seconds, latencies, failed = load(
                        port, [request(slug, design_id) for _ in range(n)], clients
                    )
                finally:
                    os.killpg(server.pid, signal.SIGKILL)
                    server.wait()
                cuts = statistics.quantiles(latencies, n=100)
                found[kind].append(
                    {
                        "per_second": n / seconds,
                        "p50_ms": 1000 * cuts[49],
                        "p99_ms": 1000 * cuts[98],
                        "failed": failed,
                    }
                )
    return [
        {
            "kind": kind,
            **{name: statistics.median(run[name] for run in runs) for name in runs[0] if name != "failed"},
            "failed": sum(run["failed"] for run in runs),
        }
        for kind, runs in found.items()
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=3000, help="requests a turn")
    parser.add_argument("--clients", type=int, default=8, help="connections at once")
    parser.add_argument("--repeat", type=int, default=3, help="turns")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = measure(arguments.n, arguments.clients, arguments.repeat)
    ratio = rows[0]["per_second"] / rows[1]["per_second"]
    if arguments.json:
        print(json.dumps({"n": arguments.n, "clients": arguments.clients, "rows": rows, "ratio": ratio}))
        return
    for row in rows:
        print(
            f"{row['kind']:13}  {row['per_second']:7.0f} a second   p50 {row['p50_ms']:6.1f} ms   "
            f"p99 {row['p99_ms']:6.1f} ms   failed {row['failed']}"
        )
    print(f"{ratio:.2f} times as many submissions as bare inserts behind the middleware of pages")


if __name__ == "__main__":
    main()
