"""Measure the first load of a respondent's page, in Chromium over a slow network on a slow processor.

    python -m benchmarks.first_load [NAME ...] [--latency 400] [--rate 50] [--slowdown 6] [--repeat 3]
        [--languages en zh-hans]

Counts requests, kilobytes sent, kilobytes sent before the page is usable and before question 1 can be
answered, and the seconds until both. A page is usable when the button that starts the survey appears. The
respondent presses it at once, so question 1 waits for all that it needs. Words and taps are those before
question 1; folded text is not read. Each load has a new browser profile, so nothing is cached. Files that
load while respondents read count too. The server is started as ./run does, with collected static files. The
median of all loads is printed, for every shipped survey in its languages; names such as templates/drugs
choose some. In another language, Sottovoce's sentences are in it and the survey's own stay English.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.proxies import free_port
from benchmarks.submissions import ROOT, environment, publish, serve
from tests.fixtures.first_question import QUESTION, Effort, effort_to_question_one

# Names of the shipped surveys, as files below `DEFINITIONS`.
DEFINITIONS = ROOT / "surveys/definitions"
SHIPPED = sorted(str(file.relative_to(DEFINITIONS).with_suffix("")) for file in DEFINITIONS.rglob("*.json"))
SHIPPED_LANGUAGES = ("en", "zh-hans")
# The two whole figures include what loads while question 1 is shown.
ALLOWED = {
    "requests": 17.0,
    "kB": 66.0,
    "kB before": 40.0,
    "kB to question 1": 40.0,
    "seconds": 2.5,
    "seconds to question 1": 5.0,
}
# Notes when the button of the first screen appears, and when the first question does.
USABLE = f"""
new MutationObserver((_, observer) => {{
  if (document.querySelector("#root .actions button")) {{
    window.usableAt ??= performance.now();
  }}
  if (document.querySelector({json.dumps(QUESTION)})) {{
    window.askedAt = performance.now();
    observer.disconnect();
  }}
}}).observe(document, {{ childList: true, subtree: true }});
"""


def first_load(
    browser: Browser, url: str, language: str, *, latency: int, rate: int, slowdown: int
) -> dict[str, float]:
    """Load a page once, and go to question 1.

    Parameters
    ----------
    browser : Browser
    url, language : str
    latency : int
        Milliseconds from a request to the first byte of its response.
    rate : int
        Kilobytes per second.
    slowdown : int
        How many times slower the simulated processor is than this one.
    """
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(USABLE)
    link = context.new_cdp_session(page)
    arrived: list[tuple[float, float]] = []
    started: list[float] = []
    link.on("Network.requestWillBeSent", lambda event: started.append(event["timestamp"]))
    link.on(
        "Network.loadingFinished",
        lambda event: arrived.append((event["timestamp"], event["encodedDataLength"])),
    )
    link.send("Network.enable")
    link.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": latency,
            "downloadThroughput": 1000 * rate,
            "uploadThroughput": 1000 * rate,
        },
    )
    link.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    page.goto(url)
    effort_to_question_one(page, language)
    page.wait_for_load_state("networkidle")
    usable, asked = page.evaluate("[window.usableAt / 1000, window.askedAt / 1000]")
    context.close()

    def before(seconds: float) -> float:
        return sum(size for when, size in arrived if when - started[0] <= seconds) / 1000

    return {
        "requests": len(started),
        "kB": sum(size for _, size in arrived) / 1000,
        "kB before": before(usable),
        "kB to question 1": before(asked),
        "seconds": usable,
        "seconds to question 1": asked,
    }


def chromium() -> str | None:
    """Return the path of an installed Chromium, or None for the one that Playwright installed."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-headless-shell"))), None)


def measure(
    names: list[str], repeat: int, languages: Sequence[str] = SHIPPED_LANGUAGES, **conditions: int
) -> list[dict[str, Any]]:
    """Measure the pages of these shipped surveys in these languages, and return the medians."""
    rows = []
    with (
        sync_playwright() as driver,
        tempfile.TemporaryDirectory(prefix="sottovoce-benchmark-") as home,
    ):
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        slugs = {
            (name, language): name.replace("/", "-")
            + ("" if language in SHIPPED_LANGUAGES else f"-{language}")
            for name, language in itertools.product(names, languages)
        }
        others = {slug: key for key, slug in slugs.items()}
        for slug, (name, language) in others.items():
            publish(home, slug, name, "" if language in SHIPPED_LANGUAGES else language)
        collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
        subprocess.run(collect, cwd=ROOT, env=environment(home), check=True)
        port = free_port()
        server = serve("submission", home, port)
        try:
            for (name, language), slug in slugs.items():
                path = (
                    f"{language}/s/{slug}/" if language in SHIPPED_LANGUAGES else f"en/s/{slug}/{language}/"
                )
                url = f"http://localhost:{port}/{path}"
                # The first load only counts words: in it, a new server joins the program.
                effort = _effort(browser, url, language)
                turns = [first_load(browser, url, language, **conditions) for _ in range(repeat)]
                medians = {key: statistics.median(turn[key] for turn in turns) for key in ALLOWED}
                rows.append({"survey": name, "language": language, **medians, **effort._asdict()})
        finally:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
        browser.close()
    return rows


def _effort(browser: Browser, url: str, language: str) -> Effort:
    page = browser.new_page()
    page.goto(url)
    effort = effort_to_question_one(page, language)
    page.close()
    return effort


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", default=SHIPPED, help="shipped surveys; by default all"
    )
    parser.add_argument("--latency", type=int, default=400, help="milliseconds")
    parser.add_argument("--rate", type=int, default=50, help="kilobytes a second")
    parser.add_argument("--slowdown", type=int, default=6, help="of the processor")
    parser.add_argument("--repeat", type=int, default=3, help="turns")
    parser.add_argument("--languages", nargs="+", default=SHIPPED_LANGUAGES, metavar="LANGUAGE")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    conditions = {name: getattr(arguments, name) for name in ("latency", "rate", "slowdown")}
    rows = measure(arguments.names, arguments.repeat, arguments.languages, **conditions)
    if arguments.json:
        print(json.dumps({**conditions, "repeat": arguments.repeat, "allowed": ALLOWED, "rows": rows}))
        return
    for row in rows:
        print(
            f"{row['survey']:22} {row['language']:8} {row['words']:3} words {row['taps']} taps  "
            f"{row['requests']:3.0f} requests  {row['kB']:5.1f} kB, "
            f"{row['kB before']:5.1f} before it can be used, after {row['seconds']:.2f} s, "
            f"{row['kB to question 1']:5.1f} before question 1, after {row['seconds to question 1']:.2f} s"
        )


if __name__ == "__main__":
    main()
