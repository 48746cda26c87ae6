"""Numbers and places in a draft's privacy budget: hidden skips, and areas outside the sum."""

from __future__ import annotations

import pytest

from privacy.risk.design_audit import scale_audit
from surveys.authoring.draft_state import budget_state
from surveys.questionnaire.definition import definition_read
from tests.fixtures.everyday import everyday_definition


@pytest.mark.slow
@pytest.mark.parametrize("refusal", [True, 8_000])
@pytest.mark.parametrize("place", [3, 5], ids=["number", "place"])
def test_the_audit_and_the_budget_name_the_answers_that_hidden_skips_cost(place: int, refusal: int) -> None:
    document = everyday_definition()
    document["blocks"][place]["refusal"] = refusal
    reading = definition_read(document)
    _path, block = reading.blocks[place]
    assert block.skipping is not None
    lost = scale_audit(block).lost
    assert lost == pytest.approx(float(block.skipping.skip_probability))
    (entry,) = (each for each in budget_state(reading)["blocks"] if each["key"] == block.key)
    assert entry["lost"] == pytest.approx(lost)


def test_a_place_that_is_exact_outside_is_in_no_sum() -> None:
    state = budget_state(definition_read(everyday_definition()))
    apart = [block for block in state["blocks"] if block["exact_outside"]]
    assert [block["key"] for block in apart] == ["places"]
    summed = sum(block["epsilon"] for block in state["blocks"] if not block["exact_outside"])
    assert state["epsilon"] == pytest.approx(summed)
