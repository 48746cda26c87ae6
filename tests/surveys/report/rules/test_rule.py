from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from surveys.formats.numbers import number
from surveys.models import Batch, RuleInference, RuleRow, Run
from surveys.questionnaire.labels import labels_of
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import rules_by_key
from surveys.report.rules.rule_text import rule_text
from tests.fixtures.pages import open_page
from tests.fixtures.runs import LOOSE, alice, answered_version, mined_run, requested_run

pytestmark = pytest.mark.django_db


def address(row: RuleRow, query: str = "") -> str:
    return f"/en/staff/runs/{row.run_id}/rules/{row.pk}/{query}"


def text_of(client: Client, path: str) -> str:
    client.force_login(alice())
    return open_page(client, path)


@pytest.fixture
def finished_run() -> Run:
    return mined_run(answered_version(), LOOSE)


@pytest.mark.soak
def test_the_rule_page_shows_table_test_measures_questions_and_verdict_link(
    client: Client, finished_run: Run
) -> None:
    row = finished_run.rules.get(antecedent=",2,", consequent=",3,")
    text = text_of(client, address(row))
    for shown in (
        "Estimated 2×2 table", "not: late", "Benjamini–Yekutieli",
        f"M = {finished_run.summary['inference']['family']['lift']} possible associations",
        "Have you cheated?", f"http://testserver{address(row)}", "Give a verdict",
        "This many forged answers would overturn the rule",
    ):  # fmt: skip
        assert shown in text
    assert f"<dd>{row.inference.flips}<br>" in text
    RuleInference.objects.filter(rule=row).update(flips=None)
    text = text_of(client, address(row))
    assert '<dd>–<br> <span class="soft">No number of forged answers was found that changes' in text
    assert "would overturn" not in text


@pytest.mark.soak
def test_the_back_link_keeps_the_filter_and_redundant_rules_name_their_cause(
    client: Client, finished_run: Run
) -> None:
    redundant = (
        RuleInference.objects.filter(rule__run=finished_run)
        .exclude(redundant_by="")
        .select_related("rule")[0]
    )
    query = RuleQuery(item=4, side="consequent", sort="support").address()
    text = text_of(client, address(redundant.rule, query))
    assert f'/runs/{finished_run.pk}/{query.replace("&", "&amp;")}#rules">Filtered rules' in text
    assert "alone explains it" in text


def test_the_table_is_refused_when_the_batches_changed(client: Client, finished_run: Run) -> None:
    Run.objects.filter(pk=finished_run.pk).update(snapshot_digest="0" * 64)
    text = text_of(client, address(finished_run.rules.first()))
    assert "The batches of this run have changed" in text
    assert Batch.objects.exists()


def test_a_rule_is_found_only_under_its_own_run(reader: Client, finished_run: Run) -> None:
    other = requested_run(finished_run.version)
    row = finished_run.rules.first()
    assert reader.get(f"/en/staff/runs/{finished_run.pk}/rules/999999999/").status_code == 404
    assert reader.get(f"/en/staff/runs/{other.pk}/rules/{row.pk}/").status_code == 302
    assert reader.get(f"/en/staff/runs/{finished_run.pk}/rules/{'9' * 40}/").status_code == 404


@pytest.mark.soak
def test_only_rules_with_a_protected_answer_state_their_range_under_denial(
    client: Client, finished_run: Run
) -> None:
    labels = labels_of(finished_run.version, finished_run.design)
    row = next(
        rule
        for rule in rules_by_key(finished_run, list(finished_run.rules.values_list("pk", flat=True)))
        if rule_text(rule, labels, None).lift.estimable
    )
    text = rule_text(row, labels, None)
    assert text.protected
    low, high = row.intervals["lift"]
    said = f"the ratio is {number(0.75 * low, 2)} to {number(high / 0.75, 2)}."
    assert text.denial_sentence.endswith(said)
    assert said in text_of(client, address(row))
    assert replace(text, protected=False).denial_sentence == ""
    open_labels = replace(labels, items=tuple(replace(item, protected=False) for item in labels.items))
    assert rule_text(row, open_labels, None).denial_sentence == ""
