from dataclasses import replace

import pytest

from privacy.channels import amplification_below
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.survey.design import Design
from privacy.survey.place import Place
from tests.fixtures.refusals import refused
from tests.vectors.designs import live
from tests.vectors.scale_designs import PLACES, WHOLE, places, scale_block

HOME = scale_block("home", places("sm", WHOLE))


def test_places_are_disguised_on_a_map_and_never_open() -> None:
    (question,) = HOME.questions
    assert isinstance(question, Place)
    assert question.is_map
    assert not question.can_be_open
    assert not question.has_mean


@pytest.mark.parametrize("name", PLACES)
def test_the_disguise_of_a_place_survives_json(name: str) -> None:
    design = PLACES[name]
    assert Design.from_json(design.to_json()) == design


def test_a_lighter_place_keeps_its_windows() -> None:
    lighter = HOME.lighter(3.0)
    assert isinstance(lighter, PlanarWindowChannel)
    gamma = amplification_below(3.0)
    (level,) = HOME.disguise.levels
    assert lighter.levels == (replace(level, numerator=gamma.numerator, denominator=gamma.denominator),)
    assert replace(lighter, levels=HOME.disguise.levels) == HOME.disguise


def test_places_with_several_levels_have_no_lighter_disguise() -> None:
    (block,) = (block for block in PLACES["two levels"].blocks if block.is_scale)
    assert not block.has_lighter
    with refused("light", block.disguise.mechanism):
        block.lighter(1.0)


def test_members_of_a_map_are_required() -> None:
    document = live(HOME).to_json()
    del document["blocks"][0]["questions"][0]["disguise"]["regions"]
    with refused("malformed", "place"):
        Design.from_json(document)


def test_scores_of_a_part_of_a_map_need_boxes() -> None:
    (question,) = HOME.questions
    assert isinstance(question, Place)
    for target in ((), (1, 2), ((0, 0, 1, 1), None)):
        with refused("regions"):
            question.part_scores(question.disguise, target)
    area = question.disguise.area
    whole = ((0, 0, area.columns, area.rows),)
    inside, scores = question.part_scores(question.disguise, whole)
    assert inside.min() == 1
    assert scores.tolist() == pytest.approx([1] * len(scores))
