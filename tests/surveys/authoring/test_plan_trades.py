"""The plan page says wherever a starred figure is less exact than it could be, once for equal figures."""

import html
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given, settings

from privacy.planning.changes import NOTICEABLE
from privacy.planning.use import Use, strong, use_of
from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.authoring.plan_trades import harm_sentences, star_sentences, trade_sentences, worse_keys
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft_plan import plan
from surveys.questionnaire.plan_changes import costs
from surveys.questionnaire.use_words import item_names, points
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.planned_drafts import (
    CHOICE,
    EIGHT,
    drafted,
    guessed_drafts,
    number_part,
    options,
    planned,
)
from tests.fixtures.staff import browser_of, member

GUESSES = {"q0": 1000, "q1": 2000}


def eight_and_a_number() -> Definition:
    seven = [yes_no(f"q{number}") for number in range(7)]
    return drafted(protected("b", *seven, CHOICE, refusal=154), number_part() | {"refusal": True})


def harms(draft: Definition, aim: Aim) -> list[str]:
    made = planned(draft, aim)
    return harm_sentences(made.use, costs(draft, aim), item_names(made.definition))


@pytest.mark.soak
def test_equal_harms_are_one_sentence_that_names_the_questions_and_both_figures() -> None:
    """No layout shows every figure with 250 people; without one of seven questions another layout does."""
    draft, aim = eight_and_a_number(), Aim(people=250, wanted=("q0",), shares=GUESSES)
    now, without = planned(draft, aim).use, costs(draft, aim)
    assert not now.is_useful
    found = harms(draft, aim)
    worse = [each for each in without.values() if worse_keys(now, each)]
    assert len(found) == len({(each.widths["q0"], each.people_needed) for each in worse}) < len(worse)
    first = found[0]
    figures = re.findall(r"±([\d.]+) points", first)
    assert figures == [points(without["q1"].half_widths["q0"]), points(now.half_widths["q0"])]
    assert re.match(
        r"Without one of “Did you ever q1\?”, “Did you ever q2\?”, “Did you ever q3\?” and 3 more, another "
        r"layout is chosen, and starred figures are less exact: “Did you ever q0\?” ±",
        first,
    )
    assert first.endswith(f"In return, it can be published with {without['q1'].people_needed} answers.")


@pytest.mark.soak
def test_a_link_that_is_found_less_often_is_said_with_its_figures() -> None:
    draft, aim = eight_and_a_number(), Aim(people=250, wanted=("q0", "q1"), shares=GUESSES)
    now, without = planned(draft, aim).use, costs(draft, aim)
    assert (without["q2"].power or 0) < (now.power or 0) - NOTICEABLE
    (said,) = [sentence for sentence in harms(draft, aim) if "q2" in sentence]
    assert "less exact: the link is found less often; “Did you ever q0?” ±" in said
    assert not any(sentence.startswith("Without “How many hours?”") for sentence in harms(draft, aim))


def test_a_link_that_can_be_found_has_both_differences() -> None:
    now, without = (
        Use(
            aim=Aim(people=300, wanted=("a", "b")),
            half_widths={"a": 0.1, "b": 0.1},
            power=power,
            difference=difference,
            difference_sought=0.3,
            asked_together=1.0,
        )
        for power, difference in ((0.7, 0.331), (0.6, 0.372))
    )
    (said,) = harm_sentences(now, {"c": without}, {"a": "A", "b": "B", "c": "C"})
    assert said == (
        "Without “C”, another layout is chosen, and starred figures are less exact: the link is found at 38 "
        "instead of 34 points."
    )
    assert harm_sentences(without, {"c": now}, {"a": "A", "b": "B", "c": "C"}) == []


def test_half_widths_above_100_points_look_the_same_and_none_is_worse() -> None:
    before, after = (
        Use(
            aim=Aim(people=300, wanted=("a",)),
            half_widths={"a": width},
            power=None,
            difference=None,
            difference_sought=0.3,
            asked_together=None,
        )
        for width in (1.5, 6.4)
    )
    assert worse_keys(before, after) == []


@settings(max_examples=60, deadline=None)
@given(guessed_drafts())
@pytest.mark.soak
def test_every_question_without_which_a_starred_figure_is_worse_is_said_and_no_other(
    drafted_aim: tuple[Definition, Aim],
) -> None:
    """Leaving a question out can widen a starred figure, and then adding it narrows it."""
    draft, aim = drafted_aim
    made = plan(draft, aim)
    if made is None:
        return
    # Short names, so that none is cut, and none contains another.
    names = {key: f"<{key}>" for key in item_names(made.definition)}
    for key, use in costs(draft, aim).items():
        said = harm_sentences(made.use, {key: use}, names)
        wider = [each for each in aim.wanted if use.widths[each] > made.use.widths[each] + NOTICEABLE]
        is_rarer = made.use.power is not None and (use.power or 0.0) < made.use.power - NOTICEABLE
        assert bool(said) == bool(wider or is_rarer)
        for sentence in said:
            assert f"Without “<{key}>”" in sentence
            assert [each for each in aim.wanted if f"“<{each}>” ±" in sentence] == wider
            assert ("the link" in sentence) == is_rarer


@pytest.mark.parametrize("skips", [{}, {"refusal": 1000}], ids=str)
def test_the_price_of_a_comparison_is_said(skips: dict[str, int]) -> None:
    draft = drafted(protected("b", EIGHT[0], options({**CHOICE, "key": "eight"}, 8), **skips), number_part())
    aim = Aim(people=1293, wanted=("q0", "eight=o0"))
    made, plain = planned(draft, aim), planned(draft, replace(aim, wanted=()))
    before = use_of(strong(plain.definition.design), aim).widths["q0"]
    (said,) = trade_sentences(made, draft, aim, {})
    assert said == (
        "The comparison has its price. Without stars, shares are more exact: “Did you ever q0?” "
        f"±{points(before)} points instead of ±{points(made.use.widths['q0'])} points."
    )
    assert made.use.widths["q0"] > before + 0.02
    one = replace(aim, wanted=("q0",))
    assert trade_sentences(planned(draft, one), draft, one, {}) == []


@settings(max_examples=60, deadline=None)
@given(guessed_drafts())
@pytest.mark.soak
def test_a_star_that_widens_its_own_figure_is_always_said_with_its_reason(
    drafted_aim: tuple[Definition, Aim],
) -> None:
    draft, aim = drafted_aim
    made, plain = plan(draft, aim), plan(draft, replace(aim, wanted=()))
    if made is None or plain is None:
        return
    before = use_of(strong(plain.definition.design), aim)
    wider = [key for key in aim.wanted if made.use.widths[key] > before.widths[key] + NOTICEABLE]
    assert worse_keys(before, made.use) == wider
    said = star_sentences(made.use, before, {key: f"<{key}>" for key in made.use.widths})
    assert bool(said) == bool(wider)
    for sentence in said:
        assert [key for key in aim.wanted if f"“<{key}>” ±" in sentence] == wider
        if "could not be published" in sentence:
            assert made.is_useful
            assert not before.is_useful
        else:
            assert "The comparison has its price." in sentence
            assert made.use.power is not None


@pytest.mark.django_db
@pytest.mark.soak
def test_the_page_says_each_trade_once() -> None:
    seven = [yes_no(f"q{number}") for number in range(7)]
    document = document_of(protected("b", *seven, CHOICE, refusal=154), number_part() | {"refusal": True})
    owner = member("ana", Role.RESEARCHER)
    draft_create(document, slug="play", source="scratch", owner=owner, by="ana", now=timezone.now())
    client: Client = browser_of("ana", Role.RESEARCHER)
    keys = [*(f"q{number}" for number in range(7)), "often", "hours"]
    entries = {
        "people": "250",
        "strength": "medium",
        "star_q0": "q0",
        "guess_q0": "10",
        "guess_q1": "20",
        "revision": "1",
        **{f"protect_{key}": "on" for key in keys},
    }
    page = client.post("/en/staff/surveys/play/plan", entries)
    trades = page.context["trades"]
    assert trades
    said = html.unescape(page.content.decode())
    for sentence in trades:
        assert said.count(sentence) == 1
