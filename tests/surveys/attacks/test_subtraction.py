"""Who reads the figures of a run finds by whole-number solving what follows of single people."""

from __future__ import annotations

import numpy as np
import pytest

from surveys.attacks.made_up import all_itemsets, profiles_definition
from surveys.attacks.respondents import Respondents, publish
from surveys.attacks.subtraction import direct_answers, open_answers, read
from surveys.models import Run
from tests.cast.devices import closed, stored
from tests.cast.runs import answered, mined

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

PEOPLE = 150


def run_of(*, practice: bool, direct_share: float = 0.5) -> Run:
    """Three open questions of uneven answers, three protected ones; all itemsets of up to four items."""
    rng = np.random.default_rng(20261121)
    version = publish(profiles_definition("profiles", practice=practice))
    respondents = Respondents(version)
    rows = []
    for _ in range(PEOPLE):
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
    return mined(closed(version), all_itemsets(respondents.design))


def test_where_nothing_is_hidden_direct_answers_of_lonely_people_follow() -> None:
    """The planted naive target: a practice survey promises nothing and hides nothing."""
    run = run_of(practice=True)
    reading = read(run)
    assert reading.n == (PEOPLE, PEOPLE)
    assert reading.n_direct is not None
    assert reading.n_direct[0] == reading.n_direct[1]
    found = direct_answers(run)
    assert found.people == reading.n_direct[0]
    # Of those who alone have their open answers all that is listed among the direct ones follows.
    assert found.certain > 0
    assert found.answers >= found.certain


def test_open_answers_are_read_from_shares_of_everybody() -> None:
    run = run_of(practice=True)
    found = open_answers(run)
    assert found.people == PEOPLE
    assert found.figures > 50
    assert found.certain <= found.answers


def test_a_few_direct_people_are_not_there_to_be_read() -> None:
    """Below fifty of them no figure of the group alone is published."""
    run = run_of(practice=False, direct_share=0.1)
    reading = read(run)
    assert (reading.n_direct, reading.direct) == (None, ())
    assert direct_answers(run).certain == 0


def test_where_everybody_is_disguised_there_is_nobody_to_be_read() -> None:
    run = mined(answered(200, n_direct=0, policy="protected"))
    assert (direct_answers(run).people, direct_answers(run).figures) == (0, 0)
