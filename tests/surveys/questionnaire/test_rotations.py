"""Rotations are read from definitions, and stated as they were read."""

from typing import Any

import pytest

from privacy.survey.rotation import Rotation
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.rotations import stated_rotation
from tests.fixtures.embed_frames import three


def rotating(**members: Any) -> dict[str, Any]:
    return {**three(), "rotations": [{"blocks": ["part"], "parts_per_person": 1, **members}]}


def test_a_single_part_can_rotate_with_a_position_that_asks_nothing() -> None:
    document = rotating(blanks=2)
    (rotation,) = definition_parse(document).design.rotations
    assert rotation == Rotation(blocks=("part",), parts_per_person=1, blanks=2)
    assert [stated_rotation(rotation)] == document["rotations"]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({}, "rotations[0]"),
        ({"blanks": -1}, "rotations[0]"),
        ({"blanks": "1"}, "rotations[0]"),
        ({"blanks": 1, "parts_per_person": 2}, "rotations[0]"),
        ({"empty": 1}, "rotations[0].empty: unknown member"),
        ({"blanks": 1, "blocks": ["other"]}, "rotations[0]"),
    ],
)
def test_impossible_rotations_are_noted_at_their_place(members: dict[str, Any], said: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        definition_parse(rotating(**members))
    assert said in str(caught.value)
