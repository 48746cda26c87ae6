"""Take the documentation's pictures from a running Sottovoce.

Run ./run in one terminal, then in another:

    .venv/bin/python manage.py demo --experiment --wait
    .venv/bin/python docs/take_pictures.py --address http://localhost:8000

It needs Chromium (Debian: apt-get install chromium) and the demonstration's log-in in SOTTOVOCE_HOME (var/
unless named). What the pictures show beside the demonstration is made in the browser: a survey by invitation,
a verdict. What is there already is kept.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
DESKTOP = {"width": 1120, "height": 860}
PHONE = {"width": 390, "height": 844}
PATIENCE = 180_000
SLUG = "speaking-up"
WRITTEN = {"en": "An example, for pictures.", "zh-hans": "示例，仅供截图。"}


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
        page = logged_in(chromium, address)
        respondent(chromium, address)
        reviewer(page, f"{address}/en/staff")
        administrator(page, f"{address}/en/staff")
        survey_tool(page, f"{address}/en/staff")
        experiment(page, f"{address}/en/staff")
        researcher(page, f"{address}/en/staff")
        chromium.close()


def logged_in(chromium: Any, address: str) -> Any:
    """Return a page of an administrator."""
    home = Path(os.environ.get("SOTTOVOCE_HOME", ROOT / "var"))
    context = chromium.new_context(viewport=DESKTOP, color_scheme="light", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{address}/en/staff/log-in/")
    page.fill("input[name=username]", "demo")
    page.fill("input[name=password]", (home / "demo-log-in").read_text(encoding="ascii"))
    page.click("main button[type=submit]")
    page.wait_for_load_state()
    page.goto(f"{address}/en/staff/account/")
    if page.get_by_role("button", name="Switch to expert view").count():
        page.get_by_role("button", name="Switch to expert view").click()
        page.get_by_text("You now see the expert view.").wait_for()
    return page


def picture(page: Any, name: str, *, height: int = DESKTOP["height"], top: int = 0) -> None:
    """Keep the page's upper part, or a strip of it from `top` on, never more than there is."""
    there = page.evaluate("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": top, "width": DESKTOP["width"], "height": min(height, there - top)}
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True, clip=clip)


def strip(page: Any, part: Any, name: str) -> None:
    """Keep a part of the page, in the page's width."""
    box = part.bounding_box()
    picture(page, name, top=int(page.evaluate("scrollY") + box["y"]) - 16, height=int(box["height"]) + 32)


def researcher(page: Any, staff: str) -> None:
    """From the template to the printed codes."""
    if page.goto(f"{staff}/surveys/{SLUG}/").status == 404:
        page.goto(f"{staff}/surveys/new")
        page.get_by_text("Languages and address").click()
        page.get_by_label("Address").fill(SLUG)
        page.get_by_role("button", name=re.compile("Speaking up at work")).click()
        page.get_by_role("button", name="Save the plan").click()
        page.locator("#saving").wait_for()
        page.goto(f"{staff}/surveys/{SLUG}/publish")
        page.get_by_role("button", name="Make it live").click()
        page.get_by_text("The draft is now for real answers.").wait_for()
        page.goto(f"{staff}/surveys/{SLUG}/build/")
        page.locator(".todo-jump").first.click()
        for area in page.locator("[data-area=editor] textarea").all():
            area.fill(WRITTEN[area.get_attribute("lang") or "en"])
        page.get_by_text(re.compile("No problems left|Nothing stops|Enough for")).first.wait_for()
        page.locator("#saving").get_by_text("Saved").wait_for()
    page.goto(f"{staff}/surveys/{SLUG}/plan")
    picture(page, "plan", height=1300)
    page.goto(f"{staff}/surveys/{SLUG}/publish")
    publish = page.get_by_role("button", name="Publish version 1")
    if publish.count():
        page.get_by_role("radio", name=re.compile("Invited people")).check()
        picture(page, "publish", height=1000)
        if (seen := page.locator("[name=readable]")).count():
            seen.check()
        publish.click()
    page.goto(f"{staff}/surveys/{SLUG}/")
    picture(page, "survey", height=1000)
    page.goto(f"{staff}/surveys/{SLUG}/risk/")
    picture(page, "risk", height=1000)
    page.goto(f"{staff}/releases/")
    picture(page, "publish-records", height=760)
    page.goto(f"{staff}/surveys/{SLUG}/invitations/")
    page.get_by_label("Number of codes").fill("6")
    page.get_by_role("button", name="Create codes").click()
    page.locator(".invitation").first.wait_for()
    picture(page, "invitations", height=1000)
    codes = page.locator(".invitation-code").all_inner_texts()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("link", name="Back to invitations").click()
    page.get_by_label("Codes, one per line").fill("\n".join(codes))
    page.get_by_role("button", name="Withdraw", exact=True).click()
    page.get_by_text("were withdrawn").first.wait_for()


def reviewer(page: Any, staff: str) -> None:
    """The report of the demonstration: rules, one rule, pictures, verdicts, print, and what stands beside."""
    run = f"{staff}/runs/1"
    page.goto(f"{run}/results/")
    picture(page, "report", height=1250)
    page.goto(f"{run}/?text=affair&holds=yes")
    page.locator("#rules").screenshot(path=PICTURES / "rules.png")
    page.locator("table.figures").get_by_role("link", name="unhappy").first.click()
    page.get_by_role("heading", name="Estimated 2×2 table").wait_for()
    picture(page, "rule", height=1000)
    if not page.get_by_text("An example, for pictures.").count():
        page.get_by_role("link", name="Give a verdict").click()
        page.get_by_label("Reason").fill(WRITTEN["en"])
        page.get_by_role("button", name="Accept").click()
        page.get_by_text("Saved: accepted.").wait_for()
    page.goto(f"{run}/report/")
    picture(page, "printed", height=1100)
    for name, height in (("audit", 1000), ("practice", 1000)):
        page.goto(f"{run}/{name}/")
        picture(page, name, height=height)
    page.goto(f"{staff}/surveys/marriage/export-data/")
    picture(page, "export")


def administrator(page: Any, staff: str) -> None:
    """People and the log."""
    page.goto(f"{staff}/people/")
    picture(page, "people", height=600)
    page.goto(f"{staff}/log/")
    picture(page, "log", height=760)


def survey_tool(page: Any, staff: str) -> None:
    """How to put a protected part into another survey tool."""
    page.goto(f"{staff}/your-tool/")
    picture(page, "embed", height=1000)


def experiment(page: Any, staff: str) -> None:
    """The worked example, which `manage.py demo --experiment` makes."""
    page.goto(f"{staff}/surveys/experiment-example/")
    run = str(page.locator("a[href*='/runs/']").first.get_attribute("href")).split("/runs/")[1].split("/")[0]
    page.goto(f"{staff}/runs/{run}/compare/?by=arms/group")
    page.get_by_role("heading", name="Did it help?").wait_for()
    picture(page, "did-it-help", height=1180)


def respondent(chromium: Any, address: str) -> None:
    """What a respondent reads first, the odds, a question, the look before the seal, and what was sent."""
    page = chromium.new_context(viewport=PHONE, color_scheme="light").new_page()
    page.goto(f"{address}/en/s/marriage-practice/")
    root = page.locator("#root")
    taken = False
    on = root.locator(".actions button.button").first
    on.wait_for()
    odds = root.locator("summary", has_text="How sure could anyone be?")
    while not page.get_by_role("button", name="Disguise and send").count():
        if odds.count() and not taken:
            odds.first.click()
            odds.first.evaluate("fold => fold.scrollIntoView()")
            page.screenshot(path=PICTURES / "respondent-odds.png")
            taken = True
        if page.get_by_role("heading", name="Have you had an affair").count():
            page.screenshot(path=PICTURES / "respondent-question.png")
        if root.get_by_role("radio").count():
            root.get_by_role("radio").first.check()
        on.click()
    page.screenshot(path=PICTURES / "respondent-seal.png")
    page.get_by_role("button", name="Disguise and send").click()
    page.get_by_text("Your answers have arrived").first.wait_for()
    page.screenshot(path=PICTURES / "respondent-sent.png")


if __name__ == "__main__":
    main()
