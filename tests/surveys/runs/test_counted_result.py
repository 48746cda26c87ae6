from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from privacy.estimation.counts import SupportCounts
from surveys.errors.error import SurveyError
from surveys.models import ItemsetInference, RuleRow, Run, RunCounts
from surveys.questionnaire.packed_items import pack_items
from surveys.report.rules.itemset_query import ItemsetQuery
from surveys.report.rules.rows_or_counts import all_itemsets, listing_of
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import all_rules, rules_by_sides
from surveys.runs import counted_result
from surveys.runs.counted_result import CountedResult
from tests.fixtures.counted_runs import SURVEYS, both, fields, itemset_fields, rule_fields
from tests.fixtures.runs import answered_version
from tests.vectors.designs import live, shielded, yes_no

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("survey", SURVEYS)
@pytest.mark.few(
    "few people", "rotating", why="the fewest rows, and the design whose sums differ in the last bit"
)
def test_every_field_of_every_rule_and_itemset_has_the_same_bits(survey: str) -> None:
    make, thresholds = SURVEYS[survey]
    rows, counts = both(make(), thresholds)
    assert not RuleRow.objects.filter(run=counts).exists()
    assert counts.summary["rules"] == RunCounts.objects.get(run=counts).rules > 0
    by_rows, by_counts = (
        [rule_fields(rule) for rule in all_rules(run, RuleQuery())] for run in (rows, counts)
    )
    assert by_rows == by_counts
    by_rows, by_counts = ([itemset_fields(row) for row in all_itemsets(run)] for run in (rows, counts))
    assert by_rows == by_counts
    assert all_fields_of_one_rule(rows) == all_fields_of_one_rule(counts)
    assert all_fields_of_one_itemset(rows) == all_fields_of_one_itemset(counts)


def all_fields_of_one_rule(run: Run) -> list[tuple[object, ...]]:
    """Return the fields of each rule, computed alone and not among others."""
    listing = listing_of(run)
    sides = [(before, after) for _key, before, after in listing.sides(RuleQuery(sort="order"))]
    return [
        (
            fields(rule, without={"id", "run_id"}),
            fields(rule.inference, without={"rule_id"}),
        )
        for pair in sides
        for rule in rules_by_sides(run, [pair])
    ]


def all_fields_of_one_itemset(run: Run) -> list[tuple[object, ...]]:
    """Return the fields of each itemset, computed alone and not among others."""
    listing, query = listing_of(run), ItemsetQuery()
    found = [listing.itemsets(query, place, place + 1) for place in range(listing.itemset_count(query))]
    return [itemset_fields(row) for (row,) in found]


def test_single_items_stay_rows_because_most_pages_read_only_these() -> None:
    rows, counts = both(answered_version())
    stored = ItemsetInference.objects.filter(itemset__run=counts).select_related("itemset").order_by("pk")
    others = ItemsetInference.objects.filter(itemset__run=rows, itemset__size=1).order_by("pk")
    assert [itemset_fields(each.itemset) for each in stored] == [
        itemset_fields(each.itemset) for each in others
    ]
    assert {each.itemset.size for each in stored} == {1}


def test_counts_of_a_later_program_are_refused_by_the_number_of_their_format(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _rows, counts = both(answered_version())
    packed, design = bytes(RunCounts.objects.get(run=counts).packed), counts.version.to_design()
    again = CountedResult.unpack(packed, design)
    twice = CountedResult.unpack(again.pack(), design)
    assert {name: values.tobytes() for name, values in twice.arrays.items()} == {
        name: values.tobytes() for name, values in again.arrays.items()
    }
    assert (dict(twice.counts), twice.itemsets, twice.about) == (
        dict(again.counts), again.itemsets, again.about,
    )  # fmt: skip
    monkeypatch.setattr(counted_result, "_FORMAT", 2)
    later = again.pack()
    monkeypatch.undo()
    with pytest.raises(SurveyError) as refused:
        CountedResult.unpack(later, design)
    assert refused.value.code == "stored_format"


def test_packing_keeps_every_bit() -> None:
    values = np.array([0.0, -0.0, np.nan, 0.1, 0.1, 0.1, np.inf, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])
    packed = counted_result._coded("lift", values)
    assert set(packed) == {"lift", "lift_codes"}
    assert counted_result._decoded(packed)["lift"].tobytes() == values.tobytes()
    assert set(counted_result._coded("lift", np.arange(5.0))) == {"lift"}


def listed_rules(**more: np.ndarray) -> CountedResult:
    """Return rules of the itemsets (0, 2) and (1, 2, 5): 0 -> 2, 2 -> 0, 2 5 -> 1."""
    arrays = {"itemset": np.array([0, 0, 1]), "mask": np.array([0b01, 0b10, 0b110], dtype=np.uint32), **more}
    design = live(shielded("a", 5000, *(yes_no(f"q{number}", 5000) for number in range(6))))
    return CountedResult(
        design=design,
        counts=SupportCounts({(): (0, 10)}),
        itemsets=((0, 2), (1, 2, 5)),
        about={"truth": {}},
        arrays=arrays,
    )


def test_rules_are_found_by_an_item_on_either_side() -> None:
    result = listed_rules()
    found = {
        side: [result.rules_with(item, side).tolist() for item in (0, 2, 5, 3)]
        for side in ("either", "antecedent", "consequent")
    }
    assert found["either"] == [[True, True, False], [True] * 3, [False, False, True], [False] * 3]
    assert found["antecedent"] == [
        [True, False, False],
        [False, True, True],
        [False, False, True],
        [False] * 3,
    ]
    assert found["consequent"] == [[False, True, False], [True, False, False], [False] * 3, [False] * 3]
    assert [result.sides(position) for position in range(3)] == [((0,), (2,)), ((2,), (0,)), ((2, 5), (1,))]
    assert [
        result.find(*sides) for sides in (((2,), (0,)), ((2, 5), (1,)), ((1,), (2, 5)), ((0,), (5,)))
    ] == [
        1,
        2,
        None,
        None,
    ]


def test_errors_are_distances_from_a_known_truth_or_expected_ones() -> None:
    """A normal error is sqrt(2 / pi) standard errors on average."""
    found = CountedResult._errors(np.array([0.3, 0.3]), np.array([0.1, 0.1]), np.array([0.5, np.nan]))
    assert found == pytest.approx([0.2, 0.1 * np.sqrt(2 / np.pi)])
    result = listed_rules()
    assert np.isnan(result._true_supports).tolist() == [True, True]
    known = replace(result, about={"truth": {pack_items((1, 2, 5)): 0.25}})
    assert known._true_supports.tolist() == pytest.approx([np.nan, 0.25], nan_ok=True)


def test_a_rule_passes_up_to_an_adjusted_p_value_of_five_percent() -> None:
    result = listed_rules(p_adjusted=np.array([0.05, np.nextafter(0.05, 1), 0.01]))
    assert result.passes.tolist() == [True, False, True]
