"""Rows and figures show whether the server disguised directly sent answers."""

import numpy as np
import pytest

from tests.attack.disguised_here import DisguisedHere, disguised_here
from tests.attack.linkage import FALSE_ALARM
from tests.attack.made_up import mined_survey, profiles_definition
from tests.fixtures.planted_leaks import LEAKS
from tests.fixtures.runs import answered_version, mined_run

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = 400


def profiles(*, practice: bool = False) -> DisguisedHere:
    definition = profiles_definition("profiles", practice=practice)
    return disguised_here(mined_survey(definition, PEOPLE, rng=np.random.default_rng(5)))


@pytest.mark.soak
def test_server_disguise_follows_the_stated_probabilities() -> None:
    """All 220 answers stay true with probability 4e-11, so missing disguise would certainly be detected."""
    result = profiles()
    assert result.people > 90
    assert result.answers == 2 * result.people
    assert result.p_value > FALSE_ALARM
    # How people answered counts as an open answer, so few figures cover direct respondents.
    assert (result.figures > 5, result.other) == (True, 0)
    assert not result.is_beyond_chance


def test_rows_stored_undisguised_differ_from_the_rows_analysed(monkeypatch: pytest.MonkeyPatch) -> None:
    run = mined_run(answered_version(300, n_direct=150))
    before = disguised_here(run)
    assert (before.people, before.is_beyond_chance) == (150, False)
    LEAKS["undisguised answers are not disguised"].plant(monkeypatch.setattr)
    after = disguised_here(run)
    assert after.true == after.answers == before.answers > before.true
    assert after.p_value <= FALSE_ALARM
    assert after.other > 0


def test_the_test_is_empty_if_all_rows_are_disguised() -> None:
    result = disguised_here(mined_run(answered_version(200, n_direct=0, policy="protected")))
    assert (result.people, result.answers, result.p_value, result.is_beyond_chance) == (0, 0, 1.0, False)
