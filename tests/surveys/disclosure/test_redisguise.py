"""A few direct rows: what is computed from them cannot be told from what disguised ones give."""

import math

import numpy as np
import pytest
from django.db.models import QuerySet
from django.test import Client

from mining.columns.counting import count
from mining.thresholds import Thresholds
from privacy.survey.layout import Layout
from surveys.disclosure.redisguise import direct_rows_of, disguised_here
from surveys.disclosure.releasable_rows import releasable_rows, rows_behind
from surveys.models import Batch, Version
from surveys.snapshots.columns import rows_of
from tests.cast.runs import alice, answered, counts_said, mined, true_rows

pytestmark = pytest.mark.django_db


def batches_in(version: Version) -> QuerySet[Batch]:
    return Batch.objects.filter(version=version).order_by("pk")


def implied_disguised_rows(error: float, n: int, *, p: float, theta: float) -> float:
    """How many rows were disguised if the error of a support about these respondents is this one.

    Each of n1 disguised rows adds z^2 - z to the square of n times the error, and at theta = 1/2 that is
    c (p + c) / p^2 with c = (1-p) theta, whether the row shows the item or not.
    """
    c = (1 - p) * theta
    return (error * n) ** 2 * p**2 / (c * (p + c))


@pytest.mark.parametrize(("n_direct", "disguised"), [(20, 300), (49, 300), (60, 240)])
def test_the_error_of_an_estimate_does_not_tell_how_few_answered_directly(
    n_direct: int, disguised: int
) -> None:
    run = mined(answered(300, n_direct=n_direct), Thresholds(support=0.02, max_size=1, target="respondents"))
    drink = run.itemsets.get(items=",4,")
    told = implied_disguised_rows(drink.support_se, run.n, p=0.7, theta=0.5)
    assert told == pytest.approx(disguised)
    assert (run.n, run.n_direct, run.n_protected) == (300, n_direct, 300 - n_direct)


def test_a_row_is_disguised_once_whatever_is_read_with_it() -> None:
    version = answered(200, n_direct=40)
    design, batches = version.to_design(), batches_in(version)
    whole = disguised_here(design, batches)
    assert whole.startswith(disguised_here(design, batches[:1]))
    assert disguised_here(design, batches) == whole
    layout = Layout(design)
    sent = [layout.unpack(whole[at : at + layout.n_bytes]) for at in range(0, len(whole), layout.n_bytes)]
    true = [
        layout.unpack(row)
        for packed in rows_of(batches)
        for _place, row in direct_rows_of(packed, layout.n_bytes)
    ]
    assert len(sent) == len(true) == 40
    assert not any(record.direct for record in sent)
    # Open answers stay what they are; of the others some were drawn.
    assert [record.answers[0] for record in sent] == [record.answers[0] for record in true]
    assert [record.answers[1:] for record in sent] != [record.answers[1:] for record in true]


def test_kept_counts_are_those_of_the_rows() -> None:
    version = answered(300, n_direct=30)
    found = releasable_rows(version, batches_in(version))
    assert found.kept is not None
    assert (found.matrix.n_direct, found.matrix.n_protected, found.few_direct) == (0, 300, 30)
    assert not found.shown.groups
    assert (found.kept.counts == count(found.matrix, found.kept.requests)).all()


@pytest.mark.parametrize(("n_direct", "changes"), [(0, {}), (50, {}), (30, {"practice": True})])
def test_other_rows_stay_as_they_were_sent(n_direct: int, changes: dict[str, bool]) -> None:
    version = answered(300, n_direct=n_direct, **changes)
    found = releasable_rows(version, batches_in(version))
    assert (found.matrix.n_direct, found.few_direct) == (n_direct, 0)
    assert found.shown.groups


def test_estimates_stay_right(client: Client) -> None:
    run = mined(answered(800, n_direct=49), Thresholds(support=0.02, max_size=2))
    rows = list(true_rows(800))
    for items, holds in ((",4,", ("life", "drink")), (",2,", ("work", "late"))):
        row = run.itemsets.get(items=items)
        truth = np.mean([answers[holds[0]][holds[1]] for answers in rows])
        assert abs(row.support - truth) < 5 * row.support_se
    assert rows_behind(run).few_direct == 49
    client.force_login(alice())
    for name in ("", "estimators/", "practice/", "about/", "audit/"):
        page = client.get(f"/en/staff/runs/{run.pk}/{name}")
        assert page.status_code == 200
        assert "751" not in counts_said(page.content.decode())


def test_a_half_is_large_enough_without_those_who_answered_directly() -> None:
    run = mined(answered(400, n_direct=40), Thresholds(support=0.02, max_size=1, halves=True))
    assert run.job.state == "finished"
    assert (run.n, run.n_protected) == (200, 160)
    assert math.isclose(rows_behind(run).matrix.n, 200)
