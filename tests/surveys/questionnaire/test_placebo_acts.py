"""Acts of placebo indices: one for each component, harmless, in both languages."""

from privacy.survey.composite_parts import MOST_COMPONENTS
from surveys.questionnaire.background import harm_words, sensitive_words
from surveys.questionnaire.neutral_questions import NEUTRAL_QUESTIONS
from surveys.questionnaire.placebo_acts import PLACEBO_ACTS, placebo_acts


def test_there_is_one_act_for_each_component_in_both_languages() -> None:
    assert len(placebo_acts()) == MOST_COMPONENTS
    for language in ("en", "zh-hans"):
        assert len({act[language] for act in PLACEBO_ACTS}) == MOST_COMPONENTS


def test_no_act_is_about_a_topic_that_people_hide() -> None:
    assert [act["en"] for act in PLACEBO_ACTS if sensitive_words([act]) or harm_words([act])] == []


def test_no_act_is_a_neutral_question_which_people_may_well_affirm() -> None:
    assert not {act["en"] for act in PLACEBO_ACTS} & {question["en"] for question in NEUTRAL_QUESTIONS}
