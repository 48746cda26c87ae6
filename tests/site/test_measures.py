"""A measure is one registry entry, from which pages, files, units, docs and stored results follow."""

import json

import numpy as np
import pytest
from django.test import Client

from docs import reference
from mining.interest import INTEREST, Measure
from surveys.questionnaire.labels import labels_of
from surveys.report.export.rule_columns import ITEMSET_COLUMNS, rule_columns, rules_as_json
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import all_rules
from tests.fixtures.registries import unregister
from tests.fixtures.runs import answered_version, mined_run
from tests.surveys.report.export.test_rule_columns import rules_of

pytestmark = pytest.mark.django_db
HEADER = (
    "antecedent,consequent,antecedent_label,consequent_label,n,few_rows,shown_because_estimable,"
    "support,support_low,support_high,support_se,confidence,confidence_low,confidence_high,confidence_se,"
    "lift,lift_low,lift_high,lift_se,leverage,leverage_low,leverage_high,leverage_se,"
    "conviction,conviction_low,conviction_high,conviction_se,"
    "support_basis,confidence_basis,lift_basis,leverage_basis,conviction_basis,"
    "support_unclipped,confidence_unclipped,lift_unclipped,leverage_unclipped,conviction_unclipped,error,error_is,"
    "true_support,true_confidence,true_lift,true_leverage,true_conviction,"
    "p_value,p_adjusted,passes,redundant_by,maximal,flips,confidence_low_selected,confidence_high_selected,"
    "lift_low_selected,lift_high_selected,confidence_p_value,confidence_p_adjusted,support_shift,"
    "predicted,predicted_low,predicted_high,predicted_basis,predicted_unclipped,predicted_n,predicted_level,"
    "predicted_holds,predicted_rare,"
    "coverage,added_value,certainty,zhang,jaccard,cosine,kulczynski,all_confidence,max_confidence,imbalance,"
    "phi,kappa,odds_ratio,yule_q,yule_y,j_measure,rule_power,relative_risk,gini,collective_strength,"
    "survey,run,design,snapshot,support_from,confidence_from,lift_from,longest_itemset,estimator,"
    "intervals_about,interval_level,correction,family,selected_level,p_values_about,forged_rows,look,chapter,rows_since,accepts_answers"
)
"""The header of rules.csv, which users' programs read."""

ITEMSETS = (
    "items,size,n,few_rows,support,support_low,support_high,support_se,support_basis,support_unclipped,error,error_is,"
    "true_support,"
    "stratified,stratified_se,pooled,pooled_se,direct,direct_se,protected,protected_se,"
    "predicted,predicted_low,predicted_high,predicted_basis,predicted_unclipped,predicted_n,predicted_level,"
    "predicted_holds,predicted_rare,"
    "support_low_selected,support_high_selected,support_shift"
)
"""The header of itemsets.csv before the columns about the run."""


@pytest.mark.soak
def test_the_public_headers_of_csv_files_are_unchanged() -> None:
    header = list(rules_of(mined_run(answered_version(), anew=True))[0])
    assert header == HEADER.split(","), "public: change HEADER and add a line to CHANGELOG"
    assert ",".join(ITEMSET_COLUMNS) == ITEMSETS, "public: change ITEMSETS and add a line to CHANGELOG"


@pytest.mark.soak
def test_a_registered_measure_appears_on_pages_in_files_and_docs(reader: Client, monkeypatch) -> None:
    toy = Measure("P(AB) / 2", lambda supports: supports.both / 2)
    monkeypatch.setitem(INTEREST, "half_support", toy)
    run = mined_run(answered_version(), anew=True)
    labels = labels_of(run.version, run.design)
    rows = list(all_rules(run, RuleQuery()))
    assert list(rule_columns())[-1] == "half_support"
    for record in rules_of(run):
        assert float(record["half_support"]) == float(record["support"]) / 2
    document = json.loads("".join(rules_as_json(rows, labels, run)))
    assert document["units"]["half_support"] == "P(AB) / 2"
    assert all(rule["half_support"] == rule["support"] / 2 for rule in document["rules"])
    row, address = rows[0], f"/en/staff/runs/{run.pk}/"
    half = f"{row.inference.interest['half_support']:.3f}".removeprefix("0")
    table = reader.get(f"{address}?measures=half_support").content.decode()
    for page in (table, reader.get(f"{address}rules/{row.pk}/").content.decode()):
        assert "half support" in page
        assert "P(AB) / 2" in page
        assert half in page
    api = reader.get("/en/staff/openapi.json").json()
    assert api["components"]["schemas"]["Rule"]["properties"]["half_support"] == {"description": "P(AB) / 2"}
    assert "| `half_support` | P(AB) / 2 |" in reference.measures()


@pytest.mark.soak
def test_removing_one_measure_keeps_all_others(monkeypatch) -> None:
    measures = [*INTEREST]
    unregister(monkeypatch, INTEREST, "zhang")
    run = mined_run(answered_version(), anew=True)
    found = rules_of(run)
    assert len(found) == run.rules.count() > 0
    assert "zhang" not in found[0]
    assert {"yule_q", "lift"} < set(found[0])
    monkeypatch.undo()
    assert [*INTEREST] == measures


@pytest.mark.soak
def test_a_measure_registered_after_a_run_is_empty_for_its_rules(monkeypatch) -> None:
    run = mined_run(answered_version(), anew=True)
    monkeypatch.setitem(INTEREST, "late", Measure("0", lambda supports: np.zeros_like(supports.both)))
    assert {record["late"] for record in rules_of(run)} == {""}
