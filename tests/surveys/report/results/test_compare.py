"""The comparison page recovers known answers, and says when there are too few people."""

import math
from dataclasses import replace

import pytest
from django.test import Client

from surveys.models import Run
from surveys.questionnaire.aim import Aim
from surveys.report.opened_run import with_results
from surveys.report.results.planned_question import your_question
from surveys.runs.opening_figures import stored_pair
from tests.fixtures.runs import SINGLES, answered_version, mined_run, planned_version
from tests.fixtures.scale_runs import scale_answered

pytestmark = pytest.mark.django_db
LONG_HOURS = {"outcome": "hours:range", "outcome_from": "50"}
BY_THE_RIVER = {"by": "care=river"}


def test_invalid_comparisons_are_explained(reader: Client) -> None:
    here = f"/en/staff/runs/{mined_run(scale_answered(400), SINGLES).pk}/compare/"
    for given, words in (
        ({"outcome": "drink"}, "Choose one of these."),
        ({"by": "drink"}, "Choose one of these."),
        ({"outcome": "drink", "by": "drink"}, "Choose a different answer from the one you compare."),
        (LONG_HOURS | BY_THE_RIVER | {"outcome_from": "80"}, "80 is outside 0 to 79"),
        ({"outcome": "drink", "by": "hours:mean"}, "“hours:mean” cannot be chosen here."),
        ({"outcome": "drink"} | BY_THE_RIVER | {"margins": "age,40"}, "must have 3 cells, not 2"),
    ):
        response = reader.get(here, given)
        assert response.status_code == 200
        assert words in response.content.decode()
        for path in ("comparison.csv", "comparison.json"):
            assert reader.get(here + path, given).status_code == 422, words


@pytest.mark.soak
def test_results_begin_with_the_planned_answer_if_any() -> None:
    shares = your_question(with_results(mined_run(planned_version(Aim(people=400, wanted=("drink",))))))
    assert shares is not None
    assert [part.label.key for part in shares.shares] == ["drink"]
    assert your_question(with_results(mined_run(answered_version(light=True)))) is None


@pytest.mark.soak
def test_a_pair_that_an_earlier_version_stored_is_completed_from_its_run() -> None:
    """Estimates had no n, effective n, level and range, and comparisons no effective n."""
    run = mined_run(planned_version(Aim(people=900, wanted=("late", "cheat"))), SINGLES)
    now = stored_pair(run)
    pair = run.summary["results"]["pair"]
    del pair["effective_n"], pair["denial"]
    for own in pair.values():
        if isinstance(own, dict):
            for name in ("n", "effective_n", "level", "possible"):
                del own[name]
    run.save(update_fields=["summary"])
    assert stored_pair(Run.objects.get(pk=run.pk)) == replace(now, denial=None)
    assert now.lift.possible == (0, math.inf)
    assert now.difference.basis == "estimate"
