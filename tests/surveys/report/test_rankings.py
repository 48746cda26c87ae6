"""Results of a ranking: in words, by average places; of an open one the figures that anybody can count."""

from __future__ import annotations

import random
import re

import pytest
from django.test import Client
from django.urls import reverse

from privacy.estimation.rankings import orders
from surveys.errors.error import SurveyError
from surveys.figures.ranking_estimates import ranking_of_run
from surveys.models import Run
from surveys.report.rankings import ranking_result
from tests.cast.rankings import NAMES, ranked_run, ranked_survey
from tests.cast.runs import alice

pytestmark = pytest.mark.django_db(transaction=True)


def people(n: int) -> list[tuple[int, int | None]]:
    """Return who all put pay before the team, and half of them the hours first; the open order in turn."""
    rng = random.Random(2)
    return [(rng.choice((0, 2)), number % 4) for number in range(n)]


def text_of(run: Run, client: Client) -> str:
    page = client.get(reverse("report:results", args=[run.pk])).content.decode()
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page))


def test_a_ranking_is_told_in_words_first_and_by_its_average_places(client: Client) -> None:
    client.force_login(alice())
    run = ranked_run(people(240))
    design = run.version.to_design()
    numbers = {question.key: number for number, question in enumerate(design.questions)}
    # Of the open orders each of the first four has 60 people.
    counted = ranking_of_run(run, numbers["matters"])
    listed = orders(4)[:4]
    for thing in range(4):
        mean = sum(order.index(thing) + 1 for order in listed) / 4
        assert counted.mean_ranks[thing].value == pytest.approx(mean)
    assert counted.first[0].value == pytest.approx(1)
    disguised = ranking_of_run(run, numbers["leave"])
    pay = disguised.mean_ranks[0]
    assert pay.low < 1.5 < pay.high
    team_last = disguised.before[0][2]
    assert team_last is not None
    assert team_last.low < 1 == team_last.high
    text = text_of(run, client)
    assert "By their places on average, the first one first." in text
    first = disguised.first[0]
    assert f"place {pay.value:.1f} on average ({pay.low:.1f}–{pay.high:.1f})" in text
    assert f"({100 * first.low:.0f}–{100 * first.high:.0f} %)" in text
    assert "Pay before The team" in text
    assert "1. Pay 2. Working hours 3. The team" in text


def test_things_are_sorted_and_neighbours_that_may_be_swapped_are_said_to_be(client: Client) -> None:
    run = ranked_run(people(200))
    wording = run.version.wording["blocks"][-1]["questions"][0]
    found = ranking_result(run, _number(run, "leave"), wording)
    assert found.names == [*NAMES.values()][:3]
    assert found.things[-1][0] == "The team"
    # Half put pay first and half the hours: nobody can say which of the two stands higher.
    assert not found.is_certain
    assert [(before, after) for before, after, _share in found.pairs[:2]].count(("The team", "Pay")) == 0
    assert all(share.value >= 0.5 for _before, _after, share in found.pairs)
    assert len(found.pairs) == 3
    assert found.orders[0][0] == "1. Pay 2. Working hours 3. The team"
    assert len(found.orders) == 6


def _number(run: Run, key: str) -> int:
    return next(n for n, question in enumerate(run.version.to_design().questions) if question.key == key)


def test_where_too_few_answered_nothing_of_a_ranking_is_told(client: Client) -> None:
    """Ninety of 150 were asked a part that waits for an open answer."""
    blocks = ranked_survey()["blocks"]
    blocks[3]["asked_if"] = {"question": "leads", "options": ["yes"]}
    run = ranked_run([(2 if number < 90 else None, 0) for number in range(150)], blocks=blocks)
    with pytest.raises(SurveyError) as refusal:
        ranking_of_run(run, _number(run, "leave"))
    assert refusal.value.code == "too_few"
    client.force_login(alice())
    assert "Too few people sent a disguised answer to leave." in text_of(run, client)
