"""The drafts whose planning is measured have the stated questions, and every kind that costs time."""

import pytest

from benchmarks.planner import QUESTIONS, STARS, draft
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.draft_plan import plan


@pytest.mark.parametrize("count", QUESTIONS)
def test_measured_drafts_can_be_planned(count: int) -> None:
    definition = draft(count)
    assert len(definition.design.questions) == count
    assert all(block.protected for block in definition.design.blocks)
    assert {question.kind for question in definition.design.questions} >= {"yes_no", "single"}
    for stars in STARS:
        made = plan(definition, Aim(people=1000, wanted=stars))
        assert made is not None
        assert set(stars) <= set(made.use.widths)
