"""Light strengths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from privacy.planning import light_strengths
from privacy.planning.light_strengths import proposed_light
from privacy.risk.amplification import promise
from privacy.risk.budget import block_budget, budget
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import BY_EPSILON, shift
from privacy.scales.planar_mechanisms import grid_response, square_mechanism
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.survey.block import default_refusal
from privacy.survey.design import Block, Condition, Design
from privacy.survey.light import Light
from privacy.survey.rotation import Rotation
from tests.vectors.designs import CHOICE, choice, live, opened, shielded, study, yes_no
from tests.vectors.scale_designs import PLACES, may_skip, scale_block
from tests.vectors.strength_designs import COINS, SCALES

AGES = NumberRange(low=0, high=99)


def _with(design: Design, lights: Sequence[Light | None]) -> Design:
    blocks = tuple(replace(block, light=light) for block, light in zip(design.blocks, lights, strict=True))
    return replace(design, blocks=blocks, group=CHOICE, mechanism=0)


def _parts(count: int, p: int = 5000) -> Design:
    return live(*(shielded(f"b{n}", p, yes_no(f"q{n}", 5000)) for n in range(count)))


BLOCKS = [
    shielded("a", 5000, yes_no("x", 5000)),
    shielded("a", 3000, yes_no("x", 3000)),
    shielded("a", 4500, yes_no("x", 5000), yes_no("y", 5000), refusal=2000),
    shielded("a", 3000, choice("mood", 2000, 3000, 5000), refusal=400),
    shielded("a", 2000, choice("drugs", 2500, 7500, multi=True), yes_no("x", 4000)),
]


@pytest.mark.parametrize("block", BLOCKS)
def test_the_light_probability_is_the_largest_within_the_bound(block: Block) -> None:
    (p0,) = proposed_light(live(block))
    gamma = block_budget(block).amplification
    assert gamma is not None
    allowed = min(2 * math.log(gamma), 6.0)
    assert block_budget(replace(block, truth_probability=p0)).epsilon <= allowed + 1e-12
    assert block_budget(replace(block, truth_probability=p0 + 1)).epsilon > allowed


def test_light_probabilities_match_a_hand_calculation() -> None:
    # Greenberg's single question: 3^2 = 9 gives .8. Two questions in one part: q = 1/4, gamma 5, 25, 24/28.
    assert proposed_light(_parts(1)) == (8000,)
    assert proposed_light(_parts(2)) == (8000, 8000)
    assert proposed_light(live(shielded("a", 5000, yes_no("x", 5000), yes_no("y", 5000)))) == (8571,)
    # Three parts: 3 ln 3 = 3.296, s = 1.8205, 3^s = e^2 = 7.389, so 3.19453/4.19453.
    assert proposed_light(_parts(3)) == (7615,) * 3


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_all_light_answers_of_a_person_total_at_most_six(count: int) -> None:
    design = _parts(count)
    light = _with(design, proposed_light(design)).in_group(direct=True)
    whole = promise(light)
    assert math.log(whole.everything) <= 6 + 1e-12
    assert whole.everything > promise(design).everything


def test_parts_never_asked_together_are_not_added_up() -> None:
    conditions = [Condition(question="way", options=(f"o{n}",)) for n in range(5)]
    apart = live(
        opened("you", choice("way", options=5)),
        *(
            shielded(f"b{n}", 5000, yes_no(f"q{n}", 5000), asked_if=condition)
            for n, condition in enumerate(conditions)
        ),
    )
    assert proposed_light(_parts(5)) is None
    assert proposed_light(apart) == (None, *(8000,) * 5)


def test_unsuitable_designs_are_offered_no_light_strength() -> None:
    nothing = [
        _parts(5),
        live(opened("you", yes_no("city"))),
        study(shielded("a", 0, yes_no("x", 5000))),
        study(shielded("a", 10_000, yes_no("x", 5000))),
        live(PLACES["utility-optimised"].blocks[0]),
        live(PLACES["two levels"].blocks[0]),
        study(scale_block("n", shift(AGES, 3))),
        # With even decoys p = .96 costs epsilon 3.9, and .95, the maximum, is no lighter.
        live(shielded("a", 9600, yes_no("x", 5000))),
    ]
    assert [proposed_light(design) for design in nothing] == [None] * len(nothing)


@pytest.mark.parametrize("name", [*COINS, *SCALES])
def test_existing_strengths_and_groups_do_not_change_the_light_proposal(name: str) -> None:
    design = (COINS | SCALES)[name]
    assert proposed_light(design) == proposed_light(
        replace(design, blocks=tuple(block.in_group(direct=False) or block for block in design.blocks),
                mechanism=0, group=CHOICE)
    )  # fmt: skip


@pytest.mark.parametrize("mechanism", BY_EPSILON)
@pytest.mark.parametrize("epsilon", [0.2, 0.5, 1.0, 1.7, 2.9])
@pytest.mark.parametrize("high", [2, 9, 99])
def test_a_number_has_one_skip_probability_under_both_strengths(
    mechanism: str, epsilon: float, high: int
) -> None:
    """The least skip probability falls with epsilon, so the strong one suffices for both."""
    band = BY_EPSILON[mechanism](NumberRange(low=0, high=high), epsilon)
    block = scale_block("n", band)
    block = replace(block, refusal=default_refusal(block))
    design = live(block)
    found = proposed_light(design)
    assert found is not None
    (light,) = found
    epsilon = block_budget(block).epsilon
    assert light == BY_EPSILON[mechanism](band.range, min(2.0, 6 / epsilon) * epsilon)
    assert _with(design, found).in_group(direct=True).blocks[0].skipping.refusal == block.refusal


def test_a_lighter_place_keeps_its_windows_items_and_skips() -> None:
    area = PLACES["square mechanism"].blocks[0].disguise.area
    for windows in (square_mechanism(area, 1.0, side=3), grid_response(area, 1.2, tile=(3, 3))):
        region = ((0, 0, area.columns, area.rows),)
        named = replace(windows, regions=(region,))
        block = may_skip(scale_block("home", named, "all"))
        found = proposed_light(live(block))
        (light,) = found
        assert isinstance(light, PlanarWindowChannel)
        assert light.levels[0].frames == windows.levels[0].frames
        assert light.levels[0].tiles == windows.levels[0].tiles
        epsilon = math.log(light.amplification)
        assert 0 <= 2 * block_budget(block).epsilon - epsilon < 1e-5
        assert _with(live(block), found).has_two_strengths


def test_with_rotation_the_worst_light_total_stays_below_six() -> None:
    rotating = replace(
        shielded("a", 3000, *(yes_no(f"a{n}", theta) for n, theta in enumerate((5000, 4000, 5000, 3000)))),
        questions_per_person=2,
    )
    turns = [shielded(key, 5000, yes_no(key, 5000)) for key in ("b", "c", "d")]
    everybody = live(rotating, *turns)
    design = replace(
        everybody, rotations=(Rotation(blocks=("b", "c", "d"), parts_per_person=2),), mechanism=0
    )

    law = _with(design, proposed_light(design)).in_group(direct=True)
    gammas = [block_budget(block).amplification or 0 for block in design.blocks]
    # Each person is asked two of the three rotating parts.
    power = min(2.0, 6 / math.log(gammas[0] * 3 * 3))
    assert budget(law).epsilon <= 6
    assert block_budget(law.blocks[0]).epsilon == pytest.approx(power * math.log(gammas[0]), abs=1e-3)
    # If all three are asked, no second strength is possible.
    assert proposed_light(everybody) is None


@pytest.mark.parametrize(("truth", "light"), [(4999, None), (5000, None), (5001, 5001)])
def test_a_light_strength_is_lighter_than_the_strong_one(
    truth: int, light: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(light_strengths, "_light_truth", lambda *_arguments: truth)
    block = shielded("b", 5000, yes_no("q", 5000))
    assert light_strengths._light(block, block_budget(block), 1.5) == light
