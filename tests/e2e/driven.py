"""A simulated respondent in any browser that accepts WebDriver commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import pytest
from django.utils.translation import gettext, override

from tests.conftest import wait_until
from tests.e2e.visit import REVIEW, labels_of

PATIENCE = 60.0
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
SENT = "Thank you. Your answers have arrived. You can close this page."
IN_PAGE_BEFORE = (
    "This window cannot store anything on this device. If you close or reload this page before your answers "
    "have arrived, they are lost."
)
SCREEN = """
const heading = document.querySelector("#root h2")?.innerText ?? "";
return [heading, document.querySelector(".matrix") !== null];
"""
ROWS = """
return [...document.querySelectorAll(".matrix h3")].map((heading) => heading.innerText.trim());
"""
# Coins are fills of 32-bit words; names of controls and keys are filled as bytes. In Firefox, a driver
# script's changes are invisible to the page unless it exports them.
ONLY_TRUTH = """
const page = window.wrappedJSObject ?? window;
const real = page.Crypto.prototype.getRandomValues;
const told = function (array) {
  return array instanceof page.Uint32Array ? array.fill(0) : real.call(page.crypto, array);
};
page.Crypto.prototype.getRandomValues = window.wrappedJSObject ? exportFunction(told, page) : told;
"""


class Browser(Protocol):
    """A browser with a connection for WebDriver commands."""

    def ask(self, command: str, **parameters: Any) -> Any:
        """Send a command and return the response."""
        ...


class Respondent:
    """A respondent who reads a survey's page in a language and answers it.

    Parameters
    ----------
    browser : Browser
    definition : dict
        The published definition.
    language : str
    """

    def __init__(self, browser: Browser, definition: Mapping[str, Any], language: str = "en") -> None:
        self.browser = browser
        self.language = language
        self.asked = {
            question["text"][language]: (block["key"], question)
            for block in definition["blocks"]
            for question in block["questions"]
        }

    def open(self, address: str) -> Respondent:
        self.browser.ask("WebDriver:Navigate", url=address)
        return self

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page and return its result."""
        return self.browser.ask("WebDriver:ExecuteScript", script=script, args=list(arguments))["value"]

    def go(self, way: str) -> None:
        """Press the browser's Back, Forward or Refresh."""
        self.browser.ask(f"WebDriver:{way}")

    def word(self, text: str) -> str:
        """Return one of Sottovoce's texts in the language of the page."""
        with override(self.language):
            return gettext(text)

    @property
    def heading(self) -> str:
        return str(self.screen[0])

    @property
    def screen(self) -> list[Any]:
        """The heading, and whether there is a table, since the screen before a table has the same heading."""
        return list(self.run(SCREEN))

    @property
    def text(self) -> str:
        return str(self.run("return document.body.innerText"))

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        """Return the first true value of a condition; on a timeout, fail and show the page's text."""
        try:
            return wait_until(condition, what=what, seconds=PATIENCE)
        except pytest.fail.Exception as failed:
            pytest.fail(f"{failed.msg}; the page says: {self.text}")

    def at(self, heading: str) -> Respondent:
        """Wait for a screen."""
        self.until(lambda: self.heading == self.word(heading), f"the screen {heading}")
        return self

    def reads(self, text: str) -> Respondent:
        """Wait until a text appears on the page."""
        self.until(lambda: self.word(text) in self.text, f"the text {text}")
        return self

    def find(self, path: str) -> str:
        """Return the element for an XPath once it exists."""

        def found() -> Any:
            return self.browser.ask("WebDriver:FindElements", using="xpath", value=path)

        elements = self.until(found, path)
        return str(elements[0][ELEMENT])

    def click(self, path: str) -> None:
        self.browser.ask("WebDriver:ElementClick", id=self.find(path))

    def type(self, path: str, text: str) -> None:
        """Type into a field; for a month field, type month and year separately."""
        if self.run("return arguments[0].type", {ELEMENT: self.find(path)}) == "month":
            year, month = text.split("-")
            text = f"{month}\t{year}"
        self.browser.ask("WebDriver:ElementSendKeys", id=self.find(path), text=text)

    def press(self, name: str) -> None:
        """Press a button by its English name."""
        self.click(self.button(name))

    def button(self, name: str) -> str:
        """Return the XPath of a button by its English name."""
        return f"//*[@id='root']//button[not(@disabled)][normalize-space()={quoted(self.word(name))}]"

    def go_on(self) -> None:
        self.click("//*[@id='root']//*[contains(@class, 'actions')]//button[contains(@class, 'button')]")

    def tick(self, text: str, within: str = "") -> None:
        """Choose a control by its label."""
        self.click(f"//*[@id='root']{within}//label[normalize-space()={quoted(text)}]")

    def answer(self, question: Mapping[str, Any], value: Any, within: str = "") -> None:
        """Answer a question by its labels, by its buttons in order, or by typed text."""
        if isinstance(value, (str, tuple)):
            for place, text in enumerate([value] if isinstance(value, str) else value, 1):
                self.type(f"(//*[@id='root']//input[not(@type='range')])[{place}]", text)
        else:
            for label in labels_of(question, value, self.language):
                self.tick(label if question["kind"] != "yes_no" else self.word(label), within)

    def start(self) -> list[Any]:
        """Press Start, twice if a note appears that has to be read first; return the first screen."""
        button = self.find(self.button("Start"))
        first, note = self.screen, self.word(IN_PAGE_BEFORE)
        is_read = note in self.text
        self.browser.ask("WebDriver:ElementClick", id=button)
        if not is_read:
            self.until(lambda: self.screen != first or note in self.text, "the next screen or a note")
            if self.screen == first:
                self.press("Start")
        return first

    def walk(self, answers: Mapping[str, Any], *, until: str = REVIEW) -> set[str]:
        """Start, answer and continue up to a screen; return the names of all controls.

        Parameters
        ----------
        answers : mapping
            By block and question; a typed answer is one text, or one for each field.
        until : str
            English heading of the screen to stop at, or text of a question.
        """
        # The first screen stays until the questions' scripts have arrived.
        last = self.start()
        names: set[str] = set()
        for _ in range(60):
            last = self.until(
                lambda before=last: self.screen not in (before, ["", False]) and self.screen,
                "the next screen",
            )
            heading, is_table = last
            if heading in (until, self.word(until)):
                return names
            names.update(self.run("return [...document.querySelectorAll('input')].map(({ name }) => name)"))
            if heading in self.asked:
                key, question = self.asked[heading]
                self.answer(question, answers[key][question["key"]])
            elif is_table:
                for text in self.run(ROWS):
                    key, question = self.asked[text]
                    row = f"//fieldset[.//h3[normalize-space()={quoted(text)}]]"
                    self.answer(question, answers[key][question["key"]], row)
            self.go_on()
        raise AssertionError(f"{until!r} does not come after {last!r}")

    def sent(self) -> Respondent:
        """Disguise and send, and wait until the server has the answers."""
        self.press("Disguise and send")
        return self.at(SENT)


def quoted(text: str) -> str:
    """Return a text as an XPath string, which cannot contain both kinds of quotation marks.

    Examples
    --------
    >>> quoted("Don't"), quoted("Yes")
    ('"Don\\'t"', "'Yes'")
    """
    return f'"{text}"' if "'" in text else f"'{text}'"
