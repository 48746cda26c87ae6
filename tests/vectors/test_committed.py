"""Every committed file of vectors is what its generator makes, and every design of them survives its JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from privacy.survey.design import Design
from tests.vectors import (
    make_arm_vectors,
    make_digest_vectors,
    make_frame_vectors,
    make_promise_vectors,
    make_rotation_vectors,
    make_scale_vectors,
    make_strength_vectors,
    make_vectors,
)
from tests.vectors.arm_designs import DESIGNS as ARMS
from tests.vectors.make_vectors import HERE, written
from tests.vectors.rotation_designs import DESIGNS as ROTATING
from tests.vectors.strength_designs import COINS, SCALES

QUICK = (
    make_arm_vectors,
    make_digest_vectors,
    make_vectors,
    make_frame_vectors,
    make_promise_vectors,
    make_scale_vectors,
    make_strength_vectors,
)
FILES = [
    *(pytest.param(name, make, id=name) for generator in QUICK for name, make in generator.FILES.items()),
    *(
        pytest.param(name, make, id=name, marks=[pytest.mark.soak, pytest.mark.slow])
        for name, make in make_rotation_vectors.FILES.items()
    ),
]
OF_MECHANISM = [
    pytest.param(mechanism, design, id=f"{mechanism}: {name}")
    for mechanism, designs in ((3, {**COINS, **SCALES}), (4, ROTATING), (6, ARMS))
    for name, design in designs.items()
]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "make"), FILES)
def test_the_committed_file_is_byte_for_byte_what_the_generator_makes(
    file: str, make: Callable[[], dict[str, Any]]
) -> None:
    assert (HERE / file).read_bytes() == written(make()).encode("ascii")


@pytest.mark.parametrize(("mechanism", "design"), OF_MECHANISM)
def test_a_design_survives_its_json_and_is_of_its_mechanism(mechanism: int, design: Design) -> None:
    document = json.loads(json.dumps(design.to_json()))
    assert document["mechanism"] == mechanism
    assert Design.from_json(document) == design
    assert Design.from_json(document).design_id == design.design_id
