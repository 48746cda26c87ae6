import json

import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.row_patterns import observe
from privacy.risk import audit_design, audit_from_json, audit_rows
from privacy.risk.budget import block_budget, budget
from privacy.scales.numeric_mechanisms import square_wave
from privacy.scales.window import NumberRange
from privacy.survey.design import Block, Design, Question
from tests.fixtures.blocks import even, stated
from tests.vectors.designs import live
from tests.vectors.scale_designs import NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE, may_skip

AGE = Block(
    key="age",
    protected=True,
    truth_probability=0,
    refusal=None,
    asked_if=None,
    questions=(
        Question(
            key="years",
            kind="number",
            options=(),
            unrelated=(),
            disguise=square_wave(NumberRange(low=0, high=9), 1.5),
        ),
    ),
)


def test_a_number_has_bounds_of_its_own_and_is_in_the_sum() -> None:
    block = even(5000, 2)
    found = audit_design(live(AGE, block), stated(block, 2000))
    (scale,) = found.lone
    assert (scale.key, scale.question, scale.apart) == ("age", "years", False)
    assert scale.epsilon == block_budget(AGE).epsilon
    assert found.epsilon == pytest.approx(scale.epsilon + found.blocks[0].epsilon)


def test_a_skip_is_in_the_bounds_and_said() -> None:
    block = may_skip(AGE)
    assert block_budget(block) == block_budget(AGE)
    found = audit_design(live(block), {})
    (scale,) = found.lone
    assert scale.lost == float(block.skipping.skip_probability) > 0
    (apart,) = audit_design(SKIPS["utility-optimised"], {}).lone
    assert apart.apart
    assert apart.lost is not None
    # One that was stored before there were skips is read as before.
    stored = json.loads(json.dumps(audit_design(live(AGE), {}).to_json()))
    del stored["lone"][0]["lost"]
    assert audit_from_json(stored).lone[0].lost is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "design", [*NUMBERS.values(), *PLACES.values(), *SKIPS.values(), *TILES_OF_ANY_SIZE.values()]
)
def test_numbers_and_places_are_audited_before_and_after_and_stored(design: Design) -> None:
    shares = {
        question.key: [10_000 // question.n_items] * (question.n_items - 1)
        + [10_000 - (question.n_items - 1) * (10_000 // question.n_items)]
        if question.kind == "single"
        else [5000] * question.n_items
        for block in design.blocks
        if block.protected and not block.is_scale
        for question in block.questions
    }
    before = audit_design(design, shares, n=10)
    assert before.epsilon == budget(design).epsilon
    assert [part.key for part in before.lone] == [
        block.key for block in design.blocks if block.protected and block.is_scale
    ]
    after = audit_rows(design, shares, observe(BitMatrix.from_rows(design, b"")))
    for audit in (before, after):
        assert audit_from_json(json.loads(json.dumps(audit.to_json()))).to_json() == audit.to_json()
