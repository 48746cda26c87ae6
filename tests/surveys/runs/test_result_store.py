import hashlib
from unittest import mock

import pytest

from mining.inference import Inference
from surveys.models import ItemsetInference, ItemsetRow, RuleInference, RuleRow, Run, RunCounts, Version
from surveys.questionnaire.packed_items import pack_items
from surveys.runs import mining_job, result_store
from tests.fixtures.runs import LOOSE, answered_version, done, requested_run

pytestmark = pytest.mark.django_db


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
