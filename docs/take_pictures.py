"""Take the documentation's pictures from a running Sotto.

Run ./run in one terminal, then in another:

    .venv/bin/python docs/take_pictures.py --address http://localhost:8000

It needs Chromium (./test installs it on Debian) and the demonstration's log-in in SOTTO_HOME (default: var/).
"""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--address", default="http://localhost:8000")
    address = parser.parse_args().address.rstrip("/")
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--force-color-profile=srgb"]
        )
        staff(chromium, address)
        respondent(chromium, address)
        chromium.close()


def staff(chromium: Any, address: str) -> None:
    """The report of the demonstration."""
    home = Path(os.environ.get("SOTTO_HOME", ROOT / "var"))
    page = chromium.new_context(viewport=DESKTOP, color_scheme="light").new_page()
    page.goto(f"{address}/en/staff/log-in/")
    page.fill("input[name=username]", "demo")
    page.fill("input[name=password]", (home / "demo-log-in").read_text(encoding="ascii"))
    page.click("main button[type=submit]")
    page.goto(f"{address}/en/staff/runs/1/")
    page.screenshot(
        path=PICTURES / "report.png", full_page=True, clip={"x": 0, "y": 0, **DESKTOP, "height": 1250}
    )
    reviewer(page, address)


def reviewer(page: Any, address: str) -> None:
    """The rule table with a filter, a rule's own page, and the pictures."""
    page.goto(f"{address}/en/staff/runs/1/?text=affair&holds=yes&redundant=no&lift_above=1")
    page.locator("#rules").screenshot(path=PICTURES / "rules.png")
    page.locator("table.figures").get_by_role("link", name="unhappy").first.click()
    page.get_by_role("heading", name="Reconstructed 2×2 table").wait_for()
    tall = {"x": 0, "y": 0, "width": DESKTOP["width"], "height": 1000}
    page.screenshot(path=PICTURES / "rule.png", full_page=True, clip=tall)
    page.goto(f"{address}/en/staff/runs/1/pictures/?holds=yes")
    matrix, network = (page.locator("section.card").nth(place).bounding_box() for place in (1, 2))
    end = network["y"] + network["height"]
    both = {"x": 0, "y": matrix["y"] - 16, "width": DESKTOP["width"], "height": end - matrix["y"] + 32}
    page.screenshot(path=PICTURES / "rule-pictures.png", full_page=True, clip=both)


def respondent(chromium: Any, address: str) -> None:
    """What a respondent reads first, and the odds."""
    page = chromium.new_context(viewport=PHONE, color_scheme="light").new_page()
    page.goto(f"{address}/en/s/marriage-practice/")
    page.get_by_role("button", name="Continue").wait_for()
    page.screenshot(path=PICTURES / "respondent-first.png")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="How sure could anyone be?").wait_for()
    page.screenshot(path=PICTURES / "respondent-odds.png")


if __name__ == "__main__":
    main()
