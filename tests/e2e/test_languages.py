"""A survey in languages that only respondents read: no English word on any screen, room for long words."""

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import BrowserContext, Frame, Page, expect

from surveys.questionnaire.languages import direction_of
from tests.e2e.conftest import Published
from tests.e2e.judged import violations
from tests.e2e.survey import TRUTH
from tests.e2e.test_chinese_pages import walk
from tests.fixtures.everyday import everyday_definition
from tests.fixtures.language_signs import sign_faults

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
# Names, also of what a browser can lack.
NAMES: Final = {"Sottovoce", "JavaScript", "https", "Cookie", "crypto", "subtle"}
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
# Elements with a text of their own whose language or direction is another one.
OTHERWISE: Final = """
([tag, direction]) => [...document.querySelectorAll("body *")]
  .filter((node) => [...node.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim()))
  .filter((node) => !node.closest(".languages, .wordmark, code, .mono, script, style"))
  .map((node) => [node.closest("[lang]")?.lang, getComputedStyle(node).direction, node.textContent.trim()])
  .filter(([lang, dir]) => lang !== tag || dir !== direction)
"""
WIDTH: Final = "document.documentElement.scrollWidth"


def in_languages(document: dict[str, Any], *tags: str) -> dict[str, Any]:
    """Return a survey whose own texts are in these languages (else in all), each with a number of its own."""
    tags = tags or tuple(OWN)
    number = itertools.count(1)

    def each(value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("en"), str):
            this = next(number)
            return {tag: f"{OWN[tag]} {this}" for tag in tags}
        if isinstance(value, dict):
            return {key: each(inner) for key, inner in value.items()}
        return [each(inner) for inner in value] if isinstance(value, list) else value

    return {**each(document), "languages": [*tags]}


def english_in(text: str, tag: str) -> Iterator[str]:
    """Yield lines with English words."""
    for line in text.splitlines():
        words = ENGLISH.findall(line) if tag in LATIN_SCRIPT else [*{*LATIN.findall(line)} - NAMES]
        if words and not re.search(r"[0-9a-f]{16}|https?:|localhost|Etc/|Europe/", line):
            yield line


def faults_of(page: Page | Frame, tag: str, widths: tuple[int, ...] = (320, 360)) -> Iterator[str]:
    """Yield what a respondent in one language would notice on the screen.

    That is an English word, a sign or blank of another language, an element in another language or direction,
    a screen wider than the phone, and what axe finds.
    """
    text = page.evaluate(VISIBLE)
    yield from english_in(text, tag)
    yield from sign_faults(text, tag)
    yield from map(str, page.evaluate(OTHERWISE, [tag, direction_of(tag)]))
    window = page.page if isinstance(page, Frame) else page
    for width in widths:
        window.set_viewport_size({"width": width, "height": 800})
        if (widest := page.evaluate(WIDTH)) > width:
            yield f"{widest} px wide at {width} px"
    if (found := violations(page)) != "[]":
        yield found


@pytest.fixture
def survey(publish_definition: Callable[..., Published]) -> Published:
    document = in_languages(everyday_definition(practice=True))
    return publish_definition(document)


@pytest.mark.parametrize("tag", OWN)
def test_no_screen_has_an_english_word_or_is_wider_than_the_phone(
    survey: Published, device: Callable[..., BrowserContext], tag: str
) -> None:
    page = device(words=TRUTH, viewport={"width": 320, "height": 800}, bypass_csp=True).new_page()
    faults: list[tuple[str, str]] = []
    walk(
        page,
        f"{survey.address}{tag}/",
        lambda heading: faults.extend((heading, fault) for fault in faults_of(page, tag)),
    )
    assert faults == []


def test_arabic_begins_at_the_right(survey: Published, device: Callable[..., BrowserContext]) -> None:
    page = device(viewport={"width": 360, "height": 800}).new_page()
    boxes = {}
    for tag in ("de", "ar"):
        page.goto(f"{survey.address}{tag}/")
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
