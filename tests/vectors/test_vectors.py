"""The committed vectors are right and complete, and Python reproduces each case."""

import json
from collections import defaultdict
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from privacy.coins import LIMIT, Coins
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from tests.vectors import (
    make_arm_vectors,
    make_composite_vectors,
    make_rotation_vectors,
    make_scale_vectors,
    make_strength_vectors,
    make_text_vectors,
    make_vectors,
    scorings,
)
from tests.vectors.arm_designs import DESIGNS as ARMS
from tests.vectors.composite_designs import DESIGNS as COMPOSITES
from tests.vectors.designs import DESIGNS
from tests.vectors.make_vectors import HERE, thresholds, written
from tests.vectors.reproduced import reproduced
from tests.vectors.rotation_designs import DESIGNS as ROTATING
from tests.vectors.scale_designs import NUMBERS, OPEN_NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE
from tests.vectors.strength_designs import COINS, SCALES
from tests.vectors.words import stream, word_of

VECTORS = json.loads((HERE / "disguise.json").read_text("ascii"))
BY_DESIGN: dict[str, list[Any]] = defaultdict(list)
for _case in VECTORS["cases"]:
    BY_DESIGN[_case["design"]].append(_case)


@pytest.mark.parametrize("file", ["disguise.json", "strengths.json", *make_scale_vectors.FILES])
def test_python_reproduces_every_case_from_json_alone(file: str) -> None:
    vectors = json.loads((HERE / file).read_text("ascii"))
    designs = {name: Design.from_json(document) for name, document in vectors["designs"].items()}
    for case in vectors["cases"]:
        assert reproduced(designs[case["design"]], case) == (case["body_hex"], case["words_used"], True)


def test_a_case_can_be_verified_by_hand() -> None:
    # The coin 6000 is not below p = 6000: decoy. The next word is rejected. 4999 is below 5000: yes.
    design, case = DESIGNS["one yes/no"], {"a": {"affair": 0}}
    coins = Coins([6000, 4_294_960_000, 4999])
    assert Layout(design).pack(disguise(design, case, direct=False, coins=coins)).hex() == "60"
    assert coins.words_read == 3


def test_at_least_500_cases_cover_every_variation() -> None:
    cases = VECTORS["cases"]
    assert len(cases) >= 500
    designs = [DESIGNS[case["design"]] for case in cases]
    kinds = {(question.kind, block.protected) for design in designs for block in design.blocks
             for question in block.questions}  # fmt: skip
    assert kinds == {
        (kind, protected) for kind in ("yes_no", "single", "multi") for protected in (True, False)
    }
    assert {design.group.policy for design in designs} == {"protected", "choice", "assigned"}
    assert {design.group.direct_share for design in designs} >= {0, 1, 10_000}
    assert {design.use for design in designs} == {"live", "study"}
    assert {sum(block.protected for block in design.blocks) for design in designs} >= {0, 1, 2, 3, 12}
    assert {case["choice"] for case in cases} == {None, "direct", "protected"}
    assert {block.truth_probability for design in designs for block in design.blocks} >= {0, 1, 9999, 10_000}
    answered = [set(case["answers"]) for case in BY_DESIGN["routed, choice"]]
    assert any("a" not in blocks for blocks in answered)
    assert any("a" in blocks for blocks in answered)
    assert any(answers == "skipped" for case in cases for answers in case["answers"].values())


def test_every_draw_is_tested_at_and_just_below_each_threshold() -> None:
    for name, design in DESIGNS.items():
        seen = [
            {case["words"][place] % 10_000 for case in BY_DESIGN[name]}
            for place in range(len(thresholds(design)))
        ]
        for values, edges in zip(seen, thresholds(design), strict=True):
            wanted = {value for edge in edges for value in (edge - 1, edge) if 0 <= value < 10_000}
            assert wanted | {0, 9999} <= values, name


def test_random_words_include_every_boundary_and_need_more_than_two_fills() -> None:
    words = {word for case in VECTORS["cases"] for word in case["words"]}
    assert {0, 4_294_959_999, 4_294_960_000, 4_294_967_295} <= words
    assert min(words) >= 0
    assert any(2**31 <= word < LIMIT for word in words)
    fills = {case["words_used"] // (VECTORS["draws"][case["design"]] + 16) for case in VECTORS["cases"]}
    assert fills >= {0, 1, 2}


def test_generator_words_are_the_same_everywhere() -> None:
    # The output of printf 'sotto/0' | sha256sum begins with these sixteen digits.
    assert list(islice(stream("sotto"), 2)) == [0x7E3F348A, 0x37FD3460]
    assert word_of(1234, "x") % 10_000 == 1234
    assert word_of(9999, "x") < LIMIT


FILES = {
    **make_arm_vectors.FILES,
    **make_composite_vectors.FILES,
    **make_rotation_vectors.FILES,
    **make_scale_vectors.FILES,
    **make_strength_vectors.FILES,
    **make_text_vectors.FILES,
    **make_vectors.FILES,
    **scorings.FILES,
}
LONG_MARKS = [pytest.mark.soak, pytest.mark.slow]
LONG = {"random-composites.json": LONG_MARKS, "rotation.json": LONG_MARKS}
BY_FILE = {"number": NUMBERS, "open": OPEN_NUMBERS, "place": PLACES, "skip": SKIPS, "tile": TILES_OF_ANY_SIZE}
NUMBERS_AND_PLACES = {
    f"{file}, {name}": design for file, designs in BY_FILE.items() for name, design in designs.items()
}
OF_MECHANISM = [
    pytest.param(mechanism, design, id=f"{mechanism}: {name}")
    for mechanism, designs in (
        (2, NUMBERS_AND_PLACES),
        (3, COINS | SCALES),
        (4, ROTATING),
        (6, ARMS),
        (7, COMPOSITES),
    )
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
