"""A simulated respondent in a browser, who reads each screen and answers it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.conftest import wait_until

REVIEW = "Check your answers before you send them"
WHOLE = "All questions"
INTRO = ("Try it: did you have tea this morning?", "Who can see my answers?")
UNDISGUISED = "Nothing is disguised here"
GROUPS = ("How do you want to answer?", "How your answers will be sent")

# Clicks inside the page, because a visit with Playwright's mouse takes four times as long. As with a mouse,
# the target must not be covered.
HAND = """
  const press = (node) => {
    node.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = node.getBoundingClientRect();
    if (!node.contains(document.elementFromPoint(left + width / 2, top + height / 2))) {
      throw new Error(`${node.innerText} is hidden or covered`);
    }
    node.click();
  };
  const check = (label) => {
    if (!label.control.checked) { press(label); }
    if (!label.control.checked) { throw new Error(`${label.innerText} cannot be chosen`); }
  };
  const choose = (field, texts) => {
    for (const text of texts) {
      check([...field.querySelectorAll("label")].find((label) => label.innerText.trim() === text));
    }
  };
"""
CHOOSE = f"(field, texts) => {{ {HAND} choose(field, texts); }}"
# Answers or skips the screen's question, and continues.
ANSWER_AND_GO_ON = (
    f"async ({{ labels, group, skips }}) => {{ {HAND}"
    + """
  const root = document.getElementById("root");
  const heading = () => root.querySelector("h2");
  const until = async (holds) => {
    for (let tries = 0; !holds() && tries < 6000; tries += 1) {
      await new Promise((done) => { setTimeout(done, 10); });
    }
  };
  await until(() => root.querySelector(".actions button.button"));
  const before = heading();
  const rows = [...root.querySelectorAll(".matrix > fieldset")];
  rows.forEach((row) => choose(row, labels[row.querySelector("h3").innerText] ?? []));
  if (!rows.length) { choose(root, labels[before.innerText] ?? []); }
  if (group !== null) { check(root.querySelectorAll("input[type=radio]")[group].labels[0]); }
  const buttons = [...root.querySelectorAll("button")];
  const skip = buttons.find((button) => button.innerText === "Prefer not to say");
  press(skips ? skip : root.querySelector(".actions button.button"));
  await until(() => heading() !== before);
}
"""
)


def labels_of(question: Mapping[str, Any], value: Any, language: str = "en") -> list[str]:
    """Return the labels of the controls for an answer; Sottovoce's own labels are in English."""
    if question["kind"] == "yes_no":
        return ["Yes" if value else "No"]
    if question["kind"] == "single":
        return [question["options"][value]["text"][language]]
    ticked = [option for option, on in zip(question["options"], value, strict=True) if on]
    return [option["text"][language] for option in ticked] or ["None of these"]


class Visit:
    """One visit to the page of a survey.

    Parameters
    ----------
    page : Page
        A browser's page.
    address : str
        Address of the survey's page.
    definition : dict
        The published definition, to find questions by their texts.
    step : callable
        Called with the name of each new screen: "intro", "group", "block:KEY", "question:KEY", "table:KEY"
        with the key of its part, "list:KEY" with the key of its stem, "review", "sent".
    """

    def __init__(
        self,
        page: Page,
        address: str,
        definition: Mapping[str, Any],
        step: Callable[[str], None] = lambda name: None,
    ) -> None:
        self.page = page
        self.address = address
        self.step = step
        self.blocks = {block["title"]["en"]: block for block in definition["blocks"]}
        lines: dict[str, list[dict[str, Any]]] = {}
        for block in definition["blocks"]:
            for question in block["questions"]:
                lines.setdefault(question.get("stem", ""), []).append(question)
        self.lists = {
            stem["text"]["en"]: (stem, lines[stem["key"]])
            for stem in definition.get("stems", ())
            if stem["key"] in lines
        }
        self.questions = {
            question["text"]["en"]: (block, question)
            for block in definition["blocks"]
            for question in block["questions"]
        }

    @property
    def root(self) -> Locator:
        return self.page.locator("#root")

    @property
    def heading(self) -> str:
        return self.root.locator("h2").first.inner_text()

    @property
    def screen(self) -> str:
        """The name of the current screen."""
        return self._named(self.heading)

    def _named(self, heading: str) -> str:
        if heading == REVIEW:
            return "review"
        if heading in self.questions:
            return f"question:{self.questions[heading][1]['key']}"
        if heading in self.lists:
            return f"list:{self.lists[heading][0]['key']}"
        if heading in self.blocks:
            kind = "table" if self.root.locator(".matrix").count() else "block"
            return f"{kind}:{self.blocks[heading]['key']}"
        if heading in GROUPS:
            return "group"
        return "intro" if heading in (*INTRO, UNDISGUISED) else "sent"

    def at(self, screen: str) -> Visit:
        """Wait for a screen that appears by itself, such as after the browser's Back."""
        wait_until(lambda: self.screen == screen, what=f"the screen {screen}")
        return self

    def open(self) -> Visit:
        self.page.goto(self.address)
        self.started()
        return self

    def started(self) -> None:
        """Wait until the page's program has started."""
        self.button("Start").wait_for()

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    @property
    def loaded(self) -> list[str]:
        """Addresses of all resources the page has loaded."""
        entries = "performance.getEntriesByType('resource').map(({ name }) => name)"
        return [str(url) for url in self.page.evaluate(entries)]

    def press(self, name: str) -> None:
        self.button(name).click()

    def go_on(self) -> None:
        """Continue from a screen without a question."""
        self.root.locator(".actions button.button").first.click()

    def back(self) -> None:
        before = self.heading
        self.press("Back")
        expect(self.root.locator("h2").first).not_to_have_text(before)

    def choose(self, answers: Mapping[str, Any]) -> None:
        """Answer the question or the list on the screen; what has no answer stays empty."""
        if (heading := self.heading) not in self.lists:
            block, question = self.questions[heading]
            given = answers.get(block["key"], {})
            if question["key"] in given:
                self.root.evaluate(CHOOSE, labels_of(question, given[question["key"]]))
            return
        stem, lines = self.lists[heading]
        given = answers.get(self.questions[lines[0]["text"]["en"]][0]["key"], {})
        if stem.get("look") == "boxes":
            self.root.evaluate(CHOOSE, self._ticked(lines, given))
            return
        for line in lines:
            if line["key"] in given:
                row = self.root.get_by_role("group", name=line["text"]["en"], exact=True)
                row.evaluate(CHOOSE, labels_of(line, given[line["key"]]))

    def heading_of(self, text: str) -> str:
        """Return the heading of the screen with a question: its text or, of a line, that of its stem."""
        question = self.questions[text][1]
        return next((stem for stem, (_stem, lines) in self.lists.items() if question in lines), text)

    def walk_whole(self, answers: Mapping[str, Any], *, direct: bool | None = None) -> Visit:
        """Open the one-page view, answer there, and go on to the review."""
        for screen in self.screens(until=WHOLE):
            self.step(screen)
            if screen == "group" and direct is not None:
                self.root.get_by_role("radio").nth(1 if direct else 0).check()
            whole = self.button("All on one page")
            if whole.count():
                whole.click()
            else:
                self.go_on()
        for block, question in self.questions.values():
            given = answers.get(block["key"], {})
            if given == "skipped":
                part = self.root.locator("section").filter(
                    has=self.page.get_by_role("heading", name=block["title"]["en"], exact=True)
                )
                skip = part.get_by_role("button", name="Prefer not to say", exact=True)
                if skip.count():
                    skip.click()
            elif question["key"] in given:
                # The page contains each drawn part only once it is asked, in order.
                opener = self.button("Show my questions")
                if block.get("questions_per_person") and opener.count():
                    opener.first.click()
                boxes = next((text for text, lines in self._boxes() if question in lines), None)
                group = self.root.get_by_role("group", name=boxes or question["text"]["en"], exact=True)
                if boxes:
                    if question == self.lists[boxes][1][0]:
                        group.evaluate(CHOOSE, self._ticked(self.lists[boxes][1], given))
                    continue
                if block.get("questions_per_person") and not group.count():
                    continue  # this device did not draw it
                group.evaluate(CHOOSE, labels_of(question, given[question["key"]]))
            self.step("whole")
        self.press("Check your answers")
        self.step(self.screen)
        return self

    def walk(self, answers: Mapping[str, Any], *, direct: bool | None = None, until: str = "review") -> Visit:
        """Continue from screen to screen, answering, up to the one named `until`."""
        labels = {}
        for text, (block, question) in self.questions.items():
            given = answers.get(block["key"], {})
            if given != "skipped" and question["key"] in given:
                labels[text] = labels_of(question, given[question["key"]])
        for text, lines in self._boxes():
            given = answers.get(self.questions[lines[0]["text"]["en"]][0]["key"], {})
            if given != "skipped" and lines[0]["key"] in given:
                labels[text] = self._ticked(lines, given)
        for screen in self.screens(until=until):
            self.step(screen)
            said = {
                "labels": labels,
                "group": None if direct is None or screen != "group" else int(direct),
                "skips": screen.startswith("block:")
                and answers.get(screen.removeprefix("block:")) == "skipped",
            }
            self.page.evaluate(ANSWER_AND_GO_ON, said)
        self.step(until)
        return self

    def _boxes(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """Yield the text and the lines of each list with boxes."""
        for text, (stem, lines) in self.lists.items():
            if stem.get("look") == "boxes":
                yield text, lines

    @staticmethod
    def _ticked(lines: list[dict[str, Any]], given: Mapping[str, Any]) -> list[str]:
        ticked = [line["text"]["en"] for line in lines if given[line["key"]]]
        return ticked or ["None of these"]

    def screens(self, *, until: str) -> Iterator[str]:
        """Yield the name of each screen before the one with the name or heading `until`.

        The caller must leave each screen before requesting the next one. Every screen must appear only once,
        so a page that leads in a circle, or nowhere, fails the test.
        """
        most = len(INTRO) + len(GROUPS) + len(self.blocks) + len(self.questions) + 3
        seen: list[str] = []
        while until not in (screen := self._named(heading := self.heading), heading):
            seen.append(screen)
            assert len(seen) <= most, f"{until!r} does not come; the last screens were {', '.join(seen[-6:])}"
            yield seen[-1]
            # Scripts for the next screen may still be loading. Another press could then hit a later screen.
            wait_until(lambda: self.screen != seen[-1], seconds=60, what=f"a screen after {seen[-1]}")

    def seal(self) -> Visit:
        self.root.get_by_role("button", name=re.compile("^(Disguise and send|Send)$")).click()
        return self

    def delivered(self) -> Visit:
        """Wait until the server has the answers."""
        expect(self.root.locator("h2").first).to_have_text(
            "Thank you. Your answers have arrived. You can close this page."
        )
        expect(self.root.locator(".receipt")).to_be_attached()
        self.step("sent")
        return self
