"""Audits of numbers and places agree with the full channel."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.row_patterns import observe
from privacy.risk import Observed, audit_design, audit_from_json, audit_rows
from privacy.risk.amplification import promise
from privacy.risk.budget import budget
from privacy.risk.report import Audit, StrengthAudit
from privacy.survey.block_channel import block_channel
from privacy.survey.design import Design
from tests.fixtures.posteriors import row_odds
from tests.vectors.designs import CHOICE, assigned, choice, live, opened, shielded, yes_no
from tests.vectors.strength_designs import SCALES, lightly

PARTS = (
    lightly(shielded("a", 5000, yes_no("x", 5000), yes_no("y", 4000), refusal=2000), 8000),
    lightly(shielded("b", 3000, choice("mood", 2000, 3000, 5000)), 6000),
)
TWO = live(opened("you", yes_no("city")), *PARTS, group=CHOICE)
STATED = {"x": [2000], "y": [3000], "mood": [5000, 3000, 2000]}


@pytest.mark.parametrize(
    "design",
    [TWO, live(PARTS[1], *SCALES["wide or any"].blocks, group=CHOICE)],
    ids=["parts", "with a number"],
)
@pytest.mark.parametrize("direct", [False, True])
def test_the_promise_of_each_strength_is_attained_and_never_exceeded(design: Design, direct: bool) -> None:
    """Checks all pairs of whole rows, which cover all priors and properties."""
    joint = np.ones((1, 1))
    for block in design.blocks:
        if block.protected:
            joint = np.kron(joint, block_channel(block, direct=direct).as_array())
    largest = (joint.max(axis=1) / joint.min(axis=1)).max()
    group = design.in_group(direct=direct)
    assert group is not None
    odds = promise(group)
    assert odds is not None
    assert largest == pytest.approx(float(odds.everything), rel=1e-12)


def test_the_label_of_a_design_describes_its_strong_rows() -> None:
    assert promise(TWO) == promise(TWO.in_group(direct=False))
    # A decoy is a skip with .2, and the rarest answer, yes-yes, with .8 .5 .4 = .16; 1 + .5/(.5 .16).
    assert [part.amplification for part in budget(TWO).blocks] == [Fraction(29, 4), Fraction(22, 7)]
    light = TWO.in_group(direct=True)
    # 1 + .8/(.2 .16) and 1 + .6/(.4 .2).
    assert [part.amplification for part in budget(light).blocks] == [26, Fraction(17, 2)]
    assert row_odds(light, STATED, 1, (1, 1)).even == pytest.approx(26 / 27)


def _of(audit: Audit) -> StrengthAudit:
    return StrengthAudit(
        n=None,
        epsilon=audit.epsilon,
        rho2=audit.rho2,
        blocks=audit.blocks,
        lone=audit.lone,
        items=audit.items,
        impossible=audit.impossible,
    )


@pytest.mark.parametrize("exclusive", [(), (("x", "y"),)])
def test_the_audit_of_a_strength_matches_a_single_strength_survey(
    exclusive: tuple[tuple[str, ...], ...],
) -> None:
    found = audit_design(TWO, STATED, n=1000, exclusive=exclusive)
    strong, light = (
        audit_design(TWO.in_group(direct=direct), STATED, n=1000, exclusive=exclusive)
        for direct in (False, True)
    )
    assert _of(found) == _of(strong)
    assert found.light == _of(light)
    assert found.light.epsilon > found.epsilon
    assert audit_design(live(*PARTS, group=assigned(0)), STATED).light is None
    assert strong.light is light.light is None


def test_light_disguise_is_not_reported_as_undisguised() -> None:
    found = audit_design(TWO, STATED, n=1000)
    assert (found.group.has_direct, found.group.has_light) == (False, True)
    assert not TWO.sends_undisguised
    drawn = audit_design(live(*PARTS, group=assigned(300)), STATED).group
    assert (drawn.has_direct, drawn.has_light, drawn.direct_share) == (False, True, 0.03)
    numbers = audit_design(SCALES["all kinds, drawn"], {"affair": [1000]}).light
    assert numbers is not None
    assert numbers.lone
    undisguised = tuple(replace(block, light=None) for block in PARTS)
    before = audit_design(live(*undisguised, group=CHOICE), STATED)
    assert (before.group.has_direct, before.group.has_light, before.light) == (True, False, None)


def test_an_audit_with_two_strengths_survives_its_json() -> None:
    found = audit_design(TWO, STATED, n=1000)
    assert audit_from_json(found.to_json()).to_json() == found.to_json()


def _counted(n: int) -> Observed:
    """Return rows of simulated people; the answers do not matter, as long as the groups differ."""
    rng = np.random.default_rng(6)
    items = rng.random((n, len(TWO.items))) < 0.4
    moods = [item.index for item in TWO.items if item.key.startswith("mood")]
    items[:, moods] = np.eye(3, dtype=bool)[rng.integers(0, 3, n)]
    return observe(BitMatrix.from_booleans(TWO, items, rng.random(n) < 0.4))


def test_light_rows_are_audited_like_a_separate_survey() -> None:
    observed = _counted(3000)
    found = audit_rows(TWO, STATED, observed)
    swapped = Observed(
        n_direct=0, n_protected=observed.n_direct, open=observed.open[:, ::-1] * [0, 1], blocks=observed.light
    )
    alone = audit_rows(TWO.in_group(direct=True), STATED, swapped)
    assert found.light == replace(_of(alone), n=observed.n_direct)
    # Each group's prior is reconstructed from its own rows.
    assert found.light.blocks[0].n == observed.n_direct
    assert found.blocks[0].n == observed.n_protected
    assert found.light.items[0].prevalence != found.items[0].prevalence
    assert found.open.unique_direct == 0
    assert (found.n, found.group.n_direct) == (3000, observed.n_direct)


def test_few_light_rows_use_the_prior_of_the_strong_rows() -> None:
    observed = _counted(240)
    assert observed.n_direct < 100 <= observed.n_protected
    found = audit_rows(TWO, STATED, observed)
    assert [item.prevalence for item in found.light.items] == [item.prevalence for item in found.items]


def test_designs_with_one_strength_count_no_light_rows() -> None:
    design = live(shielded("a", 5000, yes_no("x", 5000)), group=CHOICE)
    rows = np.array([[True], [False], [True]])
    assert observe(BitMatrix.from_booleans(design, rows, np.array([True, False, True]))).light == {}


def test_the_audit_of_a_block_and_of_a_number_is_found_by_key_and_even_prior() -> None:
    design = live(PARTS[1], *SCALES["wide or any"].blocks, group=CHOICE)
    found = audit_design(design, {"mood": [5000, 3000, 2000]})
    assert found.block("b").key == "b"
    for scale, block in zip(found.lone, design.blocks[1:], strict=True):
        channel = block_channel(block, direct=False).as_array()
        odds = float((channel.max(axis=1) / channel.min(axis=1)).max())
        assert scale.even == pytest.approx(odds / (1 + odds))
