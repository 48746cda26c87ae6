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
from privacy.risk.report import Audit, StrengthAudit, scale_rows
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.survey.block_channel import block_channel
from privacy.survey.design import Design
from tests.fixtures.posteriors import row_odds
from tests.fixtures.refusals import refused
from tests.vectors.designs import CHOICE, assigned, choice, live, opened, shielded, yes_no
from tests.vectors.scale_designs import NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE
from tests.vectors.strength_designs import SCALES, lightly

DISGUISES = {
    name: question.disguise
    for name, design in (NUMBERS | PLACES | TILES_OF_ANY_SIZE).items()
    for question in design.questions
    if question.is_scale
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DISGUISES)
def test_the_likeliest_answer_matches_the_full_channel(name: str) -> None:
    disguise = DISGUISES[name]
    assert disguise is not None
    shares = np.random.default_rng(2).random(disguise.inputs) ** 3
    shares /= shares.sum()
    joint = disguise.channel.as_array() * shares
    best, chances = disguise.largest_joint(shares)
    assert best == pytest.approx(joint.max(axis=1), abs=1e-15)
    assert chances == pytest.approx(joint.sum(axis=1), abs=1e-14)


@pytest.mark.parametrize("skips", [0.2, 0.9])
@pytest.mark.parametrize("name", ["square wave", "hybrid", "utility-optimised", "two levels"])
def test_skipping_counts_as_one_more_possible_answer(name: str, skips: float) -> None:
    skipping = SKIPS[name].blocks[0].skipping
    assert skipping is not None
    disguise = skipping.disguise
    shares = np.random.default_rng(3).random(disguise.inputs) ** 4
    shares /= shares.sum()
    joint = skipping.channel.as_array() * np.append((1 - skips) * shares, skips)
    counts = joint.sum(axis=1) * 1e6
    found = scale_rows(disguise, shares, counts, skipping=skipping)
    posterior = joint.max(axis=1) / joint.sum(axis=1)
    assert found.sent == pytest.approx(
        [counts[posterior > level].sum() / 1e6 for level in (0.5, 0.9, 0.95)], abs=1e-9
    )
    assert found.highest == pytest.approx(posterior.max())
    assert found.before == pytest.approx(max((1 - skips) * shares.max(), skips))
    assert found.n == pytest.approx(1e6, abs=1)


def test_uninformative_rows_are_not_counted_above_one_half() -> None:
    """Most rows do not distinguish two neighbours, so the posterior is exactly one half."""
    disguise = DISGUISES["square wave"]
    assert disguise is not None
    shares = np.zeros(disguise.inputs)
    shares[:2] = 0.5
    joint = disguise.channel.as_array() * shares
    posterior = joint.max(axis=1) / joint.sum(axis=1)
    counts = joint.sum(axis=1) * 1e6
    even = np.abs(posterior - 0.5) < 1e-12
    assert 0 < counts[even].sum() < 1e6, "rows of both kinds"
    found = scale_rows(disguise, shares, counts)
    assert found.sent == pytest.approx([counts[~even].sum() / 1e6, *found.sent[1:]], abs=1e-9)


def test_places_outside_the_sensitive_areas_are_always_recognised() -> None:
    windows = DISGUISES["utility-optimised"]
    assert isinstance(windows, PlanarWindowChannel)
    outside = [cell for cell in range(windows.inputs) if windows.level_of(cell) == len(windows.levels)]
    counts = np.zeros(windows.outputs)
    counts[outside[0]] = 30
    counts[next(cell for cell in range(windows.inputs) if windows.level_of(cell) == 0)] = 70
    found = scale_rows(windows, np.full(windows.inputs, 1 / windows.inputs), counts)
    assert (found.sent[2], found.highest) == (pytest.approx(0.3), pytest.approx(1))


@pytest.mark.parametrize(("counts", "code"), [([1.0], "counts"), (None, "no_rows")])
def test_unmeasurable_inputs_are_rejected(counts: list[float] | None, code: str) -> None:
    band = DISGUISES["square wave"]
    assert band is not None
    with refused(code):
        scale_rows(band, np.ones(band.inputs), np.zeros(band.outputs) if counts is None else counts)


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
