"""A part from a promise: the published figure, what it keeps, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django import forms
from django.test import Client
from django.urls import reverse

from privacy.risk.breach import no_breach
from surveys.access.roles import Role
from surveys.planner.forms import PlanForm
from surveys.planner.promise_page import MOST_QUESTIONS, START, PromiseForm, promised_part
from surveys.report.audit.own_belief import BeliefForm
from tests.cast.staff import member

pytestmark = pytest.mark.django_db


@pytest.fixture
def researcher(client: Client) -> Client:
    client.force_login(member("ana", Role.RESEARCHER))
    return client


def part(**given: str):
    form = PromiseForm(START | given)
    assert form.is_valid(), form.errors
    return promised_part(form)


def test_five_questions_from_five_to_fifty_percent_are_those_of_the_library() -> None:
    found = part(questions="5", theta="50")
    assert (found.p, found.theta, found.limit) == ("35.99 %", "50.00 %", "19.000")


@pytest.mark.parametrize(("before", "after", "questions"), [("5", "50", 3), ("1", "10", 1), ("20", "90", 8)])
def test_the_part_keeps_the_promise_and_the_next_truth_probability_would_not(
    before: str, after: str, questions: int
) -> None:
    found = part(before=before, after=after, questions=str(questions), theta="50")
    truth = Fraction(found.p.removesuffix(" %")) / 100
    rho = Fraction(before) / 100, Fraction(after) / 100
    for p, keeps in ((truth, True), (truth + Fraction(1, 10_000), False)):
        assert no_breach(1 + p / ((1 - p) * Fraction(1, 2**questions)), *rho) is keeps


def test_the_page_shows_the_part_and_keeps_what_was_asked_in_its_address(researcher: Client) -> None:
    page = researcher.get(reverse("planner:promise"), START | {"questions": "5", "theta": "50"})
    assert page.status_code == 200
    assert "35.99 %" in page.content.decode()
    assert "never as sure as 50 %" in page.content.decode()
    assert reverse("planner:promise") in researcher.get(reverse("planner:planner")).content.decode()


def test_promises_that_cannot_be_are_refused_with_the_remedy(researcher: Client) -> None:
    for given, said in (
        ({"before": "50", "after": "5"}, "not in order"),
        ({"questions": str(MOST_QUESTIONS)}, "sk fewer questions"),
        ({"questions": str(MOST_QUESTIONS + 1)}, "less than or equal to 20"),
        ({"before": "0"}, "greater than or equal to"),
        ({"share": "many"}, "number"),
    ):
        page = researcher.get(reverse("planner:promise"), START | given)
        assert (page.status_code, said in page.content.decode()) == (422, True), (given, said)


@pytest.mark.parametrize("form", [BeliefForm, PlanForm, PromiseForm])
def test_the_least_and_the_greatest_value_that_a_form_names_are_taken(form: type[forms.Form]) -> None:
    """A least value of binary .01 is a little above .01 and refused it."""
    fields = [field for field in form.base_fields.values() if isinstance(field, forms.DecimalField)]
    assert fields
    for field in fields:
        for end in (field.min_value, field.max_value):
            assert end is None or field.clean(str(end)) == end
