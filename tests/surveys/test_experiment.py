"""The worked example: made-up people, shy by eight points, from the definition to Did it help?"""

from __future__ import annotations

import random

import pytest
from django.utils import timezone

from privacy.coins import Coins
from privacy.survey.arms import draw_arms
from privacy.survey.grouping import disguise, draw_group
from privacy.survey.layout import Layout
from surveys.authoring.publish import survey_import, survey_publish
from surveys.figures.arm_effects import ArmResults, arm_results
from surveys.intake.keys import mixer_ready
from surveys.questionnaire.definition import definition_parse
from tests.cast.devices import closed, shipped_definition, stored
from tests.cast.runs import mined

pytestmark = pytest.mark.django_db
COPIED, SHY = 0.30, 0.08


def example(n: int) -> ArmResults:
    """People of whom 30 of 100 copied; under the light disguise eight of them deny it, whatever they read."""
    assert mixer_ready()
    survey = survey_import(shipped_definition("experiment"), by="alice")
    version = survey_publish(survey, by="alice", now=timezone.now(), reason="The worked example.")
    design, rng = version.to_design(), random.Random(39)
    layout, words = Layout(design), iter(lambda: rng.getrandbits(32), None)
    rows = []
    for _ in range(n):
        coins = Coins(words)
        (arm,) = draw_arms(design, coins)
        light = draw_group(design, coins)
        answers = {
            "explanation": {"explanation": arm},
            "studies": {"years": rng.getrandbits(1)},
            "work": {
                "copied": int(rng.random() < COPIED - SHY * light),
                "invented": int(rng.random() < 0.15),
            },
        }
        rows.append(layout.pack(disguise(design, answers, direct=light, coins=coins)))
    for start in range(0, n, 1_000):
        stored(version, rows[start : start + 1_000])
    run = mined(closed(version))
    results = arm_results(run, "group")
    told = arm_results(run, "explanation")
    assert told.effects.p_value > 1e-4
    assert results.share_p_value > 1e-4
    return results


def test_the_shipped_experiment_is_a_definition_in_two_languages_with_both_divisions() -> None:
    definition = definition_parse(shipped_definition("experiment"))
    assert definition.languages == ("en", "zh-hans")
    assert definition.design.has_two_strengths
    assert len(definition.design.arms) == 1


def test_the_figures_of_the_example_hold_what_was_planted() -> None:
    # Five standard errors; more people find it, see below.
    results = example(800)
    effects = results.effects
    for group, light in enumerate((0, 1)):
        assert abs(effects.shares[group, 0] - (COPIED - SHY * light)) < 5 * effects.errors[group, 0]
    assert abs(effects.differences[0, 1]) < 5 * effects.difference_errors[0, 1]


@pytest.mark.soak
def test_with_six_thousand_people_the_shyness_of_eight_points_is_found() -> None:
    # Power .9; the seed is one that does.
    results = example(6_000)
    low, high = results.effects.interval(1, 0)
    assert low < -SHY < high < 0
