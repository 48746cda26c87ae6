"""The family of a run is counted without listing it; these tests list it to compare."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from mining import family as family_module
from mining.family import _at_most, _by_size, _times, itemset_family, rule_family
from mining.thresholds import Sides
from privacy.survey.design import Design
from privacy.survey.rotation import Rotation
from surveys.management.commands.demo import definition, thresholds
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.questionnaires import EVERYTHING, grouped
from tests.vectors.designs import live, shielded, yes_no


def possible(design: Design, size: int) -> list[tuple[int, ...]]:
    found = []
    for items in combinations(range(len(design.items)), size):
        chosen = [design.items[item].question for item in items]
        single = [number for number in chosen if design.questions[number].kind == "single"]
        if len(set(single)) == len(single):
            found.append(items)
    return found


def listed(design: Design, sides: Sides, size: int) -> list[tuple[frozenset[int], frozenset[int]]]:
    return [
        (frozenset(before), frozenset(items) - frozenset(before))
        for items in possible(design, size)
        for length in range(1, size)
        for before in combinations(items, length)
        if sides.allow(before, tuple(set(items) - set(before)))
    ]


SIDES = {
    "all": Sides(),
    "one item after": Sides(longest_consequent=1),
    "some items": Sides(antecedent=(0, 1, 2, 3, 6), consequent=(3, 5, 6, 7)),
    "overlapping, two after": Sides(antecedent=(0, 3, 5, 6), consequent=(3, 4, 5, 6), longest_consequent=2),
}


@pytest.mark.parametrize("name", SIDES)
def test_the_family_size_equals_the_number_of_listed_rules(name: str) -> None:
    for size in (2, 3, 4):
        rules = [listed(EVERYTHING, SIDES[name], length) for length in range(2, size + 1)]
        ordered = {length + 2: len(found) for length, found in enumerate(rules) if found}
        pairs = {length + 2: len({frozenset(rule) for rule in found}) for length, found in enumerate(rules)}
        assert dict(rule_family(EVERYTHING, SIDES[name], size, ordered=True).by_size) == ordered
        unordered = dict(rule_family(EVERYTHING, SIDES[name], size, ordered=False).by_size)
        assert unordered == {length: number for length, number in pairs.items() if number}


def test_the_itemset_family_size_equals_the_number_of_itemsets() -> None:
    for design in (EVERYTHING, grouped([2, 1])):
        assert dict(itemset_family(design, 3).by_size) == {
            size: len(possible(design, size)) for size in (1, 2, 3) if possible(design, size)
        }


def test_the_demos_family_has_312_rules() -> None:
    design = definition_parse(definition()).design
    asked = thresholds(design)
    found = rule_family(design, asked.sides, asked.max_size, ordered=False)
    assert (found.by_size, found.total) == (((2, 42), (3, 270)), 312)


def test_weights_give_each_size_an_equal_share_of_the_level() -> None:
    family = rule_family(EVERYTHING, Sides(), 4, ordered=True)
    shares = [number * family.weight(size) / family.total for size, number in family.by_size]
    np.testing.assert_allclose(shares, 1 / len(family.by_size))
    assert family.weight(9) == np.inf


def drawn(size: int | None, booklets: tuple[tuple[int, ...], ...] | None, *anchors: str) -> Design:
    """Return a block of four questions of which a device asks some, and blocks of one question."""
    four = replace(
        shielded("b", 5000, *(yes_no(f"q{number}", 5000) for number in range(4))),
        questions_per_person=size,
        booklets=booklets,
    )
    ones = (shielded(key, 5000, replace(yes_no(f"x{key}", 5000), anchor="nobody")) for key in anchors)
    return live(four, shielded("c", 5000, yes_no("xc", 5000)), *ones)


@pytest.mark.parametrize("booklets", [None, ((0, 1), (0, 2), (2, 3)), ((0, 1, 2), (0, 1, 3))])
def test_itemsets_of_a_rotating_block_are_those_that_one_booklet_asks(
    booklets: tuple[tuple[int, ...], ...] | None,
) -> None:
    size = 2 if booklets is None else len(booklets[0])
    sets = booklets or tuple(combinations(range(4), size))
    design = drawn(size, booklets, "d")
    # Item 4 is the question of its own block; the last item is an anchor, which is in no itemset.
    asked = [
        items
        for count in range(1, 4)
        for items in combinations(range(5), count)
        if any({*items} - {4} <= {*booklet} for booklet in sets)
    ]
    by_size = tuple((count, sum(len(items) == count for items in asked)) for count in (1, 2, 3))
    assert itemset_family(design, 3).by_size == by_size


@pytest.mark.parametrize(("most", "pairs"), [(8, 3), (7, 6)])
def test_sets_of_questions_are_listed_up_to_a_number(
    most: int, pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four questions, devices are asked one of three pairs: with parts of them, eight sets."""
    monkeypatch.setattr(family_module, "MOST_QUESTION_SETS", most)
    # Each question also joins the question of the block of its own.
    assert itemset_family(drawn(2, ((0, 1), (0, 2), (2, 3))), 2).by_size == ((1, 5), (2, pairs + 4))


def test_of_a_rotation_only_so_many_blocks_join() -> None:
    """Of three blocks with one question each, a device asks two: three pairs, no triple."""
    blocks = (shielded(key, 5000, yes_no(f"x{key}", 5000)) for key in "abc")
    design = replace(
        live(*blocks, shielded("d", 5000, yes_no("xd", 5000))),
        rotations=(Rotation(blocks=("a", "b", "c"), parts_per_person=2),),
        mechanism=0,
    )
    assert itemset_family(design, 4).by_size == ((1, 4), (2, 3 + 3), (3, 3))


def test_products_of_polynomials_are_cut_at_their_size() -> None:
    """(1 + x + y)^2 without terms of degree 2 in x or y alone: 1 + 2 x + 2 y + 2 x y."""
    one = np.array([[1, 1], [1, 0]], dtype=object)
    assert _times(one, one).tolist() == [[1, 2], [2, 2]]


def test_at_most_some_of_three_factors_contribute() -> None:
    """Three factors 1 + x: all three give (1 + x)^3, at most two 1 + 3 x + 3 x^2, at most one 1 + 3 x."""
    empty, factor = np.zeros((4, 4), dtype=object), np.zeros((4, 4), dtype=object)
    empty[0, 0] = factor[0, 0] = factor[1, 0] = 1
    found = {most: _at_most(most, [factor] * 3, empty)[:, 0].tolist() for most in (0, 1, 2, 3, 4)}
    assert found == {0: [1, 0, 0, 0], 1: [1, 3, 0, 0], 2: [1, 3, 3, 0], 3: [1, 3, 3, 1], 4: [1, 3, 3, 1]}


def test_sizes_add_up_both_sides() -> None:
    table = np.arange(16, dtype=object).reshape(4, 4)
    # Sizes 2 and 3 with one item in the consequent: table[1, 1] and table[2, 1]; with two, table[1, 2], too.
    assert _by_size(table, 1, 3).tolist() == [0, 0, 5, 9]
    assert _by_size(table, 2, 3).tolist() == [0, 0, 5, 9 + 6]
