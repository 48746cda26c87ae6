from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from surveys.models import RuleInference, RuleRow, Run, Version
from surveys.questionnaire.labels import find_items, labels_of
from surveys.report.rules.measures import SHOWN
from surveys.report.rules.rule_query import LIMITS, SORTS, RuleQuery, rule_keys, rules_matching
from tests.fixtures.runs import answered_version, in_ledger, requested_run, rule_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return in_ledger(requested_run(answered_version()))


def with_test(row: RuleRow, **values: object) -> RuleRow:
    given = {"p_value": 0.2, "p_adjusted": 1.0, "passes": False, **values}
    RuleInference.objects.filter(rule=row).update(**given)
    return row


def found(run: Run, **asked_for: object) -> list[str]:
    return [str(row) for row in rules_matching(run, RuleQuery(**asked_for))]


def test_rules_sort_by_any_measure_and_missing_values_come_last(run: Run) -> None:
    rule_row(run, ",0,", ",2,", lift=2.0)
    rule_row(run, ",1,", ",2,", lift=None)
    rule_row(run, ",3,", ",2,", lift=1.0)
    rule_row(run, ",4,", ",2,", lift=math.inf)
    assert found(run, sort="-lift") == [",4, -> ,2,", ",0, -> ,2,", ",3, -> ,2,", ",1, -> ,2,"]
    assert found(run, sort="lift") == [",3, -> ,2,", ",0, -> ,2,", ",4, -> ,2,", ",1, -> ,2,"]


def test_items_are_searched_on_the_requested_side_and_length_counts_both(run: Run) -> None:
    rule_row(run, ",1,", ",2,")
    rule_row(run, ",2,3,", ",1,")
    rule_row(run, ",11,", ",2,")
    assert len(found(run, item=1)) == 2
    assert found(run, item=1, side="antecedent") == [",1, -> ,2,"]
    assert found(run, item=1, side="consequent") == found(run, length=3) == [",2,3, -> ,1,"]
    assert found(run, item=3, side="consequent") == []
    assert found(run, item=1, side="not") == [",11, -> ,2,"]
    assert found(run, length=2) == [",1, -> ,2,", ",11, -> ,2,"]


def test_words_are_searched_on_the_requested_side(run: Run) -> None:
    labels = labels_of(run.version, run.version.to_design())
    key = run.version.to_design().items[1].key
    (item,) = find_items(labels, key)
    other = item + 1
    rule_row(run, f",{item},", f",{other},")
    rule_row(run, f",{other},", f",{item},")
    rule_row(run, f",{other},", ",90,")
    rows = [f",{item}, -> ,{other},", f",{other}, -> ,{item},", f",{other}, -> ,90,"]
    assert found(run, text=key) == rows[:2]
    assert found(run, text=key, side="antecedent") == rows[:1]
    assert found(run, text=key, side="consequent") == rows[1:2]
    assert found(run, text=key, side="not") == rows[2:]
    assert found(run, text="nothing-of-the-kind", side="not") == rows


def test_a_measure_filter_uses_the_estimate(run: Run) -> None:
    rule_row(run, ",1,", ",2,", lift=1.5, lift_low=0.9, lift_high=2.0)
    rule_row(run, ",3,", ",2,", lift=1.4, lift_low=1.1, lift_high=1.8)
    rule_row(run, ",4,", ",2,", lift=9.0)
    assert len(found(run, limits=(("lift_from", 1.45),))) == 2
    assert found(run, limits=(("lift_to", 1.4),)) == [",3, -> ,2,"]
    assert found(run, limits=(("lift_from", 1.45), ("lift_to", 8.0))) == [",1, -> ,2,"]
    # Rules of another run are never shown.
    assert found(requested_run(Version.objects.get(pk=run.version_id))) == []


def test_rules_can_be_filtered_by_test_results(run: Run) -> None:
    with_test(rule_row(run, ",1,", ",2,"), passes=True, p_adjusted=0.01, maximal=True)
    with_test(rule_row(run, ",1,3,", ",2,"), redundant_by=",1,")
    assert found(run, holds="yes") == found(run, maximal="yes") == [",1, -> ,2,"]
    assert found(run, redundant="no") == found(run, limits=(("p_adjusted_to", 0.05),)) == [",1, -> ,2,"]
    assert found(run, holds="no") == found(run, redundant="yes") == [",1,3, -> ,2,"]


def test_each_search_word_must_match_a_key_question_or_answer(run: Run) -> None:
    rule_row(run, ",2,", ",3,")
    rule_row(run, ",1,", ",3,")
    rule_row(run, ",1,", ",4,")
    assert found(run, text="CHEAT") == [",2, -> ,3,", ",1, -> ,3,"]
    assert found(run, text="often cheated") == [",2, -> ,3,"]
    assert found(run, text="older cheat") == [",1, -> ,3,"]
    assert found(run, text="nowhere") == []


def test_the_verdict_filter_uses_the_newest_verdict(run: Run) -> None:
    from surveys.models import Verdict

    judged = rule_row(run, ",1,", ",2,")
    rule_row(run, ",3,", ",2,")
    for opinion in ("rejected", "accepted"):
        Verdict(rule=judged, opinion=opinion, by="alice", at="2026-01-01T00:00Z").save()
    assert found(run, verdict="accepted") == [",1, -> ,2,"]
    assert found(run, verdict="rejected") == []
    assert found(run, verdict="none") == [",3, -> ,2,"]


@pytest.mark.soak
def test_every_sort_order_is_stable_and_contains_every_rule(run: Run) -> None:
    rng = random.Random(3)
    for number in range(12):
        value = rng.choice([0.1, 0.2, None])
        columns = dict.fromkeys(("support", "confidence", "lift", "leverage", "conviction", "error"), value)
        row = rule_row(run, f",{number},", ",20,", **{**columns, "n": rng.choice([800, 900])})
        with_test(row, p_adjusted=rng.choice([0.1, 0.2]), flips=rng.choice([1, 2, None]))
    for sort in SORTS:
        query = RuleQuery(sort=sort)
        keys = rule_keys(run, query)
        assert keys == rule_keys(run, query, 0, 7) + rule_keys(run, query, 7, 12)
        assert len(set(keys)) == 12
        if sort not in ("order", "-order"):
            # Ties are in the order of itemsets; equal p-values are first sorted by largest lift.
            measure = SHOWN.get(sort.removeprefix("-"))
            path = measure.column if measure else "n"
            rows = rules_matching(run, query).values_list("pk", path, "lift")
            value_of = {pk: value for pk, value, _lift in rows}
            of_equals = {
                pk: (-(lift or 0) if measure and measure.name == "p_adjusted" else 0, pk)
                for pk, _value, lift in rows
            }
            assert all(
                of_equals[one] < of_equals[other]
                for one, other in pairwise(keys)
                if value_of[one] == value_of[other]
            )


@pytest.mark.soak
def test_every_limit_filters_its_own_column(run: Run) -> None:
    low, high = rule_row(run, ",1,", ",2,"), rule_row(run, ",3,", ",2,")
    assert len(LIMITS) > 5
    for name, (measure, end) in LIMITS.items():
        column = SHOWN[measure].column
        for row, value in ((low, 0), (high, 1)):
            held = row.inference if column.startswith("inference__") else row
            setattr(held, column.removeprefix("inference__"), value)
            held.save()
        assert found(run, limits=((name, 0.5),)) == [str(high if end == "from" else low)]


def test_the_url_keeps_the_filter_and_omits_defaults() -> None:
    query = RuleQuery(item=3, side="consequent", limits=(("lift_from", 1.0), ("support_to", 0.25)), page=4)
    assert query.address() == "?item=3&side=consequent&page=4&lift_from=1&support_to=0.25"
    assert query.address(page=1, limits=()) == "?item=3&side=consequent"
    assert RuleQuery(side="not").address() == RuleQuery(side="not", text=" ").address()[:1] == "?"
    assert RuleQuery(side="not", text="late").address() == "?text=late&side=not"


def test_sorting_and_paging_do_not_count_as_filters() -> None:
    assert not RuleQuery(sort="support", page=3, measures="all", predicted="yes").filters
    for filters in ({"text": "late"}, {"item": 0}, {"holds": "yes"}, {"limits": (("lift_from", 1.0),)}):
        assert RuleQuery(**filters).filters  # type: ignore[arg-type]
