from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from surveys.models import RuleInference, RuleRow, Run
from surveys.report.rules.rows_or_counts import listing_of
from tests.fixtures.counted_runs import both, fields, judge
from tests.fixtures.pages import open_page
from tests.fixtures.runs import alice, answered_version

pytestmark = pytest.mark.django_db


@pytest.mark.soak
def test_a_judged_rule_gets_a_row_with_all_its_figures() -> None:
    rows, counts = both(answered_version())
    judge(counts)
    stored = list(RuleRow.objects.filter(run=counts).select_related("inference").order_by("pk"))
    assert len(stored) == 2
    for row in stored:
        (other,) = RuleRow.objects.filter(
            run=rows, antecedent=row.antecedent, consequent=row.consequent
        ).select_related("inference")
        assert fields(row, without={"id", "run_id"}) == fields(other, without={"id", "run_id"})
        assert fields(row.inference, without={"rule_id"}) == fields(other.inference, without={"rule_id"})
    assert RuleInference.objects.filter(rule__run=counts).count() == 2
    # The address of a rule does not change when someone judges it.
    listing = listing_of(counts)
    assert [rule.key for rule in listing.rules([1, 2, 3])] == [1, 2, 3]
    assert [listing.key_of(row) for row in stored] == [1, 2]
    assert [listing.has(key) for key in (0, 1, counts.summary["rules"], counts.summary["rules"] + 1)] == [
        False,
        True,
        True,
        False,
    ]


@pytest.mark.soak
def test_pages_and_files_read_counts_as_they_read_rows(client: Client) -> None:
    rows, counts = both(answered_version())
    client.force_login(alice())

    def text(run: Run, name: str, *more: object) -> str:
        response = client.get(reverse(f"report:{name}", args=[run.pk, *more]))
        assert response.status_code == 200, (name, response)
        content = b"".join(response) if response.streaming else response.content
        return content.decode().replace(f"run {run.pk}", "run").replace(f"runs/{run.pk}/", "runs/")

    for name in ("rules_file", "itemsets_csv"):
        ending = ["csv"] if name == "rules_file" else []
        by_rows, by_counts = (text(run, name, *ending).splitlines() for run in (rows, counts))
        assert len(by_rows) > 5
        # The last columns of each line name the survey and the run.
        assert [line.split(",habits,")[0] for line in by_rows] == [
            line.split(",habits,")[0] for line in by_counts
        ]
    for name in ("run", "rule_tests", "itemsets", "results", "printed", "about"):
        assert open_page(client, reverse(f"report:{name}", args=[counts.pk]))
    for key in (1, counts.summary["rules"]):
        assert open_page(client, reverse("report:rule", args=[counts.pk, key]))
        assert open_page(client, reverse("report:rule_verdicts", args=[counts.pk, key]))
    assert (
        client.get(reverse("report:rule", args=[counts.pk, counts.summary["rules"] + 1])).status_code == 404
    )
