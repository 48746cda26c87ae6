"""How much there is to read on the first pages of a run, on the demonstration's answers."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import dataclass
from html.parser import HTMLParser

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from privacy.coins import Coins
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from surveys.authoring.publish import survey_import, survey_publish
from surveys.demo.demonstration import SEED_OF_CHOICES, definition, respondents
from surveys.models import Run
from tests.fixtures.devices import closed
from tests.fixtures.runs import LOOSE, alice, mined, mixer_ready, stored

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MOST_WORDS_OF_RESULTS = 400
MOST_WORDS_BESIDE_RULES = 150
MOST_FIGURES_OF_A_RULE = 12
PEOPLE = 3_000
VOID = {"br", "input", "img", "hr", "col", "meta", "link", "wbr"}
UNSEEN = {"svg", "script", "style", "option"}


@dataclass(frozen=True)
class Element:
    """An element that is open at the parser's position."""

    tag: str
    hides: bool
    is_folded: bool


class Seen(HTMLParser):
    """The texts of `main` that are in sight: no picture, nothing folded away, no options of a menu."""

    def __init__(self, page: str, *, without: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.unseen = UNSEEN | without
        self.open: list[Element] = []
        self.texts: list[str] = []
        self.feed(page)

    @property
    def words(self) -> list[str]:
        return [word for word in " ".join(self.texts).split() if re.search("[A-Za-z]", word)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        marks = dict(attrs)
        hides = tag in self.unseen or "visually-hidden" in (marks.get("class") or "")
        if self.open:
            above = self.open[-1]
            hides = hides or above.hides or (above.is_folded and tag != "summary")
        self.open.append(Element(tag, hides=hides, is_folded=tag == "details" and "open" not in marks))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop().tag != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.open and not self.open[-1].hides and "main" in {one.tag for one in self.open}:
            self.texts.append(data)


@pytest.fixture
def run() -> Run:
    assert mixer_ready()
    survey = survey_import(definition(), by="alice")
    version = survey_publish(survey, by="alice", now=timezone.now())
    design, rng = version.to_design(), random.Random(5)
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    people = itertools.islice(respondents(rng=np.random.default_rng(SEED_OF_CHOICES)), PEOPLE)
    layout = Layout(design)
    stored(
        version,
        [layout.pack(disguise(design, one.answers, direct=one.direct, coins=coins)) for one in people],
    )
    return mined(closed(version), LOOSE)


def test_results_and_rules_can_be_read_in_two_minutes(run: Run, client: Client) -> None:
    client.force_login(alice())
    results = client.get(f"/en/staff/runs/{run.pk}/results/").content.decode()
    rules = client.get(f"/en/staff/runs/{run.pk}/").content.decode()
    words = Seen(results).words
    assert 100 < len(words) <= MOST_WORDS_OF_RESULTS
    beside = Seen(rules, without=frozenset({"table"})).words
    assert 50 < len(beside) <= MOST_WORDS_BESIDE_RULES
    body = re.findall(r"<tbody>(.*?)</tbody>", rules, re.DOTALL)[-1]
    lines = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    assert len(lines) > 10
    for line in lines:
        cells = " ".join(re.findall(r"<td[^>]*>(.*?)</td>", line, re.DOTALL))
        figures = re.findall(r"\d*\.?\d+", re.sub(r"<[^>]*>", " ", cells))
        assert 6 <= len(figures) <= MOST_FIGURES_OF_A_RULE, figures


def test_what_is_folded_away_is_not_counted_and_what_is_open_is() -> None:
    page = (
        "<p>out</p><main><p>one <b>two</b></p><details><summary>three</summary><p>no</p></details>"
        "<details open><summary>four</summary><p>five</p></details><br><select><option>no</option></select>"
        '<span class="visually-hidden">no</span><svg><text>no</text></svg>six</main>out'
    )
    assert Seen(page).words == ["one", "two", "three", "four", "five", "six"]
