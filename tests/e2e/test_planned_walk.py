"""From ten pasted questions to a printed answer in thirteen presses, and nothing sensitive is stored."""

import json
import random
import re
import subprocess
from typing import Any

import pytest
from playwright.sync_api import expect

from surveys.intake.views import process_limiter
from surveys.management.commands.sweep import sweep_once
from surveys.models import Run, StaffPreference, Survey
from tests.e2e.judged import violations, width_of
from tests.e2e.test_whole_way import RESPONDENTS, Hand

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 13
PEOPLE = 250
ACTS = (
    "Have you had an accident at work in the last 12 months?",
    "Have you been at work with a hangover in the last 12 months?",
    "Have you drunk alcohol during working hours in the last 12 months?",
    "Have you taken drugs at work in the last 12 months?",
    "Have you hidden an accident from your supervisor?",
    "Have you driven a vehicle at work after drinking?",
)
PASTED = "\n".join(
    [
        "Accidents and alcohol at work",
        *(
            f"{word}: Ana, Example University"
            for word in ("Researcher", "Purpose", "Ethics", "Contact", "Retention", "Age limit", "Help")
        ),
        "",
        *(f"{number}. {text}\n- Yes\n- No" for number, text in enumerate(ACTS, 1)),
        "7. How many alcoholic drinks did you have last week? (0-40)",
        "8. Which of these have you used in the last 12 months? (tick all that apply)",
        *(
            "- Cannabis",
            "- Cocaine",
            "- Amphetamines",
            "- Sleeping pills",
            "- Painkillers without a prescription",
        ),
        "9. How old are you?",
        *("- Under 30", "- 30 to 44", "- 45 to 59", "- 60 or older"),
        "10. Which department do you work in?",
        *("- Production", "- Warehouse", "- Transport", "- Office"),
    ]
)
PLAIN = {"How old are you?", "Which department do you work in?"}


def stored_as_answered(survey: Survey) -> set[str]:
    return {
        question["text"]["en"]
        for block in survey.definition["blocks"]
        if not block["protected"]
        for question in block["questions"]
    }


def answers(rng: random.Random, design: dict[str, Any]) -> dict[str, Any]:
    return {
        block["key"]: {
            question["key"]: rng.randrange(len(question["options"]) or 2) for question in block["questions"]
        }
        for block in design["blocks"]
    }


@pytest.mark.soak
@pytest.mark.parametrize("width", [360, 1280])
def test_ten_questions_on_accidents_and_alcohol_become_a_printed_answer(
    researcher: Any, live_server: Any, start_worker: Any, width: int
) -> None:
    start_worker()
    process_limiter.cache_clear()
    StaffPreference.objects.update(is_expert=False)
    page = researcher("", viewport={"width": width, "height": 900})
    hers = Hand(page, "en")

    hers.press("Create a survey", "link")
    hers.label("Your survey, line by line").fill(PASTED)
    expect(page.locator("[data-understood]")).to_contain_text("10 questions, 8 of them protected")
    hers.press("Create draft")
    expect(page.locator("#readable")).to_be_visible()
    hers.press("Create draft")

    hers.label("How many answers do you expect?").fill(str(PEOPLE))
    for text in ACTS[:2]:
        star = page.locator(".plan-row", has_text=text).get_by_label("Star")
        star.select_option(index=1)
        hers.pressed.append("Star")
    # Figures follow the entries after a moment, and proposals after them.
    proposed = page.locator("section[aria-labelledby=plan-changes]")
    expect(page.locator("[data-said]")).to_contain_text("However strong the link")
    expect(proposed).to_contain_text(re.compile(rf"{PEOPLE} answers: .* You find a link 8 times in 10"))
    # The number costs most, and each proposal lets the draft be published.
    expect(page.locator(".plan-row", has_text="How many alcoholic drinks")).to_contain_text("costs most")
    expect(page.locator("#plan-changes")).to_have_text("Each of these lets you publish")
    proposals = proposed.locator("button")
    expect(proposals).to_have_count(3)
    expect(proposals.first).to_contain_text("as one answer")
    kept = proposals.filter(has_text="Leave out")
    expect(kept).to_contain_text("Leave out “How many alcoholic drinks did you have last week?”")
    hers.click(kept, "Send as one answer, and leave out the number")
    said = page.locator("[data-said]")
    expect(said).to_contain_text(f"{PEOPLE} answers:")
    expect(page.locator(".plan-found .note--bad")).to_have_count(0)
    expect(page.locator("[name=undo]")).to_have_count(2)
    assert width_of(page) <= width
    assert violations(page) == "[]"
    sentence = said.inner_text()
    hers.press("Save the plan")
    expect(page.locator("#saving")).to_have_text("Saved")
    survey = Survey.objects.get()
    assert stored_as_answered(survey) == PLAIN

    hers.press("Publish …", "link")
    expect(page.locator("main")).to_contain_text(sentence)
    hers.press("Publish version 1 for practice")
    expect(page.locator("main")).to_contain_text("Version 1 was published.")
    survey.refresh_from_db()
    assert stored_as_answered(survey) == PLAIN
    version = survey.versions.get()
    board = f"{live_server.url}/en/staff/surveys/{survey.slug}/risk/"
    page.goto(board)
    expect(page.locator("main")).to_contain_text(sentence)
    rng = random.Random(4)
    visits = {
        "url": f"{live_server.url}/api/submissions",
        "survey": survey.slug,
        "design": version.design,
        "design_id": version.design_id,
        "respondents": [{"answers": answers(rng, version.design)} for _person in range(PEOPLE)],
    }
    done = subprocess.run(
        ["node", str(RESPONDENTS)], input=json.dumps(visits), stdout=subprocess.PIPE, text=True, check=True
    )
    assert json.loads(done.stdout) == [{"kind": "delivered", "status": 200}] * PEOPLE
    sweep_once()

    page.goto(f"{live_server.url}/en/staff/surveys/{survey.slug}/")
    hers.press("Close survey …", "link")
    hers.press("Close the survey")
    expect(page.locator("main")).to_contain_text("The survey is closed.")
    sweep_once()
    page.goto(f"{live_server.url}/en/staff/surveys/{survey.slug}/")
    hers.press("Show results")
    yours = page.get_by_role("region", name="Your question")
    expect(yours).to_be_visible(timeout=180_000)
    answer = yours.locator("p:not(.row)").first.inner_text()
    assert Run.objects.get().n == PEOPLE
    hers.press("Print the report", "link")
    expect(page.locator("main")).to_contain_text(answer)
    assert page.pdf().startswith(b"%PDF")
    assert len(hers.pressed) <= MOST, hers.pressed

    # With as many answers as planned, the board has the planned figures again.
    page.goto(board)
    row = page.locator("tr", has_text="Difference detected 8 times in 10")
    expect(row).to_have_count(1)
    planned, observed = re.findall(r"(\d+) points", row.inner_text())
    assert planned == observed
    assert f"is {planned} points more common" in sentence
