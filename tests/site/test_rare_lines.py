"""A list of fourteen rare acts of which each person is asked some: pairs that few people were asked."""

import html
import itertools
import random

import numpy as np
import pandas
import pytest
from django.test import Client
from django.urls import reverse

import sottovoce
from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.layout import Layout, Record
from surveys.models import Run
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.draft_plan import plan
from surveys.runs.shown_of_run import shown_itemsets
from tests.fixtures.checked_surveys import protected
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.runs import alice, mined_run
from tests.surveys.questionnaire.test_stems import document, line

ACTS = tuple(f"l{number}" for number in range(14))
# From 1% to 10%.
SHARES = np.array([0.01, 0.02, 0.03, 0.05, 0.1] * 3)[: len(ACTS)]
PEOPLE, PLANNED = 250, 400


def answered() -> Run:
    """Return the run of a survey that was planned for 400 people, of whom 250 answered."""
    lines = [line(key) for key in ACTS]
    draft = definition_without_texts(document(protected("part", *lines, refusal=1000)))
    assert draft is not None
    laid = plan(draft, Aim(people=PLANNED))
    assert laid is not None
    version = published({**laid.document, "slug": "rare"})
    design, rng = version.to_design(), random.Random(4)
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    key, layout = design.blocks[0].key, Layout(design)
    rows = [layout.pack(_sent(design, key, rng, coins)) for _ in range(PEOPLE)]
    stored(version, rows)
    return mined_run(closed(version), Thresholds(support=0.01, max_size=2))


def _sent(design: Design, key: str, rng: random.Random, coins: Coins) -> Record:
    """Return what the device of one person sends, who answers the acts that it drew."""
    drawn = draw_questions(design, coins)
    (booklet,) = drawn
    answers = {ACTS[number]: int(rng.random() < SHARES[number]) for number in booklet}
    return disguise(design, {key: answers}, direct=False, coins=coins, drawn=drawn)


@pytest.mark.django_db
@pytest.mark.soak
def test_pairs_that_few_people_were_asked_are_not_shown(client: Client) -> None:
    run = answered()
    design = run.version.to_design()
    asked = {pair: design.drawn_together(pair) for pair in itertools.combinations(range(len(ACTS)), 2)}
    assert max(asked.values()) * PEOPLE < 100
    assert min(asked.values()) == 0
    sizes = {row.size for row in shown_itemsets(run)}
    assert sizes <= {1}, "a pair is shown although fewer than 100 people were asked both"
    # At least one of several lines needs 100 people who were asked all of them.
    client.force_login(alice())
    address = reverse("report:compare", args=[run.pk])

    def page_of(*acts: str) -> str:
        query = "&".join(f"any_of={act}" for act in acts)
        return html.unescape(client.get(f"{address}?{query}&by=everyone").content.decode())

    apart = next(pair for pair, share in asked.items() if not share)
    assert "No respondent is asked 'l0', 'l4' together" in page_of(*(ACTS[number] for number in apart))
    assert "No respondent is asked" in page_of(*ACTS[:8])
    for pair, share in asked.items():
        if share in (max(asked.values()), min(filter(None, asked.values()))):
            page = page_of(*(ACTS[number] for number in pair))
            assert "Too few respondents were asked all of these questions" in page, pair


@pytest.mark.soak
def test_intervals_of_rarely_joint_lines_hold_the_truth() -> None:
    """Of 200 surveys fewer than 172 hold it 3 times in 10 million at 95% coverage, 98 in 100 at 80%."""
    surveys = 200
    part = {"part": {"used": sottovoce.any_of(ACTS)}}
    survey = sottovoce.Survey(part, p=0.5, skip={"part": 0.2}).plan(PLANNED).survey
    names, rng = [f"used={act}" for act in ACTS], np.random.default_rng(5)
    # Half of the answers follow one draw per person, so that acts go together.
    draws = rng.random((PEOPLE * surveys, len(ACTS)))
    together = rng.random((PEOPLE * surveys, 1))
    answers = np.where(rng.random(draws.shape) < 0.5, together, draws) < SHARES
    frame = pandas.DataFrame(answers.astype(float), columns=names).assign(**{"part.skipped": 0})
    reports = survey.disguise(frame, seed=1)
    pairs: dict[float, tuple[int, int]] = {}
    for pair in itertools.combinations(range(len(ACTS)), 2):
        pairs.setdefault(float(survey.design.drawn_together(pair)), pair)
    assert len(pairs) > 2
    for one, other in (pair for share, pair in pairs.items() if share):
        both = 0.25 * min(SHARES[one], SHARES[other]) + 0.75 * SHARES[one] * SHARES[other]
        any_of = SHARES[one] + SHARES[other] - both
        held = [0, 0]
        for start in range(0, PEOPLE * surveys, PEOPLE):
            found = survey.on(reports.iloc[start : start + PEOPLE])
            figures = (
                found.share(names[one], names[other]),
                found.share(at_least_one=(names[one], names[other])),
            )
            for at, (figure, truth) in enumerate(zip(figures, (both, any_of), strict=True)):
                low, high = figure.interval()
                held[at] += low <= truth <= high
        assert min(held) >= 172, (one, other, held)
