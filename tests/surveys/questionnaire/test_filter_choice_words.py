from surveys.authoring.api import use_state
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.filter_choice_words import filter_choice_sentences
from tests.fixtures.composite_drafts import composite_document


def test_the_plan_says_which_way_to_send_follow_ups_is_more_precise() -> None:
    definition = definition_parse(composite_document("two follow-ups of one filter"))
    (found,) = filter_choice_sentences(definition.design, Aim(people=300), definition.wording)
    assert found == (
        "“hit?”, “kicked?” depend on the same question. As 2 answers, their shares have margins of up to "
        "±10.7 points; as one answer of all 5 combinations up to ±14.7. So several answers are more precise."
    )
    assert filter_choice_sentences(definition.design, Aim(people=0), definition.wording) == []
    survey = Survey(aim=Aim(people=300).to_json())
    assert use_state(survey, definition)[-1] == found
