"""The coin of a part whose questions changed fits what the part asks."""

from privacy.planning.protection import PROTECTIONS
from surveys.questionnaire.part_coin import coin_of
from tests.surveys.questionnaire.test_one_answer import act, part


def test_more_questions_are_answered_truly_less_often_and_only_skips_have_a_probability() -> None:
    few, many = part(act("a")), part(*map(act, "abcdef"))
    medium = PROTECTIONS["medium"]
    one, six = (coin_of(each, medium, skips=False) for each in (few, many))
    assert one["truth_probability"] > six["truth_probability"] > 0
    assert "refusal" not in one
    assert 0 < coin_of(few, medium, skips=True)["refusal"] < 10_000
