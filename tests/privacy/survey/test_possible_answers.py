"""Which answers can be true together, against an enumeration of everything people can answer."""

import itertools
from dataclasses import replace
from typing import Any

import pytest

from privacy.survey.block import SKIPPED
from privacy.survey.composed_block import block_components
from privacy.survey.composite_parts import Gaps
from privacy.survey.computed_answers import with_computed
from privacy.survey.design import Design
from privacy.survey.possible_answers import _contains, impossible_pairs, possible_answers
from tests.vectors.composite_designs import SEX, TOGETHER, acts, design, followed, scored, together


def true_rows(own: Design) -> set[tuple[int, ...]]:
    """Return the rows that some answers to components and open questions lead to."""
    block = replace(own.blocks[-1], questions_per_person=None)
    whole = replace(own, blocks=(*own.blocks[:-1], block), mechanism=0)
    components = block_components(block)
    values = [(*range(len(each.choices)), *(() if block.refusal is None else (None,))) for each in components]
    openly: list[dict[str, Any]] = [{"you": {"sex": at}} for at in range(len(SEX.options))] + [{"you": {}}]
    opened = [{}] if own.blocks[0].protected else openly
    found = set()
    for combination, chosen in itertools.product(itertools.product(*values), opened):
        given = dict(zip((each.key for each in components), combination, strict=True))
        parts = {
            question.key: {each.key: given[each.key] for each in question.computed.components}
            for question in block.questions
            if question.computed is not None
        }
        computed = with_computed(whole, {**chosen, block.key: parts})[block.key]
        if computed != SKIPPED:
            found.add(tuple(computed[question.key] for question in block.questions))
    return found


GAPS = Gaps(at_most=1, fill="no_points")
DESIGNS = {
    "two levels": TOGETHER["two follow-ups of one filter"],
    "three questions": design(together("b", *((name, followed(f"{name}1")) for name in "abc"))),
    "gaps": design(
        together("b", *((name, replace(followed(f"{name}1"), missing=GAPS)) for name in "ab"), refusal=2000)
    ),
    "with another": design(
        together("b", ("a", followed("a1")), ("d", acts("d1", "d2")), ("b", followed("b1")))
    ),
    "nested": TOGETHER["two filters, one after the other"],
}


@pytest.mark.parametrize("name", DESIGNS)
def test_every_true_row_is_possible_and_every_other_row_is_not(name: str) -> None:
    own = DESIGNS[name]
    boxes = possible_answers(own.blocks[-1])
    listed = {row for box in boxes for row in itertools.product(*box)}
    assert listed == true_rows(own)


@pytest.mark.parametrize(("most", "is_listed"), [(3, True), (2, False)])
def test_answers_are_listed_up_to_a_number_of_combinations(
    most: int, is_listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One filter has the answers yes, no and none: three combinations."""
    possible_answers.cache_clear()
    monkeypatch.setattr("privacy.survey.possible_answers.MOST_COMBINATIONS", most)
    assert bool(possible_answers(DESIGNS["two levels"].blocks[-1])) is is_listed
    possible_answers.cache_clear()


@pytest.mark.parametrize("name", DESIGNS)
def test_a_pair_is_impossible_if_no_true_row_has_it(name: str) -> None:
    own = DESIGNS[name]
    block, rows = own.blocks[-1], true_rows(own)
    expected = []
    for (first, one), (second, other) in itertools.combinations(enumerate(block.questions), 2):
        values = [range(len(each.options)) if each.options else [1] for each in (one, other)]
        for value, also in itertools.product(*values):
            if not any((row[first], row[second]) == (value, also) for row in rows):
                keys = [
                    each.item_keys[at] if each.options else each.key
                    for each, at in ((one, value), (other, also))
                ]
                expected.append(tuple(keys))
    assert sorted(impossible_pairs(block)) == sorted(expected)
    assert expected


def test_blocks_without_a_shared_filter_have_no_such_sets() -> None:
    for name in ("three forms", "index and placebo", "two halves"):
        assert possible_answers(TOGETHER[name].blocks[0]) == ()
        assert impossible_pairs(TOGETHER[name].blocks[0]) == ()


def test_filters_with_too_many_combinations_exclude_nothing() -> None:
    """A filter of 199 options and one of 12: every pair counts as possible rather than as excluded."""
    large = replace(scored("ever", *range(199)), shared=True)
    small = replace(scored("also", *range(12)), shared=True)
    rules = []
    for name in "ab":
        rule = followed(f"{name}1")
        conditions = rule.components[1].asked_if
        assert conditions is not None
        terms = (
            replace(conditions.terms[0], options=("o1",)),
            replace(conditions.terms[0], component="also", options=("o1",)),
        )
        follower = replace(rule.components[1], asked_if=replace(conditions, terms=terms))
        rules.append(replace(rule, components=(large, small, follower)))
    block = together("b", *zip("ab", rules, strict=True))
    assert possible_answers(block) == ()


def test_a_box_contains_itself_and_those_with_fewer_choices() -> None:
    box = (frozenset({0, 1}), frozenset({2}))
    assert _contains(box, box)
    assert _contains(box, (frozenset({1}), frozenset({2})))
    assert not _contains(box, (frozenset({1}), frozenset({2, 3})))
    assert not _contains((frozenset({1}), frozenset({2})), box)
