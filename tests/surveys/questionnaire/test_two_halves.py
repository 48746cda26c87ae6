"""A part becomes two halves of one instrument, and single answers again."""

import pytest

from privacy.planning.protection import PROTECTIONS
from surveys.errors.error import SurveyError
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.one_answer import with_each_answer
from surveys.questionnaire.two_halves import with_two_halves
from tests.surveys.questionnaire.test_one_answer import act, draft, part

MEDIUM = PROTECTIONS["medium"]


def test_two_halves_have_every_second_question_and_are_taken_back_without_loss() -> None:
    acts = [act(f"act{number}") for number in range(11)]
    before = draft(part(*acts), part(act("other"), key="others"))
    after, first = with_two_halves(before, "acts", protection=MEDIUM)
    definition = definition_parse(after)
    one, two = definition.design.blocks[0].questions
    assert one.computed is not None
    assert two.computed is not None
    assert [each.key for each in one.computed.components] == [f"act{number}" for number in range(0, 11, 2)]
    assert (one.key, two.computed.other_half) == (first, first)
    assert after["blocks"][0]["questions"][1]["text"] == {
        "en": "Acts? · even questions",
        "zh-hans": "Acts？ · 偶数题",
    }
    single = with_each_answer(after, first, protection=MEDIUM)
    assert definition_read(single).problems == ()
    assert with_each_answer(single, two.key, protection=MEDIUM)["blocks"] == before["blocks"]
    with pytest.raises(SurveyError) as refused:
        with_two_halves(draft(part(*acts[:3])), "acts", protection=MEDIUM)
    assert refused.value.case == "one_answer.halves"
