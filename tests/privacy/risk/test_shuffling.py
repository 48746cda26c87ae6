"""What an onlooker of shuffled rows learns: the laws by enumeration, the published goldens, the audit."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings

from privacy.risk import audit_design, audit_from_json, lines
from privacy.risk.budget import block_budget
from privacy.risk.shuffling import (
    SHUFFLED_ROWS,
    _Counts,
    blanket_epsilon,
    clones_epsilon,
    shuffled,
    two_least_likely,
)
from privacy.survey import Block, Design
from privacy.survey.grouping import block_rows, unrelated_probability
from tests.cast.blocks import blocks, even
from tests.cast.refusals import refused
from tests.vectors.designs import assigned, live, opened, shielded, yes_no

Histogram = tuple[int, ...]

EPSILONS = (0.05, 0.3, 0.7, 1.2)


def least(epsilon: float, rows: int) -> float:
    """What a row of such a part tells, the part being as near to epsilon as whole ten-thousandths allow."""
    truth = round(10_000 * (math.exp(epsilon) - 1) / (math.exp(epsilon) + 7))
    return blanket_epsilon(even(truth, 3), rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("alone", "told"),
    [(1, (0.420, 0.128, 0.0374)), (2, (1.29, 0.424, 0.124)), (3, (2.65, 1.04, 0.287)), (6, (6, 6.0, 3.92))],
)
def test_one_part_of_eight_patterns_tells_what_was_computed_elsewhere(
    alone: float, told: tuple[float, ...]
) -> None:
    assert [least(alone, rows) for rows in SHUFFLED_ROWS] == pytest.approx(told, rel=4e-3)


def test_the_general_bound_lies_in_the_published_interval() -> None:
    assert 0.1675385583317841 <= clones_epsilon(4.0, 100_000) <= 0.172790550755978


def letters(truth: float, decoys: Sequence[float], answer: int) -> dict[int, float]:
    """The law of one row."""
    return {row: truth * (row == answer) + (1 - truth) * chance for row, chance in enumerate(decoys)}


def histograms(rows: Iterable[Mapping[int, float]], size: int) -> Counter[Histogram]:
    """The exact law of how many rows show each letter."""
    found: Counter[Histogram] = Counter({(0,) * size: 1.0})
    for row in rows:
        more: Counter[Histogram] = Counter()
        for counts, chance in found.items():
            for letter, own in row.items():
                more[tuple(count + (at == letter) for at, count in enumerate(counts))] += chance * own
        found = more
    return found


def excess(one: Counter[Histogram], other: Counter[Histogram], epsilon: float) -> float:
    return sum(max(chance - math.exp(epsilon) * other[counts], 0.0) for counts, chance in one.items())


def blanket_by_enumeration(
    truth: float, decoys: Sequence[float], pair: tuple[int, int], rows: int, epsilon: float
) -> float:
    """The onlooker knows who of the others sent the truth, and takes their rows away."""
    drawn = dict(enumerate(decoys))
    total = 0.0
    for number in range(rows):
        weight = math.comb(rows - 1, number) * (1 - truth) ** number * truth ** (rows - 1 - number)
        one, other = (
            histograms([drawn] * number + [letters(truth, decoys, answer)], len(decoys)) for answer in pair
        )
        total += weight * excess(one, other, epsilon)
    return total


@pytest.mark.parametrize("decoys", [(0.2, 0.3, 0.5), (0.1, 0.9), (0.25, 0.25, 0.25, 0.25)])
def test_delta_is_that_of_all_histograms(decoys: tuple[float, ...]) -> None:
    truth, rows = 0.4, 6
    for pair in itertools.permutations(range(len(decoys)), 2):
        chances = decoys[pair[0]], decoys[pair[1]]
        law = _Counts.of(rows=rows, decoys=1 - truth, truth=truth, chances=chances)
        for epsilon in EPSILONS:
            wanted = blanket_by_enumeration(truth, decoys, pair, rows, epsilon)
            assert law.delta(epsilon) == pytest.approx(wanted, abs=2e-10)


def test_the_two_least_likely_decoys_are_the_worst_pair() -> None:
    decoys = (0.1, 0.15, 0.35, 0.4)
    for epsilon in EPSILONS:
        told = {
            pair: _Counts.of(rows=20, decoys=0.6, truth=0.4, chances=pair).delta(epsilon)
            for pair in itertools.permutations(decoys, 2)
        }
        worst = max(told, key=lambda pair: told[pair])
        assert set(worst) == {0.1, 0.15}


@pytest.mark.parametrize("others", [(0, 0), (0, 1), (1, 1), (2, 0)])
def test_both_bounds_hold_whatever_the_others_answered(others: tuple[int, ...]) -> None:
    """The whole truth of three rows: the onlooker sees the histogram and knows the others' true answers."""
    truth, decoys = 0.35, (0.2, 0.3, 0.5)
    alone = math.log(1 + truth / ((1 - truth) * decoys[0]))
    own = _Counts.of(rows=3, decoys=1 - truth, truth=truth, chances=(0.2, 0.3))
    mirrored = _Counts.of(rows=3, decoys=1 - truth, truth=truth, chances=(0.3, 0.2))
    clones = _Counts.of(rows=3, decoys=math.exp(-alone), truth=math.tanh(alone / 2), chances=(0.5, 0.5))
    rest = [letters(truth, decoys, answer) for answer in others]
    for pair, epsilon in itertools.product(itertools.permutations(range(3), 2), EPSILONS):
        one, other = (histograms([*rest, letters(truth, decoys, answer)], 3) for answer in pair)
        told = excess(one, other, epsilon)
        assert told <= max(own.delta(epsilon), mirrored.delta(epsilon)) + 1e-12
        assert told <= clones.delta(epsilon) + 1e-12


def test_with_all_rows_known_but_one_shuffling_adds_nothing() -> None:
    """A planted wrong bound would be seen: one row alone tells its whole epsilon."""
    assert least(1, 1) == pytest.approx(1, abs=1e-3)
    assert clones_epsilon(2.5, 1) == 2.5


@settings(max_examples=60, deadline=None)
@given(blocks())
def test_the_two_least_likely_are_those_of_all_rows(made: tuple[Block, dict[str, list[int]]]) -> None:
    block, _prevalence = made
    chances = sorted(unrelated_probability(block, row) for row in block_rows(block))
    assert list(two_least_likely(block)) == chances[:2]


def test_of_a_rotating_part_no_booklet_tells_more_among_shuffled_rows() -> None:
    """Of booklets the one with the rarest row need not be the one with the rarest two."""
    asked = tuple(yes_no(key, theta) for key, theta in (("a", 2000), ("b", 5000), ("c", 3000), ("d", 4500)))
    part = replace(shielded("b", 3000, *asked, refusal=900), questions_per_person=2)
    for rows in (5, 50, 500):
        of_booklets = [
            blanket_epsilon(part.of_booklet(part.booklet(number)), rows) for number in range(part.n_booklets)
        ]
        found = shuffled(live(part), [rows])[0].epsilon
        assert max(of_booklets) <= found <= block_budget(part).epsilon
    even_part = replace(even(5000, 4), questions_per_person=2)
    assert blanket_epsilon(even_part, 50) == blanket_epsilon(even(5000, 2), 50)


def test_more_rows_tell_less_and_never_more_than_one_row_alone() -> None:
    design = live(shielded("a", 6000, yes_no("x", 5000)), shielded("b", 4500, yes_no("y", 5000)))
    told = [each.epsilon for each in shuffled(design, (1, 10, 100, 1_000))]
    alone = sum(block_budget(block).epsilon for block in design.blocks)
    assert told == sorted(told, reverse=True)
    assert told[0] == pytest.approx(alone)
    assert told[-1] < alone / 2


def test_it_says_nothing_where_no_bound_holds() -> None:
    assert shuffled(live(opened("you", yes_no("a"))), SHUFFLED_ROWS) == ()


def test_numbers_of_rows_are_checked() -> None:
    with refused("n"):
        clones_epsilon(1.0, 0)


def test_the_audit_says_it_in_a_line_with_what_it_takes_for_granted() -> None:
    design = live(even(1768, 3))
    stated = {question.key: [2000] for question in design.questions}
    found = audit_design(design, stated, shuffled_rows=SHUFFLED_ROWS)
    said = {line.code: line.text for line in lines(found)}
    assert "among 50, 500, 5,000 rows" in said["survey.shuffled"]
    assert "at most epsilon 0.42, 0.128, 0.0374 instead of 1," in said["survey.shuffled"]
    assert "forged rows hide nobody" in said["survey.shuffled_rows"]
    assert "survey.shuffled_bound" not in said
    assert audit_from_json(found.to_json()).shuffled == found.shuffled
    older = {name: part for name, part in found.to_json().items() if name != "shuffled"}
    assert audit_from_json(older).shuffled == ()


def test_it_says_where_only_the_general_bound_is_known() -> None:
    design = live(even(1768, 3), shielded("other", 5000, yes_no("x", 5000)))
    stated = {question.key: [2000] for question in design.questions}
    said = {line.code: line.text for line in lines(audit_design(design, stated, shuffled_rows=(50,)))}
    assert said["survey.shuffled_bound"].endswith("that much or less.")


def test_the_light_strength_has_a_line_of_its_own() -> None:
    strong = even(1768, 3)
    design = Design(blocks=(replace(strong, light=5000),), group=assigned(3000), use="live")
    stated = {question.key: [2000] for question in design.questions}
    found = audit_design(design, stated, shuffled_rows=SHUFFLED_ROWS)
    assert found.light is not None
    assert found.light.shuffled == shuffled(live(replace(strong, truth_probability=5000)), SHUFFLED_ROWS)
    said = {line.code: line.text for line in lines(found)}
    assert "instead of 1," in said["survey.shuffled"]
    assert said["survey.light_shuffled"].endswith(f"instead of {math.log(9):.3g}.")
