"""A survey whose part sends rows near the true one, from its definition to a report, through a real job."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from mining.thresholds import Thresholds
from surveys.models import ItemsetRow, RuleRow
from tests.cast.exports import unpacked
from tests.cast.near_part import SHARES, near_survey
from tests.cast.runs import alice, mined

pytestmark = pytest.mark.django_db

TRIPLES = Thresholds(support=0.1, max_size=3, confidence=0.1)
N = 6_000


@pytest.mark.soak
@pytest.mark.parametrize("per_person", [None, 6])
def test_from_answers_to_rules_their_errors_and_their_pages(
    client: Client, tmp_path: Path, per_person: int | None
) -> None:
    run = mined(near_survey(N, per_person=per_person), TRIPLES)
    rows = list(ItemsetRow.objects.filter(run=run))
    assert {row.size for row in rows} == {1, 2, 3}
    for row in rows:
        items = [int(item) for item in row.items.strip(",").split(",")]
        # The open item is the first: six in ten live in a city.
        truth = min(0.6 if item == 0 else SHARES[item - 1] for item in items)
        # Six standard errors of the population: a false alarm once in a hundred million itemsets.
        assert abs(row.support - truth) < 6 * row.support_se + 1e-9, row.items
    assert RuleRow.objects.filter(run=run).exists()
    client.force_login(alice())
    for page in ("results", "about", "audit", "itemsets", "rules"):
        answer = client.get(f"/en/staff/runs/{run.pk}/{page}/")
        assert answer.status_code in (200, 302, 404), page
        if page in ("results", "about"):
            assert answer.status_code == 200, page
    rule = RuleRow.objects.filter(run=run).first()
    assert rule is not None
    where = unpacked(run, tmp_path)
    names = {path.name for path in where.iterdir()}
    # That the scripts give the figures again is tried in tests/surveys/export/test_near_scripts.py.
    assert {"rows.csv", "reproduce.py", "reproduce.R", "regression.py", "regression.R"} <= names
    assert "with at most 1 of them changed" in (where / "README.md").read_text(encoding="utf-8")
