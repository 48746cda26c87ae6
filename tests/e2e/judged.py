"""Requirements for every page: axe finds no violations, and nothing is wider than the window."""

import json
from pathlib import Path
from typing import Literal, get_args

from playwright.sync_api import Frame, Page

from tests.conftest import ROOT

Scheme = Literal["light", "dark"]

AXE = Path(ROOT, "node_modules/axe-core/axe.min.js")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

SMALL_TARGETS = """
() => [...document.querySelectorAll("#root button, #root label, #root summary, #root a")]
  .map((target) => [target.textContent, target.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 24))
  .map(([text]) => text)
"""

OUT_OF_SIGHT = """
() => [...document.querySelectorAll("main button")]
  .map((button) => [button.textContent.trim(), button.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.left < 0 || box.right > document.documentElement.clientWidth))
  .map(([name]) => name)
"""

# Only the page itself has axe, so it need not wait for frames. A bar that stays at the edge of the window
# covers targets only until the page is scrolled, so sizes are judged without it.
JUDGED = """
async (tags) => {
  const stays = [...document.querySelectorAll("main *")]
    .filter((node) => getComputedStyle(node).position === "sticky");
  stays.forEach((node) => node.style.setProperty("position", "static", "important"));
  const rules = { "target-size": { enabled: true } };
  const options = { runOnly: tags, rules, resultTypes: ["violations"], iframes: false, selectors: false };
  const { passes, violations } = await axe.run(options);
  stays.forEach((node) => node.style.removeProperty("position"));
  return [passes.length, violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])];
}
"""


def violations(page: Page | Frame) -> str:
    """Return axe's findings on a page, once it is loaded."""
    page.wait_for_load_state()
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8") + "; undefined")
    passed, found = page.evaluate(JUDGED, TAGS)
    assert passed
    return json.dumps(found, indent=1)


def violations_light_and_dark(page: Page) -> dict[Scheme, str]:
    """Return axe's findings in each colour scheme, with transitions disabled.

    During a transition, axe would see intermediate colours.
    """
    found = {}
    for scheme in get_args(Scheme):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        said = violations(page)
        if said != "[]":
            found[scheme] = said
    return found


def buttons_out_of_sight(page: Page) -> list[str]:
    """Return the names of buttons beyond the window's edge, such as in a scrolled table."""
    page.wait_for_load_state()
    names: list[str] = page.evaluate(OUT_OF_SIGHT)
    return names


def width_of(page: Page) -> int:
    """Return the width of a page's content in pixels, once it is loaded."""
    page.wait_for_load_state()
    width: int = page.evaluate("document.scrollingElement.scrollWidth")
    return width
