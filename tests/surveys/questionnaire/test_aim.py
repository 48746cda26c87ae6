"""A survey's purpose: stored with the survey, and the same ceilings on the builder's page."""

from __future__ import annotations

import html
import re
from fractions import Fraction
from pathlib import Path

import pytest
from django.test import Client

from privacy.planning.layouts import PROTECTIONS
from privacy.risk.promise import percent
from surveys.questionnaire.aim import PEOPLE_UNSTATED, Aim, usual_promise
from tests.fixtures.checked_surveys import protected, survey_of, yes_no

SCRIPT = Path(__file__).resolve().parents[3] / "surveys/static/surveys/js/authoring/strength.js"
CEILING = r"\{ up: (\d+)n, down: (\d+)n \}"


def test_the_three_protections_promise_these_figures() -> None:
    assert {name: (percent(row.everything), percent(row.answer)) for name, row in PROTECTIONS.items()} == {
        "light": (95, 90),
        "medium": (95, 80),
        "strong": (88, 70),
    }


@pytest.mark.parametrize("name", PROTECTIONS)
def test_the_builders_page_has_the_same_ceilings(name: str) -> None:
    stated = re.search(
        rf"{name}: \{{ everything: {CEILING}, answer: {CEILING} \}}", SCRIPT.read_text(encoding="utf-8")
    )
    assert stated is not None
    up, down, one_up, one_down = map(int, stated.groups())
    row = PROTECTIONS[name]
    assert (row.everything, row.answer) == (Fraction(up, down), Fraction(one_up, one_down))


def test_what_is_stored_comes_back() -> None:
    aim = Aim(people=400, wanted=("a", "c"), shares={"a": 1234}, strength="strong")
    assert Aim.from_json(aim.to_json()) == aim
    assert Aim.from_json(None) is None
    assert (Aim.people_of(aim.to_json()), Aim.people_of(None)) == (400, PEOPLE_UNSTATED)


def test_items_that_a_draft_has_no_more_are_left_out() -> None:
    design = survey_of(protected("b", yes_no("a"))).design
    aim = Aim(people=400, wanted=("gone", "a"), shares={"gone": 1, "a": 2})
    assert aim.within(design) == Aim(people=400, wanted=("a",), shares={"a": 2})


ROOT = Path(__file__).resolve().parents[3]


def usual() -> str:
    return usual_promise().replace("\xa0", " ")


def test_the_usual_promise_is_that_of_the_medium_protection() -> None:
    assert usual() == (
        "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. One of your "
        "disguised answers could make them at most 80% sure. Everything your device sends, taken together: "
        "at most 95%."
    )


@pytest.mark.parametrize("page", ["README.md", "docs/privacy.md"])
def test_the_documentation_says_it_in_the_same_words(page: str) -> None:
    text = re.sub(r"\s+", " ", (ROOT / page).read_text(encoding="utf-8"))
    assert usual() in text


@pytest.mark.django_db
def test_the_home_page_says_it(client: Client) -> None:
    assert usual() in html.unescape(client.get("/en/").content.decode()).replace("\xa0", " ")
