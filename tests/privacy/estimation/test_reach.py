"""Sums of column sets count who could be asked parts; they agree with routing for every open answer."""

import itertools
from collections.abc import Iterator

import pytest

from privacy.errors import PrivacyError
from privacy.estimation import reach
from privacy.estimation.counts import SupportCounts
from privacy.estimation.design_index import MOST_CROSSED, index_of
from privacy.estimation.estimates import estimate
from privacy.estimation.reach import EVERYBODY, MOST_COLUMN_SETS, reach_of
from privacy.estimation.required_counts import required_counts
from privacy.survey.design import Block, Condition, Conditions, Design
from privacy.survey.routing import is_asked
from tests.privacy.estimation.designs import design, opened, protected, single, yes_no

MARRIED, NOT_MARRIED, EITHER = (
    Condition(question="married", options=options) for options in (("yes",), ("no",), ("no", "yes"))
)
STATES = {most: Condition(question="state", options=("o0", "o1", "o2", "o3")[:most]) for most in (1, 2, 3, 4)}
CONDITIONS: dict[str, Condition | Conditions] = {
    "yes": MARRIED,
    "no": NOT_MARRIED,
    "either": EITHER,
    **{f"{most} of four": state for most, state in STATES.items()},
    "all": Conditions(joined="all", terms=(STATES[2], NOT_MARRIED)),
    "any": Conditions(joined="any", terms=(STATES[3], NOT_MARRIED)),
    "any of one set each": Conditions(joined="any", terms=(STATES[1], MARRIED)),
}


def drawing(key: str, condition: Condition | Conditions | None) -> Block:
    """Return a skippable rotating part; its rows do not show who could be asked."""
    questions = (yes_no(f"{key}0", 5000), yes_no(f"{key}1", 5000))
    return protected(key, 5000, *questions, refusal=2000, asks=1, asked_if=condition)


def answered(one: Design) -> Iterator[tuple[tuple[int | None, ...], set[int]]]:
    """Yield every answer to the open questions, including none, with the columns of such a row."""
    for answers in itertools.product((None, 0, 1), (None, 0, 1, 2, 3)):
        found = {one.asked_column(number) for number, value in enumerate(answers) if value is not None}
        found |= {0} if answers[0] == 1 else set()
        found |= {1 + answers[1]} if answers[1] is not None else set()
        yield answers, found


def reached(sums: tuple[tuple[int, tuple[int, ...]], ...], columns: set[int]) -> int:
    return sum(sign * columns.issuperset(wanted) for sign, wanted in sums)


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_row_counts_once_exactly_where_it_reaches_the_part(name: str) -> None:
    one = design(opened("o", yes_no("married"), single("state", options=4)), drawing("b", CONDITIONS[name]))
    sums = reach_of(one, 1)
    assert sums is not None
    for answers, columns in answered(one):
        assert reached(sums, columns) == is_asked(one.routes[1], [answers])


@pytest.mark.parametrize(("first", "second"), [*itertools.combinations(CONDITIONS, 2)])
def test_pairs_of_parts_count_only_rows_that_reach_both(first: str, second: str) -> None:
    one = design(
        opened("o", yes_no("married"), single("state", options=4)),
        drawing("b", CONDITIONS[first]),
        drawing("c", CONDITIONS[second]),
    )
    index, m = index_of(one), len(one.items)
    items = [item for item in range(m) if one.items[item].block > 0]
    base = {int(column) for column in index.base[items]} - {-1}
    assert index.has_base.all()
    for answers, columns in answered(one):
        together = reached(index.reach(items), columns) * columns.issuperset(base)
        assert together == all(is_asked(one.routes[block], [answers]) for block in (1, 2))


def test_routeless_blocks_reach_everyone_and_too_many_sets_give_none() -> None:
    assert reach_of(design(drawing("b", None)), 0) == EVERYBODY
    # Each "no" needs two sets, so any of k needs 3^k - 1: 26, 80.
    for number, known in ((3, True), (4, False)):
        asked = [yes_no(f"o{at}") for at in range(number)]
        terms = tuple(Condition(question=question.key, options=("no",)) for question in asked)
        many = design(opened("o", *asked), drawing("b", Conditions(joined="any", terms=terms)))
        found = reach_of(many, 1)
        assert (found is not None) == known == (3**number - 1 <= MOST_COLUMN_SETS)
        assert found is None or len(found) == 3**number - 1


@pytest.mark.parametrize(("number", "known"), [(2, True), (3, False)])
def test_all_conditions_multiply_their_sets_up_to_the_limit(number: int, known: bool) -> None:
    """With eight of 15 answers each, one question needs 8 sets, two need 64 (the limit), three need 512."""
    states = [single(f"s{at}", options=15) for at in range(number)]
    eight = tuple(f"o{option}" for option in range(8))
    terms = tuple(Condition(question=state.key, options=eight) for state in states)
    sets = reach_of(design(opened("o", *states), drawing("b", Conditions(joined="all", terms=terms))), 1)
    assert (sets is not None) == known == (8**number <= MOST_COLUMN_SETS)
    assert sets is None or len(sets) == 8**number


def test_blocks_with_the_same_condition_share_one_set() -> None:
    parts = [drawing(key, NOT_MARRIED) for key in "bcdefg"]
    one = design(opened("o", yes_no("married")), *parts)
    assert index_of(one).reach(range(1, len(one.items))) == ((1, (one.asked_column(0),)), (-1, (0,)))


def test_mutually_exclusive_blocks_reach_no_respondents() -> None:
    apart = [Condition(question="state", options=options) for options in (("o0", "o1"), ("o2", "o3"))]
    one = design(opened("o", single("state", options=5)), drawing("b", apart[0]), drawing("c", apart[1]))
    assert index_of(one).reach(range(5, len(one.items))) == ()
    with pytest.raises(PrivacyError, match="asked") as refusal:
        estimate(
            SupportCounts(dict.fromkeys(required_counts([(5, 7)], one), (0, 0)), all_rows=True), (5, 7), one
        )
    assert refusal.value.code == "no_rows"


def test_too_many_sets_restrict_the_longest_parts_to_complete_rows() -> None:
    """With eight of 15 answers each, conditions need 8, 64 or 512 sets, which is too many."""
    states = [single(f"s{number}", options=15) for number in range(4)]
    eight = tuple(f"o{option}" for option in range(8))
    parts = [drawing(f"b{number}", Condition(question=f"s{number}", options=eight)) for number in range(4)]
    for known in (3, 4):
        index = index_of(design(opened("o", *states), *parts[:known]))
        without = {int(block) for block in index.block[~index.has_base]}
        assert without == (set() if 8**known <= MOST_CROSSED else {4})


@pytest.mark.parametrize(("most", "known"), [(26, True), (25, False)])
def test_any_of_three_conditions_needs_26_sets(
    most: int, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach, "MOST_COLUMN_SETS", most)
    asked = [yes_no(f"o{at}") for at in range(3)]
    terms = tuple(Condition(question=question.key, options=("no",)) for question in asked)
    one = design(opened("o", *asked), drawing("b", Conditions(joined="any", terms=terms)))
    assert (reach_of(one, 1) is not None) == known
