"""A survey in languages that only respondents read: no English word on any screen, room for long words."""

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import BrowserContext, expect

from surveys.models import Version
from tests.e2e.conftest import Published
from tests.e2e.judged import violations
from tests.e2e.survey import TRUTH
from tests.e2e.test_chinese_pages import walk
from tests.fixtures.devices import published
from tests.fixtures.everyday import everyday_definition

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

# What the survey's own texts say: no Latin letter in other scripts, and long words in the Latin script.
OTHER: Final = {
    "ar": "سؤال عن العمل",
    "fa": "پرسشی دربارهٔ کار",
    "hi": "काम के बारे में सवाल",
    "ru": "Вопрос о работе",
    "zh-hant": "關於工作的問題",
}
LATIN_SCRIPT: Final = {
    "de": "Arbeitsunfähigkeitsbescheinigung",
    "es": "Otorrinolaringología",
    "fr": "Anticonstitutionnellement",
    "id": "Pertanggungjawaban",
    "it": "Precipitevolissimevolmente",
    "pl": "Konstantynopolitańczykowianeczka",
    "pt": "Otorrinolaringologista",
    "sw": "Yaliyowakumbatiana",
    "tr": "Çalışamayacaklarından",
}
OWN: Final = OTHER | LATIN_SCRIPT
# Names, and digests in hexadecimal digits.
NAMES: Final = {"Sottovoce", "JavaScript", "https", "Cookie"}
LATIN: Final = re.compile(r"[A-Za-z]{3,}")
# Words that occur in half of the English sentences and in none of another language in the Latin script.
ENGLISH: Final = re.compile(
    r"\b(the|you|your|this|that|of|and|is|are|it|sent|answers?|prefer|disguised)\b",
    re.IGNORECASE,
)
VISIBLE: Final = """
() => {
  for (const folded of document.querySelectorAll("details")) { folded.open = true; }
  const silent = document.querySelectorAll(".languages, .mono, code, .wordmark, .visually-hidden > .mono");
  const hidden = [...silent].map((node) => [node, node.style.display]);
  hidden.forEach(([node]) => { node.style.display = "none"; });
  const named = [...document.querySelectorAll("[aria-label]")];
  const labels = named.map((node) => node.getAttribute("aria-label"));
  const text = [document.body.innerText, ...labels, document.title].join("\\n");
  hidden.forEach(([node, display]) => { node.style.display = display; });
  return text;
}
"""
WIDTH: Final = "document.documentElement.scrollWidth"


def in_languages(document: dict[str, Any]) -> dict[str, Any]:
    """Return a survey whose own texts are in each language, each with a number of its own."""
    number = itertools.count(1)

    def each(value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("en"), str):
            this = next(number)
            return {tag: f"{text} {this}" for tag, text in OWN.items()}
        if isinstance(value, dict):
            return {key: each(inner) for key, inner in value.items()}
        return [each(inner) for inner in value] if isinstance(value, list) else value

    return {**each(document), "languages": [*OWN]}


def english_in(text: str, tag: str) -> Iterator[str]:
    """Yield lines with English words."""
    for line in text.splitlines():
        words = ENGLISH.findall(line) if tag in LATIN_SCRIPT else [*{*LATIN.findall(line)} - NAMES]
        if words and not re.search(r"[0-9a-f]{16}|https?:|localhost|Etc/|Europe/", line):
            yield line


@pytest.fixture
def survey(publish_definition: Callable[..., Published]) -> tuple[Published, Version]:
    document = in_languages(everyday_definition(practice=True))
    version = published(document)
    return publish_definition(document, version), version


@pytest.mark.parametrize(("tag", "width"), [("ar", 360), *((tag, 320) for tag in OWN)])
def test_no_screen_has_an_english_word_or_is_wider_than_the_phone(
    survey: tuple[Published, Version], device: Callable[..., BrowserContext], tag: str, width: int
) -> None:
    here, _version = survey
    page = device(words=TRUTH, viewport={"width": width, "height": 800}, bypass_csp=True).new_page()
    faults: list[tuple[str, str]] = []

    def look(heading: str) -> None:
        faults.extend((heading, line) for line in english_in(page.evaluate(VISIBLE), tag))
        if (widest := page.evaluate(WIDTH)) > width:
            faults.append((heading, f"{widest} px wide"))
        if (found := violations(page)) != "[]":
            faults.append((heading, found))
        expect(page.locator("html")).to_have_attribute("lang", tag)
        expect(page.locator("html")).to_have_attribute("dir", "rtl" if tag in ("ar", "fa") else "ltr")

    walk(page, f"{here.address}{tag}/", look)
    assert faults == []


def test_arabic_begins_at_the_right(
    survey: tuple[Published, Version], device: Callable[..., BrowserContext]
) -> None:
    here, _version = survey
    page = device(viewport={"width": 360, "height": 800}).new_page()
    boxes = {}
    for tag in ("de", "ar"):
        page.goto(f"{here.address}{tag}/")
        mark = page.locator("#root fieldset .choices label").first
        expect(mark).to_be_visible()
        button, name = page.locator("#root .actions button").first, page.locator("header .wordmark")
        page.locator("#root details > summary").first.click()
        dot = page.locator("#root .dots .dot--on").first
        expect(dot).to_be_visible()
        boxes[tag] = [one.bounding_box() for one in (button, name, dot)]
    for left, right in zip(boxes["de"], boxes["ar"], strict=True):
        assert left is not None
        assert right is not None
        assert left["x"] < 40
        assert right["x"] + right["width"] > 320


def test_an_english_word_is_found() -> None:
    assert [*english_in("سؤال Prefer not to say", "ar")]
    assert [*english_in("You can close this page", "de")]
    assert not [*english_in("هذا من Sottovoce", "ar")]
    assert not [*english_in("Sie können diese Seite schließen.", "de")]
