"""The committed vectors of numbers and places hold every edge, and Python answers each case."""

from __future__ import annotations

import json

import pytest

from privacy.survey.design import Design
from privacy.survey.layout import Layout
from tests.vectors.make_scale_vectors import FILES
from tests.vectors.make_vectors import HERE
from tests.vectors.reproduced import reproduced
from tests.vectors.scale_designs import NUMBERS, OPEN_NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE


@pytest.mark.parametrize("file", FILES)
def test_python_answers_every_case_word_for_word_from_the_json_alone(file: str) -> None:
    vectors = json.loads((HERE / file).read_text("ascii"))
    designs = {name: Design.from_json(document) for name, document in vectors["designs"].items()}
    for case in vectors["cases"]:
        design = designs[case["design"]]
        assert reproduced(design, case) == (case["body_hex"], case["words_used"], True)


@pytest.mark.parametrize(
    "design",
    [
        *NUMBERS.values(),
        *OPEN_NUMBERS.values(),
        *PLACES.values(),
        *SKIPS.values(),
        *TILES_OF_ANY_SIZE.values(),
    ],
)
def test_a_design_survives_its_json_and_is_of_the_second_mechanism(design: Design) -> None:
    document = json.loads(json.dumps(design.to_json()))
    assert document["mechanism"] == 2
    assert Design.from_json(document) == design
    assert Design.from_json(document).design_id == design.design_id


def test_some_draws_are_thrown_away_and_some_rows_are_direct() -> None:
    for file, designs in (("numbers.json", NUMBERS), ("places.json", PLACES), ("skips.json", SKIPS)):
        vectors = json.loads((HERE / file).read_text("ascii"))
        alone = [case for case in vectors["cases"] if len(designs[case["design"]].blocks) == 1]
        used = [case["words_used"] / vectors["draws"][case["design"]] for case in alone]
        assert min(used) == 1
        assert max(used) > 1
        directs = {int(case["body_hex"][:2], 16) >> 7 for case in vectors["cases"]}
        assert directs == {0, 1}


def test_skips_are_sent_and_hidden_and_answers_sent_as_skips() -> None:
    vectors = json.loads((HERE / "skips.json").read_text("ascii"))
    seen = set()
    for case in vectors["cases"]:
        design = SKIPS[case["design"]]
        if len(design.blocks) == 1:
            record = Layout(design).unpack(bytes.fromhex(case["body_hex"]))
            seen.add((case["answers"][design.blocks[0].key] == "skipped", record.refused[0]))
    assert len(seen) == 4
