"""From pasted text to a printed report in fifteen presses: eight questions, two of them numbers."""

import json
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import gettext, ngettext, override
from playwright.sync_api import Page, expect

from surveys.intake.views import process_limiter
from surveys.management.commands.sweep import sweep_once
from surveys.models import Receipt, Run, StaffPreference, Survey
from tests.e2e.judged import buttons_out_of_sight, violations, width_of

pytestmark = pytest.mark.django_db(transaction=True)

RESPONDENTS = Path(__file__).resolve().parent.parent / "js" / "respondents.js"
MOST = 16
PEOPLE = 300
QUESTIONS = (
    ("Have you made up data?", "您编造过数据吗？"),
    ("Are you under pressure to publish?", "您有发表论文的压力吗？"),
    ("Have you left out a result that did not fit?", "您隐去过不合意的结果吗？"),
    ("Have you put a name on a paper that did no work?", "您给没有出力的人署过名吗？"),
    ("Have you copied text without naming its source?", "您抄过文字而不注明出处吗？"),
    ("Have you kept silent about a mistake of yours?", "您隐瞒过自己的错误吗？"),
)
NUMBERS = (
    ("How many results have you left out this year? (0-80)", "您今年隐去过多少个结果？ (0-80)"),
    ("How many hours a night do you sleep? (0-24)", "您每晚睡眠多少小时？ (0-24)"),
)
ABOUT = "".join(
    f"{word}: Ana, Example University | {word}: 安娜，示例大学\n"
    for word in ("Researcher", "Purpose", "Ethics", "Contact", "Retention", "Age limit", "Help")
)
PASTED = f"Papers | 论文\n{ABOUT}# Work | 工作\n" + "\n".join(
    f"{number}. {english} | {chinese}" for number, (english, chinese) in enumerate((*QUESTIONS, *NUMBERS), 1)
)
GREEK = re.compile(r"[\u0370-\u03ff]")


class Hand:
    """Presses visible controls by their English names, translated to the page's language, and counts."""

    def __init__(self, page: Page, language: str) -> None:
        self.page = page
        self.language = language
        self.pressed: list[str] = []

    def say(self, text: str) -> str:
        with override(self.language):
            return gettext(text)

    def press(self, name: str, role: Any = "button") -> None:
        self.click(self.page.get_by_role(role, name=self.say(name), exact=True).first, name)

    def click(self, target: Any, name: str) -> None:
        target.click()
        self.pressed.append(name)

    def label(self, name: str) -> Any:
        return self.page.get_by_label(self.say(name), exact=True)

    def plain(self) -> None:
        """Check that a page is not cut off, is accessible, and has no Greek letters."""
        page = self.page
        assert not GREEK.search(page.locator("main").inner_text()), page.url
        assert width_of(page) <= page.evaluate("innerWidth"), page.url
        assert buttons_out_of_sight(page) == []
        page.evaluate("scrollTo(0, 0)")
        assert violations(page) == "[]", page.url


def answers(rng: random.Random, survey: Survey) -> dict[str, Any]:
    """Simulate a respondent: under pressure four in five have made up data, otherwise one in five."""
    blocks = survey.versions.get().design["blocks"]
    keys = [question["key"] for block in blocks for question in block["questions"]]
    pressed = rng.getrandbits(1)
    made_up = int(rng.random() < (0.8 if pressed else 0.2))
    given: dict[str, Any] = {}
    for block in blocks:
        for question in block["questions"]:
            text = _text_of(survey, question["key"])
            if question["kind"] == "number":
                # The answer is the number's bin.
                value = rng.randrange(_bins(question["disguise"]["range"]))
            else:
                value = {QUESTIONS[0][0]: made_up, QUESTIONS[1][0]: pressed}.get(text, rng.getrandbits(1))
            given.setdefault(block["key"], {})[question["key"]] = value
    assert len(keys) == len(QUESTIONS) + len(NUMBERS) == 8
    return given


def _bins(of: dict[str, int]) -> int:
    return -(-(of["high"] - of["low"] + 1) // of["bin"])


def _text_of(survey: Survey, key: str) -> str:
    return next(
        str(question["text"]["en"])
        for block in survey.definition["blocks"]
        for question in block["questions"]
        if question["key"] == key
    )


@pytest.fixture
def hand(researcher: Callable[..., Page]) -> Callable[[str, int, str], Hand]:
    """Return a function that opens the list of surveys in this language and window width."""
    process_limiter.cache_clear()

    def begin(language: str, width: int, colours: str) -> Hand:
        StaffPreference.objects.update(is_expert=False)
        page = researcher("", viewport={"width": width, "height": 900}, forced_colors=colours)
        page.goto(page.url.replace("/en/", f"/{language}/"))
        return Hand(page, language)

    return begin


@pytest.mark.soak
@pytest.mark.parametrize(("language", "width", "colours"), [("en", 1280, "active"), ("zh-hans", 360, "none")])
def test_pasted_text_becomes_publishable_results_in_fifteen_presses(
    hand: Any, live_server: Any, start_worker: Any, language: str, width: int, colours: str
) -> None:
    start_worker()
    hers = hand(language, width, colours)
    page = hers.page
    hers.plain()

    hers.press("Create a survey", "link")
    hers.plain()
    hers.label("Your survey, line by line").fill(PASTED)
    expect(page.locator("[data-understood]")).to_contain_text("简体中文")
    hers.plain()
    hers.press("Create draft")
    # The report lists the hours of sleep, which are stored as answered.
    expect(page.locator("#readable")).to_be_visible()
    hers.plain()
    hers.press("Create draft")

    hers.label("How many answers do you expect?").fill(str(PEOPLE))
    for english, chinese in QUESTIONS[:2]:
        row = page.locator(".plan-row", has_text=english if language == "en" else chinese)
        row.get_by_label(hers.say("Star")).select_option(index=1)
    planned = page.locator("[data-said]")
    own = 0 if language == "en" else 1
    expect(planned).to_contain_text(NUMBERS[0][own].partition(" (")[0])
    expect(planned).to_contain_text(QUESTIONS[0][own])
    hers.plain()
    said = planned.inner_text()
    assert page.locator(".plan-found .note--warn").count() == 0
    hers.press("Save the plan")
    expect(page.locator("#saving")).to_have_text(hers.say("Saved"))
    hers.plain()

    hers.press("Publish …", "link")
    hers.plain()
    page.locator("input[name=access][value=invitation]").check()
    # Nothing is refused, and the page repeats the plan's sentence.
    expect(page.locator("#reason")).to_have_count(0)
    # The first of the three rows repeats it, folded if the plan has no shortfall.
    expect(page.locator("main")).to_contain_text(said)
    if page.locator("[name=readable]").count():
        page.locator("[name=readable]").check()
    hers.click(page.locator("form.publish-form .button--wide"), "Publish version 1 for practice")
    survey = Survey.objects.get()
    assert (survey.state, survey.practice, survey.by_invitation) == ("open", True, True)
    hers.plain()

    hers.press("Create codes", "link")
    hers.label("Number of codes").fill(str(PEOPLE))
    hers.press("Create codes")
    expect(page.locator(".invitation-code")).to_have_count(PEOPLE)
    codes = page.locator(".invitation-code").all_inner_texts()
    rng = random.Random(37)
    version = survey.versions.get()
    visits = {
        "url": f"{live_server.url}/api/submissions",
        "survey": survey.slug,
        "design": version.design,
        "design_id": version.design_id,
        "respondents": [{"code": code.replace("-", ""), "answers": answers(rng, survey)} for code in codes],
    }
    done = subprocess.run(
        ["node", str(RESPONDENTS)], input=json.dumps(visits), stdout=subprocess.PIPE, text=True, check=True
    )
    assert json.loads(done.stdout) == [{"kind": "delivered", "status": 200}] * PEOPLE
    sweep_once()

    # The researcher considers another protection, reads its consequences, and keeps the current one.
    definition = survey.definition
    block = next(each for each in definition["blocks"] if each.get("truth_probability"))
    block["truth_probability"] -= 100
    Survey.objects.update(definition=definition)
    page.once("dialog", lambda dialog: dialog.accept())
    page.goto(f"{live_server.url}/{language}/staff/surveys/{survey.slug}/publish")
    with override(language):
        said = ngettext(
            "Your %(count)s answer so far forms a separate report.",
            "Your %(count)s answers so far form a separate report.",
            PEOPLE,
        ) % {"count": PEOPLE}
    expect(page.locator("main")).to_contain_text(said)
    hers.plain()
    block["truth_probability"] += 100
    Survey.objects.update(definition=definition)

    page.goto(f"{live_server.url}/{language}/staff/surveys/{survey.slug}/")
    hers.press("Close survey …", "link")
    hers.press("Close the survey")
    expect(page.locator("main")).to_contain_text(hers.say("The survey is closed."))
    sweep_once()
    page.goto(f"{live_server.url}/{language}/staff/surveys/{survey.slug}/")
    hers.plain()
    hers.press("Show results")
    yours = page.get_by_role("region", name=hers.say("Your question"))
    expect(yours).to_be_visible(timeout=180_000)
    run = Run.objects.get()
    assert run.n == PEOPLE == Receipt.objects.filter(digest__isnull=False).count()
    # The result compares people with the item and all others.
    expect(yours.locator(".shares dd")).to_have_count(2)
    # The first line is the finding in a word, and the second one is its sentence.
    answer = yours.locator("p:not(.row)").first.inner_text()
    hers.plain()
    results = page.url
    hers.press("Print the report", "link")
    page.wait_for_load_state()
    expect(page.locator("main")).to_contain_text(answer)
    assert page.pdf().startswith(b"%PDF")
    page.goto(results)
    hers.press("Texts for a paper and a letter", "link")
    hers.plain()
    expect(page.locator("main")).to_contain_text(answer)
    expect(page.locator("main")).to_contain_text(str(PEOPLE))

    assert len(hers.pressed) <= MOST, hers.pressed
