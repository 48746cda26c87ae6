"""Largest products of gammas, worked out by hand for designs with conditions and rotations."""

from dataclasses import replace
from fractions import Fraction

import pytest

from privacy.risk.amplification import largest_amplification, promise
from privacy.risk.budget import block_budget
from privacy.survey.design import Design
from privacy.survey.rotation import Rotation
from tests.vectors.designs import ROUTED, live, opened, shielded, yes_no


def gamma(design: Design) -> Fraction | None:
    bounds = {number: block_budget(block) for number, block in enumerate(design.blocks) if block.protected}
    return largest_amplification(design, bounds)


@pytest.mark.parametrize(
    ("name", "largest"),
    [
        # With decoys of 1/2, gamma is (1 + p) / (1 - p): 17/3 for p = .7 exceeds 4 for .6; 11/9 for .1.
        ("parts that exclude each other", Fraction(17, 3) * Fraction(11, 9)),
        # Way 2: b has 3, and c 1 + 1/.04 by its rare skip; way 0: a has 9.
        ("two of three together", Fraction(3 * 26)),
        # Way 0 leads through another question to a, way 1 to b; c has 13/7, d only 3/2.
        ("an open part between, and another question", 3 * Fraction(13, 7)),
        # The "and" counts as its last condition, so a and b exclude each other.
        ("two answers together", Fraction(4)),
        # The "or" counts as no condition.
        ("either of two answers", Fraction(3 * 4)),
        ("five wordings", Fraction(3**5)),
    ],
)
def test_the_largest_product_is_that_of_blocks_asked_together(name: str, largest: Fraction) -> None:
    design = ROUTED[name]
    assert gamma(design) == largest
    found = promise(design)
    assert found is not None
    assert found.everything == largest


THREE = live(
    *(shielded(key, p, yes_no(f"q{key}", 5000)) for key, p in (("a", 5000), ("b", 6000), ("c", 7000)))
)


def test_of_a_rotation_the_largest_gammas_count_as_many_as_one_device_is_asked() -> None:
    assert gamma(THREE) == 3 * 4 * Fraction(17, 3)
    for count, largest in ((1, Fraction(17, 3) * 3), (2, 3 * 4 * Fraction(17, 3))):
        rotation = Rotation(blocks=("b", "c"), parts_per_person=count, blanks=count - 1)
        assert gamma(replace(THREE, rotations=(rotation,), mechanism=0)) == largest


def test_rotated_blocks_that_exclude_each_other_keep_the_smaller_bound() -> None:
    """One way leads to b and the other to c, so the rotation of both adds nothing."""
    design = ROUTED["parts that exclude each other"]
    rotation = Rotation(blocks=("a", "b"), parts_per_person=2, blanks=1)
    assert gamma(replace(design, rotations=(rotation,), mechanism=0)) == Fraction(17, 3) * Fraction(11, 9)


def test_a_block_without_a_bound_leaves_none() -> None:
    bounds = {number: block_budget(block) for number, block in enumerate(THREE.blocks)}
    assert largest_amplification(THREE, bounds | {1: replace(bounds[1], amplification=None)}) is None


def test_a_promise_counts_parts_skips_and_anchors() -> None:
    """The skip of b has 1 + (p / (1 - p)) / .25 = 7; its answers have 1 + 1.5 / .375 = 5."""
    anchor = shielded("t", 9000, replace(yes_no("born", 5000), anchor="everybody"))
    design = live(
        opened("o", yes_no("old")),
        shielded("a", 5000, yes_no("qa", 5000)),
        shielded("b", 6000, yes_no("qb", 5000), refusal=2500),
        anchor,
    )
    found = promise(design)
    assert found is not None
    assert (found.everything, found.answer, found.skip) == (3 * 7, 5, 7)
    assert (found.parts, found.anchors, found.not_composed, found.shared) == (2, 1, False, None)
    assert promise(live(anchor)) is None
    assert promise(live(opened("o", yes_no("old")))) is None
