import csv
import io
import json

import pytest

from surveys.models import Run
from surveys.questionnaire.labels import JOIN, labels_of
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.export.rule_columns import (
    ITEMSET_COLUMNS,
    itemsets_as_csv,
    rule_columns,
    rules_as_csv,
    rules_as_json,
)
from surveys.report.rules.itemset_query import ItemsetQuery, itemsets_matching
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import all_rules
from surveys.report.run_facts import RUN_COLUMNS

pytestmark = pytest.mark.django_db


def rules_of(run: Run) -> list[dict[str, str]]:
    text = "".join(rules_as_csv(all_rules(run, RuleQuery()), labels_of(run.version, run.design), run))
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.soak
def test_the_rules_csv_contains_every_rule_with_its_stored_values(run: Run) -> None:
    labels, read = labels_of(run.version, run.design), rules_of(run)
    assert tuple(read[0]) == (*rule_columns(), *RUN_COLUMNS)
    stored = {
        (labels.keys(unpack_items(row.antecedent)), labels.keys(unpack_items(row.consequent))): row
        for row in run.rules.all()
    }
    assert len(read) == len(stored) > 20
    for line in read:
        row = stored[line["antecedent"], line["consequent"]]
        assert float(line["support"]) == row.support
        assert line["lift_low"] == ("" if row.lift_low is None else str(row.lift_low))
        assert line["error_is"] == "expected"
        is_selected = row.lift_low is not None and row.lift_se is None
        assert line["shown_because_estimable"] == str(int(is_selected))


@pytest.mark.soak
def test_files_mark_lifts_selected_for_estimability(run: Run) -> None:
    first, second = run.rules.order_by("pk")[:2]
    run.rules.update(lift_low=1.0, lift_high=2.0, lift_se=0.2)
    run.rules.filter(pk=first.pk).update(lift_se=None)
    run.rules.filter(pk=second.pk).update(lift_se=None, lift_low=None, lift_high=None)
    labels = labels_of(run.version, run.design)
    labelled = [line for line in rules_of(run) if line["shown_because_estimable"] == "1"]
    assert [line["antecedent"] for line in labelled] == [labels.keys(unpack_items(first.antecedent))]
    rules = json.loads("".join(rules_as_json(all_rules(run, RuleQuery()), labels, run)))["rules"]
    assert sum(rule["shown_because_estimable"] for rule in rules) == 1


@pytest.mark.soak
def test_the_itemsets_csv_contains_every_itemset(run: Run) -> None:
    labels = labels_of(run.version, run.design)
    text = "".join(itemsets_as_csv(itemsets_matching(run, ItemsetQuery()), labels, run))
    read = list(csv.DictReader(io.StringIO(text, newline="")))
    assert tuple(read[0]) == ITEMSET_COLUMNS + RUN_COLUMNS
    assert {line["items"] for line in read} == {
        labels.keys(unpack_items(row.items)) for row in run.itemsets.all()
    }
    # Open questions alone do not distinguish groups.
    protected = {item.key for item in run.design.items if run.design.blocks[item.block].protected}
    for line in read:
        by_group = not protected.isdisjoint(line["items"].lstrip("'").split(JOIN))
        assert (bool(line["direct"]), bool(line["direct_se"])) == (by_group, by_group)


@pytest.mark.soak
def test_the_rules_json_is_strict_and_names_its_origin(run: Run) -> None:
    # An interval without an upper end, as occurs in small surveys.
    first = next(all_rules(run, RuleQuery()))
    run.rules.filter(pk=first.pk).update(conviction_high=float("inf"))
    labels = labels_of(run.version, run.design)

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    text = "".join(rules_as_json(all_rules(run, RuleQuery()), labels, run))
    read = json.loads(text, parse_constant=refuse)
    assert (read["survey"], read["run"], read["snapshot"]["sha256"]) == (
        "habits", run.pk, run.snapshot_digest,
    )  # fmt: skip
    assert len(read["rules"]) == run.rules.count()
    assert read["rules"][0]["antecedent"] == [
        labels.items[item].key for item in unpack_items(first.antecedent)
    ]
    assert read["rules"][0]["conviction_high"] == "Infinity"
    assert json.loads("".join(rules_as_json([], labels, run)))["rules"] == []
