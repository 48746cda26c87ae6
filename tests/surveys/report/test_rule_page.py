"""The page of one rule, as a reviewer asks for it."""

import pytest
from django.test import Client

from surveys.models import Batch, RuleInference, RuleRow, Run
from surveys.report.rule import Position, parents_of, position_of
from surveys.report.rule_rows import RuleQuery, rule_keys
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


def test_neighbours_are_those_of_the_filter_and_keep_it(client: Client, run: Run) -> None:
    query = RuleQuery(item=4, side="consequent", sort="support")
    keys = rule_keys(run, query)
    assert len(keys) > 2
    text = text_of(client, f"/en/staff/runs/{run.pk}/rules/{keys[1]}/{query.address()}")
    kept = query.address().replace("&", "&amp;")
    assert f'rel="prev" href="/en/staff/runs/{run.pk}/rules/{keys[0]}/{kept}"' in text
    assert f'rel="next" href="/en/staff/runs/{run.pk}/rules/{keys[2]}/{kept}"' in text
    assert f"rule 2 of {len(keys)}" in text
    first, last = position_of(run, query, keys[0]), position_of(run, query, keys[-1])
    assert (first.rank, first.previous, last.next) == (1, None, None)
    other = run.rules.exclude(pk__in=keys).first()
    assert position_of(run, query, other.pk) == Position(rank=None, matching=len(keys))
    assert "not among the filtered rules" in text_of(client, address(other, query.address()))


def test_parents_are_the_listed_rules_with_fewer_items_on_the_left(run: Run) -> None:
    row = run.rules.filter(antecedent_size=2, consequent_size=1).order_by("pk").first()
    parents = parents_of(row)
    items = set(row.antecedent.strip(",").split(","))
    expected = run.rules.filter(antecedent__in=[f",{item}," for item in items], consequent=row.consequent)
    assert {parent.pk for parent, _explains in parents} == set(expected.values_list("pk", flat=True))
    for parent, explains in parents:
        assert explains is (parent.confidence >= row.confidence_low)
    redundant = RuleInference.objects.filter(rule__run=run).exclude(redundant_by="").first()
    assert redundant is not None
    found = parents_of(redundant.rule)
    explaining = RuleRow.objects.get(
        run=run, antecedent=redundant.redundant_by, consequent=redundant.rule.consequent
    )
    assert (explaining, True) in found


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


@pytest.mark.soak
def test_a_damaged_address_is_no_error(client: Client, run: Run) -> None:
    for query in ("?page=-1", "?item=%00", "?lift_from=x", "?sort=;", "?holds[]=1"):
        text_of(client, address(run.rules.first(), query))
