"""An attacker derives single people's answers from a run's figures by integer programming."""

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from privacy.coins import Coins
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from surveys.models import Run, Survey
from surveys.runs.batch_rows import rows_of
from surveys.runs.snapshot import batches_of
from tests.attack.disguised_here import disguised_here
from tests.attack.feasible_tables import PublishedShare
from tests.attack.made_up import all_itemsets, profiles_definition
from tests.attack.respondents import Respondents, publish
from tests.attack.subtraction import direct_answers, open_answers, open_answers_in, read
from tests.attack.traces import split_rows
from tests.fixtures.devices import closed, stored
from tests.fixtures.runs import answered_version, mined_run
from tests.fixtures.runs import published as published_habits

pytestmark = pytest.mark.django_db

PEOPLE = 150


def run_of(*, practice: bool, direct_share: float = 0.5, people: int = PEOPLE) -> Run:
    """Return a run on three open questions with uneven answers and three protected ones, up to four items."""
    rng = np.random.default_rng(20261121)
    version = publish(profiles_definition("profiles", practice=practice))
    respondents = Respondents(version)
    rows = []
    for _ in range(people):
        answers = {
            block.key: {
                question.key: int(rng.random() < 0.3)
                if block.protected
                else min(int(rng.geometric(0.5)) - 1, len(question.options) - 1)
                for question in block.questions
            }
            for block in respondents.design.blocks
        }
        rows.append(respondents.row(answers, direct=bool(rng.random() < direct_share)))
    stored(version, rows)
    return mined_run(closed(version), all_itemsets(respondents.design))


@pytest.mark.soak
def test_unprotected_figures_reveal_direct_answers_of_unique_people() -> None:
    """The naive target, which must be broken: a practice survey promises and hides nothing."""
    run = run_of(practice=True)
    reading = read(run)
    assert reading.n == PEOPLE
    found = direct_answers(run)
    assert found.people == reading.n_direct
    # For direct respondents with unique open answers, every listed answer follows.
    assert found.certain > 0
    assert found.answers >= found.certain


@pytest.mark.soak
@pytest.mark.parametrize("made_up", [False, True])
def test_figures_reveal_no_answers_of_unique_people(made_up: bool) -> None:
    """Only one of 60 direct respondents is old, so crossing age with a disguised answer would reveal them."""
    version = published_habits()
    design = version.to_design()
    rng = random.Random(3)
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    layout = Layout(design)
    rows = []
    for number in range(160):
        late, cheat, drink = (int(rng.random() < 0.3) for _ in range(3))
        answers = {
            "you": {"age": int(number == 0 or number > 100)},
            "work": {"late": late, "cheat": cheat},
            "life": {"drink": drink},
        }
        rows.append(layout.pack(disguise(design, answers, direct=number < 60, coins=coins)))
    stored(version, rows)
    if made_up:
        Survey.objects.filter(pk=version.survey_id).update(known_truth={"drink": 0.3})
    run = mined_run(closed(version), all_itemsets(design))
    if made_up:
        found = direct_answers(run)
        assert (found.people, found.certain) == (60, 0)
    else:
        # The figures come from rows that the server disguised with the stated probabilities.
        drawn = disguised_here(run)
        assert drawn.people == 60
        assert not drawn.is_beyond_chance
        assert drawn.true < drawn.answers


@pytest.mark.soak
def test_estimates_from_direct_rows_convert_back_to_shares() -> None:
    """The shares are whole numbers of rows, so the attack loses no information of the estimates."""
    reading = read(run_of(practice=False))
    # All are of protected questions, because too few direct respondents gave each open answer to cross them.
    assert len(reading.direct) >= 7
    for share in reading.direct:
        rows = share.share * reading.n_direct
        assert rows == pytest.approx(round(rows), abs=1e-6)


@pytest.mark.soak
def test_open_answers_are_derived_from_shares_of_all_people() -> None:
    run = run_of(practice=True)
    found = open_answers(run)
    assert found.people == PEOPLE
    assert found.figures > 50
    assert found.certain <= found.answers


@pytest.mark.soak
def test_live_figures_reveal_no_open_answers_or_who_answered_directly() -> None:
    """Half are lightly disguised; shares of their open answers, if published, would reveal some answers."""
    run = run_of(practice=False)
    reading = read(run)
    assert 50 < reading.n_direct < 100 < reading.n
    way = len(reading.variables)
    assert open_answers(run).certain == 0
    design, layout = run.version.to_design(), Layout(run.version.to_design())
    rows = [
        [value for block in record.answers[:1] for value in block]
        for packed in rows_of(batches_of(run))
        for record in map(layout.unpack, split_rows(packed, layout.n_bytes))
        if record.direct
    ]
    opened = [number for number, each in enumerate(reading.variables) if not each.protected]
    planted = [
        PublishedShare(
            having={**dict(zip(some, cell, strict=True)), way: 2},
            among=frozenset(),
            share=sum(
                all(1 + row[at] == answer for at, answer in zip(some, cell, strict=True)) for row in rows
            )
            / reading.n,
        )
        for some in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))
        for cell in product(*(range(1, reading.variables[number].answers) for number in some))
    ]
    assert opened == [0, 1, 2]
    assert not design.blocks[0].protected
    found = open_answers_in(replace(reading, open=(*reading.open, *planted)), run)
    assert found.certain > 0
    assert found.answers >= found.certain


def test_disguised_respondents_give_the_attack_no_direct_answers() -> None:
    run = mined_run(answered_version(200, n_direct=0, policy="protected"))
    assert (direct_answers(run).people, direct_answers(run).figures) == (0, 0)
