"""Measure the first load of a respondent's page, in Chromium over a slow network on a slow processor.

    python -m benchmarks.first_load [--latency 400] [--rate 50] [--slowdown 6] [--repeat 3] [--json]

Counts requests, kilobytes sent, kilobytes sent before the page is usable, and the seconds until then. A page
is usable when the button that starts the survey appears. Each load has a new browser profile, so nothing is
cached. Files that load while respondents read the first screen count too. The server is started as ./run
does, with collected static files. The median of all loads is printed, for every shipped survey in its
languages.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.proxies import free_port
from benchmarks.submissions import ROOT, environment, publish, serve

# Shipped surveys (six questions in one block, and every kind of question) and the languages of their pages.
PAGES = (("workplace", "en"), ("workplace", "zh-hans"), ("everyday", "en"), ("everyday", "zh-hans"))
ALLOWED = {"requests": 12.0, "kB": 60.0, "kB before": 40.0, "seconds": 2.5}
# Fires when the button of the first screen appears.
USABLE = """
new MutationObserver((_, observer) => {
  if (document.querySelector("#root .actions button")) {
    window.usableAt = performance.now();
    observer.disconnect();
  }
}).observe(document, { childList: true, subtree: true });
"""


def first_load(browser: Browser, url: str, *, latency: int, rate: int, slowdown: int) -> dict[str, float]:
    """Load a page once.

    Parameters
    ----------
    browser : Browser
    url : str
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
    page.wait_for_function("() => window.usableAt")
    page.wait_for_load_state("networkidle")
    usable = page.evaluate("window.usableAt / 1000")
    context.close()
    return {
        "requests": len(started),
        "kB": sum(size for _, size in arrived) / 1000,
        "kB before": sum(size for when, size in arrived if when - started[0] <= usable) / 1000,
        "seconds": usable,
    }


def _chromium() -> str | None:
    """Return the path of an installed Chromium, or None for the one that Playwright installed."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-headless-shell"))), None)


def measure(repeat: int, **conditions: int) -> list[dict[str, Any]]:
    """Measure all pages and return the medians."""
    rows = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=_chromium(), args=["--no-sandbox"])
        for shipped, language in PAGES:
            with tempfile.TemporaryDirectory(prefix="sottovoce-benchmark-") as home:
                publish(home, shipped, shipped)
                collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
                subprocess.run(collect, cwd=ROOT, env=environment(home), check=True)
                port = free_port()
                server = serve("submission", home, port)
                url = f"http://localhost:{port}/{language}/s/{shipped}/"
                try:
                    # Drop the first load, in which a new server compiles its templates and joins the program.
                    turns = [first_load(browser, url, **conditions) for _ in range(repeat + 1)][1:]
                finally:
                    os.killpg(server.pid, signal.SIGKILL)
                    server.wait()
            medians = {name: statistics.median(turn[name] for turn in turns) for name in ALLOWED}
            rows.append({"survey": shipped, "language": language, **medians})
        browser.close()
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--latency", type=int, default=400, help="milliseconds")
    parser.add_argument("--rate", type=int, default=50, help="kilobytes a second")
    parser.add_argument("--slowdown", type=int, default=6, help="of the processor")
    parser.add_argument("--repeat", type=int, default=3, help="turns")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    conditions = {name: getattr(arguments, name) for name in ("latency", "rate", "slowdown")}
    rows = measure(arguments.repeat, **conditions)
    if arguments.json:
        print(json.dumps({**conditions, "repeat": arguments.repeat, "allowed": ALLOWED, "rows": rows}))
        return
    for row in rows:
        print(
            f"{row['survey']:10} {row['language']:8} {row['requests']:3.0f} requests  {row['kB']:5.1f} kB, "
            f"{row['kB before']:5.1f} before it can be used, after {row['seconds']:.2f} s"
        )


if __name__ == "__main__":
    main()
