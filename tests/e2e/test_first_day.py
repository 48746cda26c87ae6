"""A researcher's first day, from logging in to results: presses, words and stumbles on the way."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from surveys.accounts.roles import Role
from surveys.intake.views import process_limiter
from surveys.management.commands.sweep import sweep_once
from surveys.models import Receipt, Run, StaffPreference, Survey
from tests.e2e.judged import buttons_out_of_sight, width_of
from tests.e2e.visit import Visit
from tests.fixtures.staff import PASSWORD, with_password

pytestmark = pytest.mark.django_db(transaction=True)


QUESTIONS = [
    f"In the past year, have you done thing number {n} that you did not report?" for n in range(1, 11)
]
CHOICE = 4
OPTIONS = ("Never", "Once", "More often")
OTHERS = 4
MOST_UNTIL_PUBLISHED = 20
MOST = 22
MOST_WORDS = 3_300
WORDS = re.compile(r"[A-Za-z’']+")
TROUBLE = "main .error:visible, main .note--bad:visible, main [role=alert]:visible"


class Day:
    """A person who presses controls and reads pages; counts presses and words, and notes stumbles."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = self.words = 0
        self.stumbles: list[str] = []

    def press(self, target: Locator) -> None:
        target.click()
        self.presses += 1

    def button(self, name: str) -> None:
        self.press(self.page.get_by_role("button", name=name).first)

    def link(self, name: str) -> None:
        self.press(self.page.get_by_role("link", name=name).first)

    def read(self, next_step: Locator) -> None:
        """Read a page that leads on by this control; a complaint or a control out of sight is a stumble."""
        expect(next_step).to_be_visible()
        page = self.page
        self.words += len(WORDS.findall(page.locator("main").inner_text()))
        self.stumbles += [f"{page.url}: {text}" for text in page.locator(TROUBLE).all_inner_texts()]
        self.stumbles += [f"{page.url}: {name} is out of sight" for name in buttons_out_of_sight(page)]
        if width_of(page) > page.evaluate("innerWidth"):
            self.stumbles.append(f"{page.url}: wider than the window")


def answer(page: Page, address: str, definition: dict[str, Any], person: int) -> None:
    """Answer the survey on the respondents' page; every second person did everything."""
    (block,) = definition["blocks"]
    given = {question["key"]: person % 2 for question in block["questions"]}
    Visit(page, address, definition).open().walk({block["key"]: given}).seal().delivered()


@pytest.fixture
def day(device: Callable[..., Any], live_server: Any) -> Day:
    """Return a person at the log-in page, on a computer."""
    process_limiter.cache_clear()
    page = device(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(f"{live_server.url}/en/staff/")
    return Day(page)


@pytest.mark.soak
def test_a_researchers_first_day_leads_to_results(
    day: Day, device: Any, live_server: Any, start_worker: Any
) -> None:
    with_password("ruth", Role.RESEARCHER)
    # A new account has not chosen anything yet.
    StaffPreference.objects.all().delete()
    start_worker()
    page = day.page
    day.read(page.get_by_label("Password", exact=True))
    page.locator("input[name=username]").fill("ruth")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    day.button("Log in")

    day.read(page.get_by_role("link", name="Create a survey"))
    day.link("Create a survey")
    day.read(page.get_by_role("button", name="Start empty"))
    page.locator("input[name=title]").first.fill("Hours and rules")
    day.button("Start empty")
    day.read(page.get_by_role("button", name="Add a protected part"))
    day.button("Add a protected part")
    page.keyboard.type("What you did at work")
    for number, text in enumerate(QUESTIONS):
        day.button("Add a question to" if number else "Add yes or no")
        page.keyboard.type(text)
        if number == CHOICE:
            day.press(page.get_by_label("Choosing one option"))
            options = page.locator(".phone .option-row textarea:visible")
            for place, option in enumerate(OPTIONS):
                if options.count() <= place:
                    day.button("Add an option")
                options.nth(place).fill(option)
    day.read(page.get_by_role("link", name="Plan your survey").first)
    day.link("Plan your survey")
    day.read(page.get_by_role("button", name="Save the plan"))
    day.button("Save the plan")
    day.read(page.get_by_role("link", name="Publish …"))
    day.link("Publish …")
    day.read(page.get_by_role("button", name="Publish version 1").first)
    day.button("Publish version 1")
    day.read(page.get_by_role("region", name="Next step"))
    published = day.presses
    survey = Survey.objects.get()

    # The researcher tries the survey; the others open the address that the page shows.
    address = page.get_by_text(f"/en/s/{survey.slug}/").inner_text()
    day.link("Respondent page")
    day.read(page.get_by_role("button", name="Start"))
    answer(page, address, survey.definition, 0)
    for person in range(1, OTHERS + 1):
        answer(device().new_page(), address, survey.definition, person)
    sweep_once()
    page.goto(f"{live_server.url}/en/staff/surveys/{survey.slug}/")
    day.read(page.get_by_role("button", name="Show results"))
    day.button("Show results")
    day.read(page.get_by_text("5 people answered."))
    assert Run.objects.get().n == Receipt.objects.count() == 1 + OTHERS
    expect(page.locator("main")).to_contain_text(
        "Fewer than 100 people were asked this. That is too few to say."
    )
    assert day.stumbles == []
    assert published <= MOST_UNTIL_PUBLISHED
    assert day.presses <= MOST
    assert day.words <= MOST_WORDS
