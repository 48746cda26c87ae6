"""The sentence under *Did it help?* agrees with its interval, in thousands of simulated surveys."""

import math
import re

import numpy as np
import pytest
import scipy

from benchmarks.simulation import study_design
from privacy.estimation.arm_effects import ArmEffects, GroupSums, arm_effects
from privacy.printed import CHECKED
from privacy.survey.design import STRENGTH
from surveys.questionnaire.arms import ArmGroup
from surveys.questionnaire.labels import ItemLabel, Labels
from surveys.report.results.arm_effects import ArmText
from surveys.report.results.choice import item_choice
from surveys.runs.outcomes import ArmResults
from tests.conftest import SOAK

PLANS: tuple[tuple[tuple[int, ...], tuple[float, ...], int, float], ...] = (
    ((150, 150), (0.5, 0.5), 1, 0.3),
    ((150, 150), (0.5, 0.5), 5, 0.3),
    ((150, 150), (0.5, 0.5), 10, 0.3),
    ((100, 100, 100, 100), (0.5, 0.5, 0.5, 0.5), 5, 0.2),
    ((300, 100), (0.5, 0.8), 5, 0.1),
    ((300, 100), (0.4, 1.0), 5, 0.03),
    ((120, 120, 120), (0.7, 0.7, 0.7), 2, 0.05),
)
"""People and p of each group, questions, and the share of each answer in the first group."""

SURVEYS = 715 if SOAK else 50
"""Surveys for each of 14 settings: 700 in ./test, 10,000 with --soak."""


def drawn(plan: int, gap: float, rng: np.random.Generator) -> ArmEffects:
    """Return the figures of one survey, in which later groups give the first answer more often by `gap`."""
    sizes, truths, questions, share = PLANS[plan]
    groups = []
    for number, (n, p) in enumerate(zip(sizes, truths, strict=True)):
        shares = np.full((questions, 1), share)
        shares[0] += gap * (number > 0)
        true = rng.random((questions, n)) < shares
        sent = np.where(rng.random((questions, n)) < p, true, rng.random((questions, n)) < 0.5)
        direct = np.full(n, p > truths[0])
        groups.append(GroupSums.of(np.ones((questions, n)), (sent - (1 - p) / 2) / p, direct=direct))
    return arm_effects(groups, [[number] for number in range(questions)])


def text_of(effects: ArmEffects, by: str = "told") -> ArmText:
    """Return the text for one survey's figures."""
    groups, questions = effects.shares.shape
    labels = tuple(
        ItemLabel(
            index=at,
            key=f"q{at}",
            short=f"q{at}",
            question=f"q{at}",
            text="",
            option="",
            protected=True,
            name=f"q{at}",
        )
        for at in range(questions)
    )
    choices = tuple(item_choice(label) for label in labels)
    results = ArmResults(
        by=by,
        groups=tuple(
            ArmGroup(name=f"g{at}", share=1 / groups, items=(), direct=None) for at in range(groups)
        ),
        rows=(100,) * groups,
        share_p_value=1.0,
        outcomes=tuple(choice.side for choice in choices),
        numbers=tuple(range(questions)),
        questions=tuple((at, (at,)) for at in range(questions)),
        anchors={},
        left_out=(),
        effects=effects,
        unweighted=None,
        understanding={},
    )
    keys = tuple(label.key for label in labels)
    return ArmText(
        results=results,
        choices=choices,
        labels=Labels(items=labels),
        keys=keys,
        expected=dict.fromkeys(keys, "deny"),
        wanted=(),
        design=study_design([questions], truth_probability=5000, unrelated=5000),
        origin=CHECKED,
        forged=0,
    )


def end(effects: ArmEffects, group: int, outcome: int, alpha: float) -> float:
    """Return the half-width of a difference's interval, by a separate computation of Welch's t at alpha."""
    sizes = effects.sizes[[0, group], outcome]
    variances = effects.errors[[0, group], outcome] ** 2 * sizes / (sizes - 1)
    total = variances.sum()
    degrees = total**2 / (variances**2 / (sizes - 1)).sum() if total else np.inf
    return float(scipy.special.stdtrit(degrees, 1 - alpha / 2) * np.sqrt(total))


def verdict(said: str) -> str:
    """Return the claim of a sentence."""
    (found,) = re.findall(r"too uncertain|ruled out|higher|lower", said)
    return str(found)


def printed(points: float) -> str:
    return f"{abs(100 * points):.1f}"


@pytest.mark.parametrize("gap", [0.0, 0.15])
@pytest.mark.parametrize("plan", range(len(PLANS)))
def test_sentences_agree_with_their_interval_and_the_table(plan: int, gap: float) -> None:
    rng, claims = np.random.default_rng([plan, round(100 * gap)]), 0
    for _ in range(SURVEYS):
        effects = drawn(plan, gap, rng)
        said = text_of(effects).sentence
        group, outcome = int(re.findall("“g([1-9])”", said)[0]), int(re.findall(r"“q(\d+)”", said)[0])
        value = effects.differences[group - 1, outcome]
        half = end(effects, group, outcome, 0.05 / effects.differences.size)
        low, high = value - half, value + half
        is_small = max(-low, high) < 0.3
        none = "ruled out" if is_small else "too uncertain"
        claim = "higher" if low > 0 else "lower" if high < 0 else none
        assert verdict(said) == claim
        claims += claim != none
        if claim == none:
            largest = f"more than {math.ceil(100 * max(-low, high))} points"
            assert (largest in said) == is_small
            assert f"between {printed(low)} points less and {printed(high)} points more." in said
        else:
            near, far = sorted((abs(low), abs(high)))
            assert f"{printed(value)} points {claim}" in said
            assert f"({printed(near)} to {printed(far)})" in said
            # With two groups, the table tests the same differences by Holm, so it also has a significant one.
            assert len(effects.shares) > 2 or min(effects.adjusted) < 0.05
    # Claims are false in at most 5% of surveys, so in at most 81 of 715, except with probability 1e-6.
    assert gap or claims <= scipy.stats.binom.isf(1e-6, SURVEYS, 0.06)
    assert claims or not gap


def test_expectations_are_judged_only_when_a_difference_is_found() -> None:
    rng, seen = np.random.default_rng(8), set()
    for gap in (-0.25, 0.0, 0.25):
        for _ in range(40):
            said = text_of(drawn(0, gap, rng), STRENGTH).sentence
            meaning = re.findall("This is the opposite|This is expected|Expectation recorded", said)
            seen.add((verdict(said), *meaning))
    assert seen == {
        ("lower", "This is expected"),
        ("higher", "This is the opposite"),
        ("ruled out", "Expectation recorded"),
        ("too uncertain", "Expectation recorded"),
    }
