"""P-values of stored results have their tests; what an earlier version stored stays readable."""

from types import SimpleNamespace

import pytest

from surveys.runs import p_values
from surveys.runs.p_values import (
    RULE_TESTS,
    groups_p_value,
    rule_methods,
    rule_p_value,
    stored_draw_p_value,
    three_way_p_value,
)
from surveys.runs.run_figures import origin_of
from tests.fixtures.runs import LOOSE, answered_version, mined_run


@pytest.mark.django_db
def test_stored_p_values_of_a_rule_state_test_n_and_family() -> None:
    run = mined_run(answered_version(), LOOSE)
    rule = run.rules.select_related("inference").first()
    assert rule is not None
    adjusted = rule_p_value(rule, "p_adjusted", run)
    assert (adjusted.test, adjusted.n, adjusted.adjustment) == ("lift above 1", rule.n, "Benjamini-Yekutieli")
    assert adjusted.family == run.summary["inference"]["family"]["lift"] > 1
    assert adjusted.origin == origin_of(run)
    assert (adjusted.value, adjusted.estimable) == (rule.inference.p_adjusted, True)
    assert rule_p_value(rule, "p_value", run).adjustment == "none"
    # This run has no threshold for the confidence, so nothing was tested.
    assert rule_p_value(rule, "confidence_p_value", run).basis == "too few"
    assert set(rule_methods(run)) == set(RULE_TESTS)
    assert rule_methods(run)["p_adjusted"].endswith(f"for {adjusted.family:,} tests")

    itemset = SimpleNamespace(n=300, inference=SimpleNamespace(groups_p_value=None))
    assert groups_p_value(itemset, run).basis == "too few"  # type: ignore[arg-type]
    itemset.inference.groups_p_value = 0.25
    of_groups = groups_p_value(itemset, run)  # type: ignore[arg-type]
    assert (of_groups.printed, of_groups.n, of_groups.test) == (0.25, 300, "two groups alike")
    line = {"about": "skip", "p_value": 0.2, "n": 300}
    assert stored_draw_p_value(line, run).test == "skips"


@pytest.mark.django_db
def test_a_test_of_an_earlier_version_says_that_its_n_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    run = SimpleNamespace()
    monkeypatch.setattr(p_values, "origin_of", lambda run: None)
    found = three_way_p_value({"p_value": 0.04, "n": None}, run)  # type: ignore[arg-type]
    assert (found.printed, found.test, found.n) == (0.04, "earlier version", 0)
    assert "analyse again" in found.method
    assert three_way_p_value({"p_value": 0.04, "n": 700}, run).test == "three answers"  # type: ignore[arg-type]
    assert three_way_p_value({"p_value": None, "n": None}, run).basis == "too few"  # type: ignore[arg-type]
