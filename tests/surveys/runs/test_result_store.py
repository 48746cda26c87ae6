import hashlib
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import pytest
from django.db import IntegrityError, transaction

from mining.inference import Inference
from mining.rules import NO_RULE
from surveys.models import ItemsetInference, ItemsetRow, RuleInference, RuleRow, Run, RunCounts, Version
from surveys.questionnaire.packed_items import pack_items
from surveys.runs import mining_job, result_store
from surveys.runs.result_store import columns_insert, conclusions_summary
from tests.fixtures.runs import LOOSE, answered_version, done, requested_run

pytestmark = pytest.mark.django_db


def test_rows_are_stored_as_bulk_create_would_store_them() -> None:
    run, other = requested_run(answered_version()), requested_run(answered_version(slug="other"))

    def rows(of: object) -> list[RuleRow]:
        return [
            RuleRow(
                run=of, antecedent=f",{number},", consequent=",9,", antecedent_size=1, consequent_size=1,
                n=5 + number, few_rows=number == 1, support=0.1 * number, lift=None,
            )
            for number in range(3)
        ]  # fmt: skip

    names = [field.attname for field in RuleRow._meta.concrete_fields if field.attname != "id"]
    columns_insert(RuleRow, {name: [getattr(row, name) for row in rows(run)] for name in names})
    RuleRow.objects.bulk_create(rows(other))
    ours, theirs = (
        [
            {name: value for name, value in row.items() if name not in {"id", "run_id"}}
            for row in RuleRow.objects.filter(run=of).order_by("pk").values()
        ]
        for of in (run, other)
    )
    assert ours == theirs
    assert len(ours) == 3


def test_inserting_no_rows_works_and_duplicate_rows_are_rejected() -> None:
    run = requested_run(answered_version())
    columns_insert(RuleRow, {"run_id": []})
    row = {"antecedent": ",1,", "consequent": ",2,", "antecedent_size": 1, "consequent_size": 1, "n": 1}
    twice = {name: [value, value] for name, value in {"run_id": run.pk, **row}.items()}
    with pytest.raises(IntegrityError), transaction.atomic():
        columns_insert(RuleRow, twice)
    assert RuleRow.objects.count() == 0
    columns_insert(RuleRow, {name: values[:1] for name, values in twice.items()})
    found = RuleRow.objects.get()
    # Omitted columns have their defaults.
    assert (found.few_rows, found.lift) == (False, None)


def stored_run(version: Version) -> tuple[Run, Inference]:
    """Return a finished run, and the tests that its job stored."""
    with mock.patch.object(mining_job, "result_store", wraps=result_store.result_store) as store:
        run = done(requested_run(version, LOOSE), anew=False)
    return run, store.call_args.kwargs["inference"]


def test_a_result_is_stored_with_each_test_at_its_rule_and_itemset() -> None:
    run, inference = stored_run(answered_version())
    result = inference.result
    assert (run.n, run.n_direct, run.n_protected) == (800, 160, 640)
    assert (run.engine, run.summary["counted"]) == (result.engine, False)
    assert run.duration_seconds is not None
    tests = RuleInference.objects.filter(rule__run=run)
    names = ("rule__antecedent", "rule__consequent", "rule__lift", "p_value", "p_adjusted")
    sides = [(pack_items(before), pack_items(after)) for before, after in result.rules.sides]
    lift = inference.lift
    figures = zip(result.rules.values.lift, lift.p_values, lift.adjusted, strict=True)
    expected = {(*pair, *values) for pair, values in zip(sides, figures, strict=True)}
    assert set(tests.values_list(*names)) == expected
    tests_of_itemsets = ItemsetInference.objects.filter(itemset__run=run)
    names = ("itemset__items", "itemset__support", "maximal", "closed", "low")
    supports, low = result.itemsets.estimates.value, inference.itemsets.low
    packed = map(pack_items, result.itemsets.itemsets)
    assert set(tests_of_itemsets.values_list(*names)) == set(
        zip(packed, supports, inference.maximal, inference.closed, low, strict=True)
    )
    # The groups are compared.
    assert tests_of_itemsets.exclude(groups_p_value=None).exists()
    assert not RunCounts.objects.exists()


def test_a_result_above_the_limit_is_stored_as_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    version = answered_version()
    run, _inference = stored_run(version)
    rules, itemsets = RuleRow.objects.count(), ItemsetRow.objects.count()
    assert rules > 0
    monkeypatch.setattr(result_store, "MOST_ROWS", rules + itemsets)
    at_limit, _ = stored_run(version)
    assert (at_limit.rules.count(), at_limit.summary["counted"]) == (rules, False)
    monkeypatch.setattr(result_store, "MOST_ROWS", rules + itemsets - 1)
    above, _ = stored_run(version)
    assert (above.rules.count(), above.summary["counted"]) == (0, True)
    counts = RunCounts.objects.get()
    assert (counts.run_id, counts.rules) == (above.pk, rules)
    assert counts.digest == hashlib.sha256(counts.packed).hexdigest()
    # Itemsets of one item remain rows, with the same figures.
    figures = ("items", "support", "inference__low", "inference__groups_p_value")
    singles = above.itemsets.order_by("items").values_list(*figures)
    assert list(singles) == list(run.itemsets.filter(size=1).order_by("items").values_list(*figures))


def test_conclusions_are_counted() -> None:
    inference: Any = SimpleNamespace(
        families=SimpleNamespace(
            lift=SimpleNamespace(total=7, by_size=[(2, 3), (3, 4)]),
            confidence=SimpleNamespace(total=14),
            itemsets=SimpleNamespace(total=20),
        ),
        lift=SimpleNamespace(passes=np.array([True, True, False, False])),
        explained_by=np.array([NO_RULE, 0, 1, 0]),
        confidence=None,
        rule_level=0.97,
        itemset_level=0.98,
        maximal=np.array([False, True, True]),
        closed=np.array([True, False, False]),
    )
    found = conclusions_summary(inference)
    assert found == {
        "family": {"lift": 7, "lift_by_size": {"2": 3, "3": 4}, "confidence": 14},
        "tested": "lift",
        "passing": 2,
        "redundant": 3,
        "passing_confidence": None,
        "rule_level": 0.97,
        "itemset_level": 0.98,
        "itemset_family": 20,
        "maximal": 2,
        "closed": 1,
    }
    inference.confidence = SimpleNamespace(passes=np.array([True, False, True, True]))
    assert conclusions_summary(inference)["passing_confidence"] == 3
