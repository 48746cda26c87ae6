import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from privacy.estimation.design_index import BLANK, DesignIndex
from privacy.survey.answer_probabilities import item_probability
from privacy.survey.design import Design
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import ENUMERATED, MIXED, ROUTED, design, opened, protected, yes_no
from tests.privacy.estimation.records import itemsets
from tests.vectors.designs import live, shielded


def test_itemsets_are_sorted() -> None:
    index = DesignIndex(MIXED)
    assert index.itemset((5, 0, 3, 4)) == (0, 3, 4, 5)  # oa, a, m=o0, m=o1
    assert index.asked_of((0, 3, 4, 5)) == (MIXED.asked_column(0),)
    assert index.is_open[[0, 3, 4, 5]].tolist() == [True, False, False, False]


def test_a_protected_block_with_p_1_counts_as_open() -> None:
    study = design(protected("b", 10_000, yes_no("a", 5000)))
    index = DesignIndex(study)
    assert index.is_open.tolist() == [True]
    assert index.without_disguise == (True, True)
    assert DesignIndex(design(protected("b", 9_999, yes_no("a", 5000)))).without_disguise == (True, False)


def test_only_questions_a_row_may_lack_need_an_asked_column() -> None:
    married, _, affair, other = (ROUTED.asked_column(number) for number in range(4))
    index = DesignIndex(ROUTED)
    items = [ROUTED.item(key).index for key in ("married", "affair", "c")]
    assert index.asked_of(index.itemset(items)) == (married, affair)
    assert other not in index.asked_of(items)


@pytest.mark.parametrize("name", ENUMERATED)
def test_decoy_probabilities_match_the_disguise(name: str) -> None:
    asked = ENUMERATED[name]
    index = DesignIndex(asked)
    for items in itemsets(asked):
        blocks = {asked.items[item].block for item in items}
        if len(blocks) == 1 and not index.is_open[items[0]]:
            expected = item_probability(asked, dict.fromkeys(items, True))
            assert index.decoy(min(blocks), items) == pytest.approx(float(expected), rel=1e-14)
            assert expected > Fraction(0)


def test_a_key_omits_columns_implied_by_its_items() -> None:
    index = DesignIndex(ROUTED)
    affair = ROUTED.item("affair").index
    asked_married, asked_affair = ROUTED.asked_column(0), ROUTED.asked_column(2)
    assert index.key([(asked_married, asked_affair), (affair,)]) == (affair, asked_married)
    answered = ROUTED.answered_column(1)
    assert index.key([(asked_married, asked_affair), (answered,)]) == (asked_married, answered)


@pytest.mark.parametrize("items", [(-1,), (6,), (True,), (0.0,), ("a",)])
def test_an_unknown_item_is_refused(items: tuple[object, ...]) -> None:
    with refused("item", items[0]):
        DesignIndex(MIXED).itemset(items)  # type: ignore[arg-type]  # that they are refused is the point


def test_a_duplicate_item_is_refused() -> None:
    with refused("itemset", "(3, 3)"):
        DesignIndex(MIXED).itemset((3, 3))


def test_two_options_of_one_single_choice_are_refused_by_name() -> None:
    with refused("excluded_options", "os=o0", "os=o1"):
        DesignIndex(MIXED).itemset((1, 2))


def test_two_options_of_a_multi_select_form_an_itemset() -> None:
    assert DesignIndex(MIXED).itemset((4, 5)) == (4, 5)


def test_rows_cannot_be_selected_by_an_unasked_question() -> None:
    with refused("within", ROUTED.asked_column(2)):
        DesignIndex(ROUTED).within((), (ROUTED.asked_column(2),))


@pytest.mark.parametrize("key", ["affair", "c"])
def test_rows_cannot_be_selected_by_disguised_answers(key: str) -> None:
    column = ROUTED.item(key).index
    with refused("within", column):
        DesignIndex(ROUTED).within((column,), ())


@pytest.mark.parametrize("column", [-1, ROUTED.answered_column(1), ROUTED.n_columns])
def test_rows_cannot_be_selected_by_a_skip_or_unknown_column(column: int) -> None:
    with refused("within", column):
        DesignIndex(ROUTED).within((column,), ())


def test_rows_can_be_selected_by_open_answers() -> None:
    assert DesignIndex(ROUTED).within((7, 0), ()) == (0, 7)


def test_item_order_is_irrelevant_for_itemsets() -> None:
    index = DesignIndex(
        design(opened("o", yes_no("a"), yes_no("b")), protected("p", 5000, yes_no("c", 5000)))
    )
    assert len({index.itemset(items) for items in itertools.permutations(range(3))}) == 1


def test_keys_built_in_bulk_match_keys_built_singly() -> None:
    index = DesignIndex(ROUTED)
    rng = np.random.default_rng(3)
    columns = [*range(index.n_items), *(ROUTED.asked_column(number) for number in range(4)), BLANK]
    requests = rng.choice(columns, size=(200, 4))
    for request, key in zip(requests.tolist(), index.keys(requests).tolist(), strict=True):
        alone = index.key([tuple(column for column in request if column != BLANK)])
        assert tuple(column for column in key if column != BLANK) == alone
        assert key == sorted(key)


def drawing_one_of_two() -> Design:
    """An open question, then a block of which each device asks one of two questions."""
    block = shielded("b", 5000, yes_no("x", 5000), yes_no("y", 5000))
    return live(opened("you", yes_no("o", None)), replace(block, questions_per_person=1))


def test_questions_that_no_device_draws_together_are_refused_by_name() -> None:
    index = DesignIndex(drawing_one_of_two())
    index.refuse_unreachable((0, 2))
    with refused("never_together", "'x'", "'y'"):
        index.refuse_unreachable((1, 2))
    with refused("never_together", "'x'", "'y'"):
        index.itemset([2, 1])
    assert index.itemset([2, 0]) == (0, 2)


def test_an_answered_open_or_rotating_block_does_not_imply_its_questions() -> None:
    asked = drawing_one_of_two()
    index = DesignIndex(asked)
    for question, block in ((0, 0), (1, 1)):
        pair = asked.asked_column(question), asked.answered_column(block)
        assert index.key([pair]) == pair
