"""Lists of parts call a part without a title by its number, never by its first question."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.survey import workplace
from tests.fixtures.devices import published, shipped_definition

pytestmark = pytest.mark.django_db(transaction=True)

# The survey's parts, in the languages of the page.
NAMES = {"en": ["Your work", "Part 2", "Part 3"], "zh-hans": ["你的工作", "第 2 部分", "第 3 部分"]}
COUNTS = {"en": ["4 questions", "One question"], "zh-hans": ["4 道题", "1 道题"]}
CHANGE = {"en": "Change", "zh-hans": "更改"}


def untitled() -> dict[str, Any]:
    """Return a survey with a titled part, one that repeats its first question as title, and one without."""
    work, silence, pressure = workplace()["blocks"]
    work["questions"] = work["questions"][:2]
    silence["title"] = dict(silence["questions"][0]["text"])
    del pressure["title"], pressure["asked_if"]
    return shipped_definition(slug="untitled", blocks=[work, silence, pressure])


@pytest.mark.soak
@pytest.mark.parametrize("language", NAMES)
def test_every_list_of_parts_has_the_same_names(reader: Page, live_server: Any, language: str) -> None:
    definition = untitled()
    published(definition)
    reader.goto(f"{live_server.url}/{language}/s/untitled/")
    root = reader.locator("#root")
    # How sure anyone could become, for each protected part.
    odds = root.locator("details").first.locator("h3")
    expect(odds).to_have_text(NAMES[language][1:])
    go_on = root.locator(".actions button").first
    go_on.click()
    first = definition["blocks"][1]["questions"][0]["text"][language]
    for question in definition["blocks"][0]["questions"]:
        expect(root.locator("h2")).to_have_text(question["text"][language])
        go_on.click()
    # Skip both protected parts.
    for asks in COUNTS[language]:
        expect(root.locator("h2")).to_have_text(asks)
        root.locator(".actions button.button--plain").click()
    parts = root.locator("section.part")
    expect(parts.locator("h3")).to_have_text(NAMES[language])
    skipped = (
        parts.get_by_role("button", name=CHANGE[language])
        .and_(parts.locator("button"))
        .filter(has_text=NAMES[language][1])
    )
    expect(skipped).to_have_count(1)
    expect(root.get_by_text(first)).to_have_count(0)
    root.locator(".note.part button.button").first.click()
    sent = root.locator("details.part")
    sent.locator("summary").first.click()
    expect(sent.locator(".card h3")).to_have_text(NAMES[language])
    # The bits that say whether a part was skipped name it, too.
    expect(sent.locator("td .soft").filter(has_text=NAMES[language][1])).not_to_have_count(0)


def drawn() -> dict[str, Any]:
    """Return a survey of parts without titles: each device is asked the first and one of the others."""
    parts = [
        {
            "key": key,
            "protected": True,
            "truth_probability": 5000,
            "refusal": 2000,
            "questions": [
                {
                    "key": key,
                    "kind": "yes_no",
                    "text": {"en": f"Have you {key}?", "zh-hans": f"你{key}过吗？"},
                    "unrelated": [5000],
                    "prevalence": [2000],
                }
            ],
        }
        for key in ("lied", "stolen", "cheated", "forged")
    ]
    rotations = [{"blocks": ["stolen", "cheated", "forged"], "parts_per_person": 1}]
    return shipped_definition(slug="drawn", blocks=parts, rotations=rotations)


@pytest.mark.soak
def test_a_part_that_some_devices_are_asked_has_one_name(reader: Page, live_server: Any) -> None:
    """The review counted only the asked parts, so the fourth was "Part 2" there and "Part 4" elsewhere."""
    published(drawn())
    seen = set()
    for _load in range(20):
        reader.goto(f"{live_server.url}/en/s/drawn/")
        root = reader.locator("#root")
        expect(root.locator("details li").filter(has_text="Have you forged?")).to_have_count(1)
        lists = reader.evaluate(
            "[...document.querySelectorAll('#root details h3 + ul')]"
            ".map((list) => [list.textContent, list.previousSibling.textContent])"
        )
        names = {question: name for question, name in lists if question.startswith("Have you")}
        assert list(names.values()) == ["Part 1", "Part 2", "Part 3", "Part 4"]
        root.locator(".actions button").first.click()
        expect(root).to_contain_text("Part 1 of 2")
        root.get_by_role("radio", name="Yes").check()
        root.locator(".actions button").first.click()
        # A drawn part has a separate screen.
        expect(root.locator("h2")).to_have_text("One question", timeout=10_000)
        drawn_screen = root.inner_text()
        root.locator(".actions button").first.click()
        root.get_by_role("radio", name="Yes").check()
        root.locator(".actions button").first.click()
        parts = root.locator("section.part")
        expect(parts).to_have_count(2)
        for number in range(2):
            (question,) = [each for each in names if each in parts.nth(number).inner_text()]
            expect(parts.nth(number).locator("h3")).to_have_text(names[question])
        # The number among the asked parts is shown only if it is the number of the part.
        assert ("Part 2 of 2" in drawn_screen) is (names[question] == "Part 2")
        seen.add(names[question])
        if {"Part 2", "Part 4"} <= seen:
            return
    pytest.fail(f"only {seen} were drawn")
