"""The page of one rule, as a reviewer asks for it."""

import pytest
from django.test import Client

from surveys.models import Batch, RuleInference, RuleRow, Run
from surveys.report.rule_rows import RuleQuery
from tests.fixtures.runs import alice, answered, asked, mined

pytestmark = pytest.mark.django_db


def address(row: RuleRow, query: str = "") -> str:
    return f"/en/staff/runs/{row.run_id}/rules/{row.pk}/{query}"


def text_of(client: Client, path: str) -> str:
    client.force_login(alice())
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def run() -> Run:
    return mined(answered())


def test_the_page_has_table_test_measures_questions_and_the_way_to_a_verdict(
    client: Client, run: Run
) -> None:
    row = run.rules.get(antecedent=",2,", consequent=",3,")
    text = text_of(client, address(row))
    for shown in (
        "Estimated 2×2 table", "not: late", "Benjamini–Yekutieli",
        f"M = {run.summary['inference']['family']['lift']} possible rules",
        "Have you cheated?", f"http://testserver{address(row)}", "Give a verdict",
        "This many false answers would overturn the rule",
    ):  # fmt: skip
        assert shown in text
    assert f"<dd>{row.inference.flips}<br>" in text


def test_the_way_back_keeps_the_filter_and_a_shorter_rule_that_explains_it_is_named(
    client: Client, run: Run
) -> None:
    redundant = RuleInference.objects.filter(rule__run=run).exclude(redundant_by="").select_related("rule")[0]
    query = RuleQuery(item=4, side="consequent", sort="support").address()
    text = text_of(client, address(redundant.rule, query))
    assert f'/runs/{run.pk}/{query.replace("&", "&amp;")}#rules">Filtered rules' in text
    assert "alone explains it" in text


def test_where_the_rows_changed_the_table_is_refused_and_the_rest_shown(client: Client, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(snapshot_digest="0" * 64)
    text = text_of(client, address(run.rules.first()))
    assert "The batches of this run have changed" in text
    assert Batch.objects.exists()


def test_a_rule_is_found_in_its_own_run_only(client: Client, run: Run) -> None:
    client.force_login(alice())
    other = asked(run.version)
    row = run.rules.first()
    assert client.get(f"/en/staff/runs/{run.pk}/rules/999999999/").status_code == 404
    assert client.get(f"/en/staff/runs/{other.pk}/rules/{row.pk}/").status_code == 302
    assert client.get(f"/en/staff/runs/{run.pk}/rules/{'9' * 40}/").status_code == 404


def test_a_damaged_address_is_no_error(client: Client, run: Run) -> None:
    for query in ("?page=-1", "?item=%00", "?lift_from=x", "?sort=;", "?holds[]=1"):
        text_of(client, address(run.rules.first(), query))
