"""Every committed file of vectors is what its generator makes, and every design of them survives its JSON."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from privacy.survey.design import Design
from tests.vectors import (
    make_arm_vectors,
    make_rotation_vectors,
    make_scale_vectors,
    make_strength_vectors,
    make_text_vectors,
    make_vectors,
)
from tests.vectors.arm_designs import DESIGNS as ARMS
from tests.vectors.make_vectors import HERE, written
from tests.vectors.rotation_designs import DESIGNS as ROTATING
from tests.vectors.scale_designs import NUMBERS, OPEN_NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE
from tests.vectors.strength_designs import COINS, SCALES

FILES = {
    **make_arm_vectors.FILES,
    **make_rotation_vectors.FILES,
    **make_scale_vectors.FILES,
    **make_strength_vectors.FILES,
    **make_text_vectors.FILES,
    **make_vectors.FILES,
}
LONG = {"rotation.json": [pytest.mark.soak, pytest.mark.slow]}
BY_FILE = {"number": NUMBERS, "open": OPEN_NUMBERS, "place": PLACES, "skip": SKIPS, "tile": TILES_OF_ANY_SIZE}
NUMBERS_AND_PLACES = {
    f"{file}, {name}": design for file, designs in BY_FILE.items() for name, design in designs.items()
}
OF_MECHANISM = [
    pytest.param(mechanism, design, id=f"{mechanism}: {name}")
    for mechanism, designs in ((2, NUMBERS_AND_PLACES), (3, COINS | SCALES), (4, ROTATING), (6, ARMS))
    for name, design in designs.items()
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "make"), [pytest.param(*each, id=each[0], marks=LONG.get(each[0], ())) for each in FILES.items()]
)
def test_committed_files_equal_the_generator_output_byte_for_byte(
    file: str, make: Callable[[], dict[str, Any]]
) -> None:
    assert (HERE / file).read_bytes() == written(make()).encode("ascii")


@pytest.mark.parametrize(("mechanism", "design"), OF_MECHANISM)
def test_a_design_survives_json_with_its_mechanism(mechanism: int, design: Design) -> None:
    document = json.loads(json.dumps(design.to_json()))
    assert document["mechanism"] == mechanism
    assert Design.from_json(document) == design
    assert Design.from_json(document).design_id == design.design_id
