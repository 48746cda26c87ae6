import math
import random
from itertools import pairwise

import pytest

from surveys.models import RuleInference, RuleRow, Run, Version
from surveys.report.rule_rows import LIMITS, SHOWN, SORTS, RuleQuery, rule_keys, rules_matching
from tests.fixtures.runs import answered, asked, rule_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return asked(answered())


def with_test(row: RuleRow, **values: object) -> RuleRow:
    given = {"p_value": 0.2, "p_adjusted": 1.0, "passes": False, **values}
    RuleInference.objects.filter(rule=row).update(**given)
    return row


def found(run: Run, **asked_for: object) -> list[str]:
    return [str(row) for row in rules_matching(run, RuleQuery(**asked_for))]


def test_rules_are_sorted_by_any_measure_both_ways_and_the_inestimable_come_last(run: Run) -> None:
    rule_row(run, ",0,", ",2,", lift=2.0)
    rule_row(run, ",1,", ",2,", lift=None)
    rule_row(run, ",3,", ",2,", lift=1.0)
    rule_row(run, ",4,", ",2,", lift=math.inf)
    assert found(run, sort="-lift") == [",4, -> ,2,", ",0, -> ,2,", ",3, -> ,2,", ",1, -> ,2,"]
    assert found(run, sort="lift") == [",3, -> ,2,", ",0, -> ,2,", ",4, -> ,2,", ",1, -> ,2,"]


def test_an_item_is_looked_for_on_the_side_that_is_asked_for(run: Run) -> None:
    rule_row(run, ",1,", ",2,")
    rule_row(run, ",2,3,", ",1,")
    rule_row(run, ",11,", ",12,")
    assert len(found(run, item=1)) == 2
    assert found(run, item=1, side="antecedent") == [",1, -> ,2,"]
    assert found(run, item=1, side="consequent") == [",2,3, -> ,1,"]
    assert found(run, item=3, side="consequent") == []


def test_length_counts_both_sides(run: Run) -> None:
    rule_row(run, ",1,", ",2,")
    rule_row(run, ",2,3,", ",1,")
    assert found(run, length=2) == [",1, -> ,2,"]
    assert found(run, length=3) == [",2,3, -> ,1,"]


def test_a_measure_is_limited_by_its_estimate(run: Run) -> None:
    rule_row(run, ",1,", ",2,", lift=1.5, lift_low=0.9, lift_high=2.0)
    rule_row(run, ",3,", ",2,", lift=1.4, lift_low=1.1, lift_high=1.8)
    rule_row(run, ",4,", ",2,", lift=9.0)
    assert len(found(run, limits=(("lift_from", 1.45),))) == 2
    assert found(run, limits=(("lift_to", 1.4),)) == [",3, -> ,2,"]
    assert found(run, limits=(("lift_from", 1.45), ("lift_to", 8.0))) == [",1, -> ,2,"]


def test_rules_of_another_run_are_never_shown(run: Run) -> None:
    rule_row(asked(Version.objects.get(pk=run.version_id)), ",1,", ",2,")
    assert found(run) == []


def test_neither_side_leaves_out_every_rule_with_the_item(run: Run) -> None:
    rule_row(run, ",1,", ",2,")
    rule_row(run, ",2,", ",1,")
    rule_row(run, ",11,", ",2,")
    assert found(run, item=1, side="not") == [",11, -> ,2,"]


def test_what_the_test_says_filters(run: Run) -> None:
    with_test(rule_row(run, ",1,", ",2,"), passes=True, p_adjusted=0.01, maximal=True)
    with_test(rule_row(run, ",1,3,", ",2,"), redundant_by=",1,")
    assert found(run, holds="yes") == found(run, maximal="yes") == [",1, -> ,2,"]
    assert found(run, redundant="no") == found(run, limits=(("p_adjusted_to", 0.05),)) == [",1, -> ,2,"]
    assert found(run, holds="no") == found(run, redundant="yes") == [",1,3, -> ,2,"]


def test_each_word_must_be_found_in_key_question_or_answer(run: Run) -> None:
    rule_row(run, ",2,", ",3,")
    rule_row(run, ",1,", ",3,")
    rule_row(run, ",1,", ",4,")
    assert found(run, text="CHEAT") == [",2, -> ,3,", ",1, -> ,3,"]
    assert found(run, text="often cheated") == [",2, -> ,3,"]
    assert found(run, text="older cheat") == [",1, -> ,3,"]
    assert found(run, text="nowhere") == []


def test_verdicts_filter_by_the_newest(run: Run) -> None:
    from surveys.models import Verdict

    judged = rule_row(run, ",1,", ",2,")
    rule_row(run, ",3,", ",2,")
    for opinion in ("rejected", "accepted"):
        Verdict(rule=judged, opinion=opinion, by="alice", at="2026-01-01T00:00Z").save()
    assert found(run, verdict="accepted") == [",1, -> ,2,"]
    assert found(run, verdict="rejected") == []
    assert found(run, verdict="none") == [",3, -> ,2,"]


def test_every_order_is_stable_and_holds_every_rule(run: Run) -> None:
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
            # Among equals, the order of the itemsets; among equal p the largest lift before it.
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


def test_every_limit_is_a_column_of_the_database(run: Run) -> None:
    for name in LIMITS:
        assert found(run, limits=((name, 0.0),)) == []


def test_the_address_keeps_the_filter_and_leaves_defaults_out() -> None:
    query = RuleQuery(item=3, side="consequent", limits=(("lift_from", 1.0), ("support_to", 0.25)), page=4)
    assert query.address() == "?item=3&side=consequent&page=4&lift_from=1&support_to=0.25"
    assert query.address(page=1, limits=()) == "?item=3&side=consequent"
    assert RuleQuery(side="not").address() == RuleQuery().address() == "?"


def test_an_order_or_a_page_is_no_filter() -> None:
    assert not RuleQuery(sort="support", page=3, measures="all", predicted="yes").filters
    for filters in ({"text": "late"}, {"item": 0}, {"holds": "yes"}, {"limits": (("lift_from", 1.0),)}):
        assert RuleQuery(**filters).filters  # type: ignore[arg-type]
