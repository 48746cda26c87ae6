import html
import re

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.drafts import survey_import
from surveys.authoring.made_up_people import made_up_shares
from surveys.models import Survey
from surveys.questionnaire.aim import DEFAULT_PEOPLE, Aim
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.questionnaire.draft import draft_read
from tests.fixtures.checked_surveys import document_of, protected, several, survey_of, yes_no
from tests.fixtures.devices import shipped_definition
from tests.fixtures.everyday import everyday_definition

pytestmark = pytest.mark.django_db


SAID = re.compile(r"(\d+) of 100 \((\d+) to (\d+)\), true: (\d+)")
BOUNDED = re.compile(r"too few to say: (at most|at least) (\d+) of 100, true: (\d+)")


def test_nearly_undisguised_answers_are_estimated_almost_exactly() -> None:
    """With p = 99.99%, fewer than one in 400 answers is random, so both shares differ by at most a point."""
    document = shipped_definition("workplace")
    for block in document["blocks"]:
        if block["protected"]:
            block["truth_probability"] = 9999
    shares = made_up_shares(
        definition_parse(document), n=400, rng=np.random.default_rng(1), aim=Aim(people=400)
    )
    # The survey has yes/no, single and multiple choice questions, and a conditional part.
    assert any(block.get("asked_if") for block in document["blocks"])
    assert {bool(share.option) for share in shares} == {True, False}
    for share in shares:
        match = SAID.fullmatch(share.text)
        assert match is not None, share.text
        found, _low, _high, truth = map(int, match.groups())
        assert abs(found - truth) <= 1, share


@pytest.mark.soak
def test_simulated_respondents_follow_the_plans_guesses() -> None:
    choice = several("drug", "a", "b", "c", unrelated=[3334, 3333, 3333], prevalence=[2000, 4000, 4000])
    definition = survey_of(
        protected("one", yes_no("lie", prevalence=5000)), protected("two", choice | {"kind": "single"})
    )
    guesses = {"lie": 900, "drug=o1": 7000}
    shares = made_up_shares(
        definition, n=2_000, rng=np.random.default_rng(5), aim=Aim(people=2_000, shares=guesses)
    )
    truths = [int(match.group(4)) for share in shares if (match := SAID.fullmatch(share.text))]
    # Options without a guess share the remainder. Six standard errors are at most 6.2 points.
    assert truths == pytest.approx([9, 15, 70, 15], abs=6.2)


@pytest.mark.soak
def test_without_guesses_simulated_answers_follow_the_plans_defaults() -> None:
    """The draft's own prevalences, 1% and 98%, are only for the checks."""
    choice = several("drug", "a", "b", unrelated=[5000, 5000], prevalence=[200, 9800]) | {"kind": "single"}
    definition = survey_of(protected("one", yes_no("lie", prevalence=100)), protected("two", choice))
    aim = Aim(people=2_000)
    shares = made_up_shares(definition, n=2_000, rng=np.random.default_rng(6), aim=aim)
    truths = [int(match.group(4)) for share in shares if (match := SAID.fullmatch(share.text))]
    assumed = [100 * share for question in definition.design.questions for share in aim.shares_of(question)]
    assert assumed == [50, 50, 50]
    # Six standard errors are 6.7 points.
    assert truths == pytest.approx(assumed, abs=6.8)


def starred_pair() -> tuple[Definition, Aim]:
    """Three protected yes/no questions, the first two starred, with a guess of the second only."""
    definition = survey_of(protected("one", *(yes_no(key) for key in ("lie", "cheat", "steal"))))
    return definition, Aim(people=2_000, wanted=("lie", "cheat"), shares={"cheat": 900})


@pytest.mark.soak
def test_simulated_respondents_follow_the_plans_assumptions_about_the_starred_pair() -> None:
    definition, aim = starred_pair()
    shares = made_up_shares(definition, n=2_000, rng=np.random.default_rng(7), aim=aim)
    truths = [int(match.group(4)) for share in shares if (match := SAID.fullmatch(share.text))]
    # The plan assumes 20% of a starred answer without a guess. Six standard errors are at most 6.7 points.
    assert truths[:3] == pytest.approx([20, 9, 50], abs=6.8)


@pytest.mark.django_db
def test_the_page_and_the_plan_assume_the_same(admin_client: Client) -> None:
    definition, aim = starred_pair()
    survey = survey_import(definition.document | {"slug": "pair"}, by="ana")
    Survey.objects.filter(pk=survey.pk).update(aim=aim.to_json())
    page = html.unescape(admin_client.get("/en/staff/surveys/pair/made-up/?n=20").content.decode())
    assert (
        "As the plan assumes, 20% of people have “Did you ever lie?”. All other answers without a guess"
        in page
    )
    plan = html.unescape(admin_client.get("/en/staff/surveys/pair/plan").content.decode())
    assert "This assumes that 20% of people have “Did you ever lie?”, because there is no guess." in plan


@pytest.mark.soak
def test_true_shares_of_rotating_questions_cover_everyone() -> None:
    """Each person answers four of ten questions; estimates agree with true shares of 0% and 100%."""
    questions = [yes_no(f"q{n}") for n in range(10)]
    turns = [{"blocks": ["one", "other"], "parts_per_person": 1}]
    definition = survey_of(
        protected("ten", *questions, p=6000, questions_per_person=4),
        protected("one", yes_no("never")),
        protected("other", yes_no("always")),
        rotations=turns,
    )
    guesses = {f"q{n}": 10_000 * (n % 2) for n in range(10)} | {"never": 0, "always": 10_000}
    aim = Aim(people=2_000, shares=guesses)
    shares = made_up_shares(definition, n=2_000, rng=np.random.default_rng(4), aim=aim)
    assert len(shares) == 12
    for number, share in enumerate(shares):
        match, bounded = SAID.fullmatch(share.text), BOUNDED.fullmatch(share.text)
        if bounded is not None:
            # An estimate below 0 or above 100 is not stated.
            found, truth = int(bounded.group(2)), int(bounded.group(3))
            assert bounded.group(1) == ("at least" if truth else "at most")
        else:
            assert match is not None
            found, truth = int(match.group(1)), int(match.group(4))
        assert truth == 100 * (number % 2)
        # With 800 or 1,000 people asked, a standard error is below 4 points; six are allowed.
        assert abs(found - truth) <= 24


@pytest.mark.soak
def test_simulated_numbers_and_places_are_not_listed() -> None:
    definition = definition_parse(everyday_definition())
    shares = made_up_shares(definition, n=20, rng=np.random.default_rng(3), aim=Aim(people=20))
    texts = {share.question for share in shares}
    scales = {
        question["text"]["en"]
        for block in everyday_definition()["blocks"]
        for question in block["questions"]
        if question["kind"] in ("number", "place")
    }
    assert shares
    assert scales
    assert not texts & scales


@pytest.mark.soak
@pytest.mark.django_db
def test_each_turn_simulates_new_people_and_stores_nothing(admin_client: Client) -> None:
    survey_import(shipped_definition("workplace", slug="work"), by="ana")
    address = "/en/staff/surveys/work/made-up/"
    first = admin_client.get(address).content.decode()
    assert f'name="n" value="{DEFAULT_PEOPLE}"' in first
    assert len(SAID.findall(first)) >= 2
    one, again, two = (
        SAID.findall(admin_client.get(address, {"n": 40, **turn}).content.decode())
        for turn in ({}, {"turn": 1}, {"turn": 2})
    )
    assert len(one) == len(SAID.findall(first))
    assert one == again != two
    assert admin_client.get(address, {"n": 5_000}).status_code == 422
    assert not Survey.objects.get().versions.exists()


@pytest.mark.soak
@pytest.mark.django_db
def test_the_simulation_page_lists_omitted_questions(admin_client: Client) -> None:
    """The page lists numbers, places and questions stored as answered, if there are any."""
    survey_import(everyday_definition(slug="day"), by="ana")
    page = html.unescape(admin_client.get("/en/staff/surveys/day/made-up/?n=20").content.decode())
    (said,) = re.findall("Left out here: .*?tried[.]", page)
    assert said.count("“") == 3
    assert said.endswith("and 2 more. Only protected choices and yes/no questions can be tried.")
    survey_import(document_of(protected("b", yes_no("q")), slug="all"), by="ana")
    assert "Left out" not in admin_client.get("/en/staff/surveys/all/made-up/?n=20").content.decode()


@pytest.mark.django_db
def test_incomplete_drafts_show_a_message(admin_client: Client) -> None:
    document = document_of(protected("b", yes_no("q")))
    document["slug"] = "half"
    document["blocks"][0]["questions"][0]["text"] = {}
    survey_import(shipped_definition("workplace", slug="half"), by="ana")
    Survey.objects.update(definition=document)
    assert "draft is not complete" in admin_client.get("/en/staff/surveys/half/made-up/").content.decode()


@pytest.mark.django_db
def test_drafts_missing_only_texts_can_be_simulated_and_audited(admin_client: Client) -> None:
    survey = survey_import(document_of(protected("b", yes_no("q"))), by="ana")
    about = survey.definition["about"]
    survey.definition = {**survey.definition, "about": {**about, "purpose": {"en": "[Write it.]"}}}
    survey.save()
    assert draft_read(survey).definition is None
    for name in ("authoring:plan", "authoring:made_up", "audit:draft"):
        found = admin_client.get(reverse(name, args=["checked"]))
        assert found.status_code == 200
        assert "draft is not complete" not in found.content.decode()
