"""The summary for an ethics board has the same figures before and after, and words no guess as a limit."""

import re
from dataclasses import replace

import pytest
from django.template.loader import render_to_string

from surveys.authoring.drafts import survey_import
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.report.risk_page.adversaries import points_of
from surveys.report.risk_page.compared_figures import compared_figures
from surveys.report.risk_page.planned_use import plan_sentences
from surveys.report.risk_page.risk_view import assumptions, remaining, risk_context
from surveys.report.risk_page.worst_case import worst_case
from surveys.runs.audit import AuditedSurvey
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.runs import answered_version, audited_run, definition, mined_run
from tests.surveys.report.risk_page.test_risk_view import of

pytestmark = pytest.mark.django_db
AIM = Aim(people=400, wanted=("late", "cheat"), shares={"late": 3000, "cheat": 2000})


def draft(aim: Aim | None = AIM) -> AuditedSurvey:
    survey = survey_import(definition(policy="protected"), by="alice")
    Survey.objects.filter(pk=survey.pk).update(aim=None if aim is None else aim.to_json())
    survey.refresh_from_db()
    return of(survey)


def answered_survey() -> AuditedSurvey:
    return of(audited_run(mined_run(answered_version(800, n_direct=0, policy="protected"))).survey)


def test_a_draft_states_its_precision_for_the_people_and_guesses_of_its_aim() -> None:
    one = draft()
    # .6 x .2 + .4 x .4 = .28 and .6 x .3 + .4 x .5 = .38: 1.96 sqrt(.38 x .62 / 400) / .6 = 7.93 points.
    sentences = plan_sentences(one)
    assert sentences[0] == (
        "400 answers: “Are you often late?” ±8 points, “Have you cheated?” ±7.4 points, the other shares ±7 "
        "points."
    )
    # No one guessed how many drink.
    assert sentences[-1].endswith("Answers without a guess count as equally common.")
    rows = {row.name: row for row in compared_figures(one)}
    assert rows["Respondents"].planned == "about 400"
    # Two parts have gamma 8.5 and 17/3. One answer has 1 + .6 / (.4 x .4) = 4.75, or 17/3.
    assert rows["How sure someone can become from everything one device sends"].planned == "at most 98%"
    assert rows["How sure someone can become from one disguised answer"].planned == "at most 85%"
    assert not any(row.observed or row.exceeds for row in rows.values())


@pytest.mark.parametrize(
    ("shares", "assumption"),
    [
        ({}, "This assumes that as many people answer, and that all answers are equally common."),
        ({"late": 3000}, "Answers without a guess count as equally common."),
        # No figure depends on the age, which is stored as answered.
        ({"age=old": 3000}, "and that all answers are equally common."),
        (
            {"late": 3000, "cheat": 2000, "drink": 1000},
            "and that answers are as common as the researcher expects.",
        ),
    ],
)
def test_only_guesses_that_the_researcher_stated_are_called_the_researchers(
    shares: dict[str, int], assumption: str
) -> None:
    one = draft(Aim(people=400, shares=shares))
    assert plan_sentences(one)[-1].endswith(assumption)
    assert "researcher" not in " ".join(assumptions(one))
    for text in (*plan_sentences(one), *(text for _title, texts in points_of(one) for text in texts)):
        assert "the researcher" not in text or shares.keys() & {"late"}, text


# 1.96 sqrt(.38 x .62 / n) / .6 = 1.586 / sqrt(n) is a quarter for 40.2 people.
@pytest.mark.parametrize(
    ("people", "said"),
    [
        (10, "±50.2 points, too wide to be useful"),
        (40, "±25.1 points, too wide to be useful"),
        (41, "±24.8 points"),
    ],
)
def test_margins_that_stop_publishing_are_called_too_wide(people: int, said: str) -> None:
    rows = {row.name: row for row in compared_figures(draft(replace(AIM, people=people)))}
    assert rows["Widest margin of error of a share"].planned == said


def test_without_a_plan_no_number_of_people_is_assumed() -> None:
    one = draft(aim=None)
    (sentence,) = plan_sentences(one)
    assert sentence.startswith(
        "The researcher did not say how many people will answer, so we cannot work out"
    )
    rows = {row.name: row for row in compared_figures(one)}
    assert rows["Respondents"].planned == "not stated"
    assert rows["People with unique unprotected answers"].planned == "not stated"
    page = render_to_string("audit/partials/risk.html", risk_context(one.survey))
    assert not re.search(r"\b(1,000|1000|400)\b", re.sub(r"<[^>]+>", " ", page))


def test_the_stated_number_of_unique_people_is_a_bound_for_the_planned_people() -> None:
    """250 people and 863 combinations: 187.3 if all are equally common, and never more on average."""
    ages = {
        "key": "born",
        "kind": "number",
        "text": {"en": "On which day were you born?"},
        "number": {"low": 0, "high": 862, "bin": 1},
    }
    survey = survey_import(document_of(unprotected("you", ages), protected("a", yes_no("steal"))), by="alice")
    Survey.objects.filter(pk=survey.pk).update(aim=Aim(people=250).to_json())
    survey.refresh_from_db()
    rows = {row.name: row for row in compared_figures(of(survey))}
    assert rows["People with unique unprotected answers"].planned == "on average at most 188"
    (sentence,) = [each for each in points_of(of(survey))[1][1] if "equally common" in each]
    assert "about 187 of 250 people" in sentence


@pytest.mark.soak
def test_observed_figures_are_compared_with_planned_ones() -> None:
    rows = {row.name: row for row in compared_figures(answered_survey())}
    assert rows["Respondents"].observed == "800"
    # The survey has no plan, so nothing is compared with an assumed number of people.
    widest = rows["Widest margin of error of a share"]
    assert (widest.planned, widest.exceeds) == ("not stated", False)
    assert widest.observed.startswith("±")
    unique = rows["People with unique unprotected answers"]
    assert (unique.planned, unique.observed, unique.exceeds) == ("not stated", "0", False)
    limits = rows["How sure someone can become from everything one device sends"]
    assert limits.planned == limits.observed
    assert not limits.exceeds


@pytest.mark.soak
@pytest.mark.parametrize("is_answered", [False, True])
def test_only_limits_say_at_most_and_only_guesses_say_about(is_answered: bool) -> None:
    one = answered_survey() if is_answered else draft()
    for row in compared_figures(one):
        is_limit = row.name.startswith("How sure ") or row.planned.startswith("on average at most ")
        assert ("at most" in row.planned + row.observed) == is_limit, row
    for sentence in (*remaining(one), *plan_sentences(one)):
        assert "at most" not in sentence
    is_planned = any("about" in row.planned for row in compared_figures(one))
    assert any("“about” figures" in sentence for sentence in assumptions(one)) == is_planned


@pytest.mark.soak
def test_the_ethics_summary_takes_at_most_three_minutes_to_read() -> None:
    for one in (draft(), answered_survey()):
        words = " ".join((*worst_case(one), *remaining(one), *plan_sentences(one))).split()
        assert len(words) <= 200, len(words)
        page = render_to_string("audit/partials/risk.html", risk_context(one.survey))
        order = [page.index(f'id="{name}"') for name in ("short", "planned", "asked", "who", "rests")]
        assert order == sorted(order)
        # Three minutes at 230 words each, without the recommendation and what follows it.
        text = re.sub(r"<[^>]+>", " ", page.partition('id="recommendation"')[0])
        assert len(text.split()) <= 690, len(text.split())


def test_every_question_is_listed_with_its_protection() -> None:
    document = document_of(protected("a", yes_no("steal", text={"en": "Did you steal?"})))
    page = render_to_string("audit/partials/risk.html", risk_context(survey_import(document, by="alice")))
    asked = page.partition('id="asked"')[2].partition("</section>")[0]
    assert "Did you steal?" in asked
    assert "disguised" in asked


def test_conditions_are_printed_as_texts_and_rotating_parts_are_named() -> None:
    document = definition(policy="protected")
    document["rotations"] = [{"blocks": ["work", "life"], "parts_per_person": 1}]
    conditional = protected("home", yes_no("nap"), asked_if={"question": "age", "options": ["old"]})
    document["blocks"].append(conditional)
    survey = survey_import(document, by="alice")
    page = re.sub(r"\s+", " ", render_to_string("audit/partials/risk.html", risk_context(survey)))
    assert "Only for respondents who answer “How old are you?”: 40 or older</p>" in page
    assert "Each person gets only 1 of these parts: “Work” “Life”</p>" in page
