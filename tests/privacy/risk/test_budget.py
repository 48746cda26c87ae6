import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given

from privacy.channels import retention_gamma
from privacy.risk.budget import block_budget, budget, least_likely_decoy, question_odds, skip_odds
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block_channel import block_channel, block_rows
from privacy.survey.design import SKIPPED, Block, Design, default_refusal
from tests.fixtures.refusals import refused
from tests.fixtures.strategies import designs
from tests.vectors.designs import DESIGNS, choice, shielded, study, yes_no
from tests.vectors.scale_designs import KEEP, OPEN_NUMBERS, PLACES, SKIPS, scale_block


def _even(p: int, questions: int, refusal: int | None = None) -> Block:
    """Return a block of yes/no questions with fair decoys."""
    return shielded("b", p, *(yes_no(f"q{number}", 5000) for number in range(questions)), refusal=refusal)


@pytest.mark.parametrize(
    ("block", "row"),
    [
        (_even(5000, 2), (1, 1)),
        (_even(5000, 2, 2000), (1, 1)),
        (_even(5000, 2, 1999), SKIPPED),
        (shielded("b", 5000, yes_no("a", 6000), yes_no("b", 4000)), (0, 1)),
        (shielded("b", 5000, choice("a", 3000, 2000, 3000, 2000)), (1,)),
        (shielded("b", 5000, choice("a", 9000, 5000, 100, multi=True), yes_no("b", 1)), ((0, 1, 1), 1)),
    ],
)
def test_ties_for_the_least_likely_decoy_prefer_most_yes_answers(block: Block, row: object) -> None:
    assert least_likely_decoy(block) == row


@pytest.mark.parametrize("questions", range(1, 8))
def test_with_even_decoys_a_default_skip_never_reveals_most(questions: int) -> None:
    block = _even(5000, questions)
    with_skip = _even(5000, questions, default_refusal(block))
    assert least_likely_decoy(with_skip) == (1,) * questions


@given(designs(most_blocks=2))
def test_the_least_likely_decoy_has_the_largest_amplification(design: object) -> None:
    for block in design.blocks:  # type: ignore[attr-defined]  # a Design; Hypothesis passes it untyped
        if block.protected and block.patterns <= 512:
            worst = least_likely_decoy(block)
            rows = list(block_rows(block))
            decoys = {row: unrelated_probability(block, row) for row in rows}
            assert decoys[worst] == min(decoys.values())
            gammas = {row: retention_gamma(block.truth, decoy) for row, decoy in decoys.items()}
            assert gammas[worst] == max(gamma or 0 for gamma in gammas.values())


@pytest.mark.parametrize("refusal", [None, 1500])
@pytest.mark.parametrize("p", [1, 4500, 9999])
def test_the_block_amplification_equals_the_channel_amplification(p: int, refusal: int | None) -> None:
    block = shielded("b", p, yes_no("a", 3000), choice("c", 2000, 3000, 5000), refusal=refusal)
    assert block_budget(block).amplification == block_channel(block).amplification()


def test_no_decoys_give_infinite_epsilon_and_no_truth_gives_zero() -> None:
    design = study(shielded("a", 10_000, yes_no("x", 3000)), shielded("b", 0, yes_no("y", 3000)))
    found = budget(design)
    assert [block.amplification for block in found.blocks] == [None, 1]
    assert [block.epsilon for block in found.blocks] == [math.inf, 0]
    assert found.epsilon == math.inf
    assert block_channel(design.blocks[0]).amplification() is None


def test_open_blocks_add_no_epsilon_and_are_named_in_errors() -> None:
    found = budget(DESIGNS["open only"])
    assert (found.blocks, found.epsilon) == ((), 0)
    with refused("open_block", "you"):
        block_budget(DESIGNS["open only"].blocks[0])
    with refused("open_block", "sleep"):
        block_budget(OPEN_NUMBERS["alone"].blocks[0])
    with refused("open_block", "you"):
        question_odds(DESIGNS["open only"].blocks[0])
    with refused("open_block", "you"):
        least_likely_decoy(DESIGNS["open only"].blocks[0])


def _skips_enumerated(block: Block, *, direct: bool) -> Fraction:
    """Return how many times likelier a skip is sent for a skipped part than for any answers."""
    channel = block_channel(block, direct=direct)
    *answers, skip = channel.row(len(channel.as_array()) - 1)
    return max(skip / answer for answer in answers)


@given(designs(most_blocks=2))
@pytest.mark.soak
def test_the_odds_of_a_sent_skip_match_the_whole_channel(design: Design) -> None:
    for block in design.blocks:
        if block.protected and block.refusal is not None and block.patterns <= 64:
            assert skip_odds(block) == _skips_enumerated(block, direct=False)
        elif block.protected and block.refusal is None:
            assert skip_odds(block) is None


def test_a_number_has_no_least_likely_decoy() -> None:
    with refused("lone", "age"):
        least_likely_decoy(SKIPS["square wave"].blocks[0])


def test_skip_odds_match_enumeration_under_both_strengths() -> None:
    # For p = 1/2 and .8 with r = 1/10: 1 + 1/.1 and 1 + 4/.1.
    block = replace(_even(5000, 3, refusal=1000), light=8000)
    for direct, odds in ((False, 11), (True, 41)):
        mine = block.in_group(direct=direct)
        assert mine is not None
        assert skip_odds(mine) == odds == _skips_enumerated(block, direct=direct)


@pytest.mark.parametrize("name", sorted(SKIPS))
def test_skip_odds_of_numbers_and_places_match_their_channel(name: str) -> None:
    blocks = [block for block in SKIPS[name].blocks if block.skipping is not None]
    assert blocks
    for block in blocks:
        assert skip_odds(block) == _skips_enumerated(block, direct=False)


def test_a_number_has_the_bound_of_its_disguise_and_a_map_that_of_its_levels() -> None:
    number = block_budget(scale_block("n", KEEP))
    assert (number.amplification, number.exact_outside, number.is_summed) == (KEEP.amplification, False, True)
    assert number.epsilon == pytest.approx(math.log(KEEP.amplification or 0))
    place = block_budget(PLACES["utility-optimised"].blocks[0])
    assert place.amplification is not None
    assert (place.exact_outside, place.is_summed) == (True, False)
    free = block_budget(scale_block("n", replace(KEEP, floor=0)))
    assert (free.amplification, free.epsilon, free.exact_outside) == (None, math.inf, False)
