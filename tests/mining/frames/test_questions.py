"""Kinds of answers, and the decoys that they get where nothing is said."""

from __future__ import annotations

from mining.frames.survey import Survey, one_of
from privacy.survey.block import GroupPolicy
from tests.fixtures.refusals import refused
from tests.mining.frames.surveys import RICH


def test_a_rich_survey_is_the_design_that_it_says() -> None:
    opened, work, money, pay = RICH.design.blocks
    assert [question.key for question in opened.questions] == ["year", "city"]
    assert (work.truth_probability, work.refusal, money.truth_probability) == (6000, 1000, 2500)
    assert [question.unrelated for question in work.questions] == [(5000,), (5000, 2000, 3000), (4000, 4000)]
    assert (money.questions_per_person, pay.disguise.inputs) == (2, 8)
    assert RICH.design.group == GroupPolicy()


def test_decoys_of_a_single_choice_are_alike_and_whole() -> None:
    design = Survey(blocks={"b": {"job": one_of("x", "y", "z")}}, p=0.5).design
    assert design.questions[0].unrelated == (3334, 3333, 3333)
    assert Survey(blocks={"b": ["a"]}, p=0.5, direct=True).design.group.policy == "choice"
    light = Survey(blocks={"b": ["a"]}, p=0.5, light=0.8).design
    assert light.blocks[0].light == 8000
    with refused("shares_sum"):
        Survey(blocks={"b": {"job": one_of("x", "y")}}, p=0.5, theta={"job": {"x": 0.5, "y": 0.4}})
    with refused("blocks", "w"):
        Survey(blocks={"b": {"job": one_of("x", "y")}}, p=0.5, theta={"job": {"w": 0.5, "y": 0.5}})
