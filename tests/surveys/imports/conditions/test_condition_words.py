"""Conditions in words, with the texts of questions and answers."""

from surveys.imports.conditions.condition_words import condition_text
from surveys.imports.drafts.questionnaire import Option, Part, Question, Questionnaire


def survey_with(condition: dict[str, object]) -> Questionnaire:
    often = [Option(line=1, texts={"en": text}, key=text.lower()) for text in ("Never", "Rarely", "Often")]
    first = Question(line=1, texts={"en": "Do you dig?"}, key="dig", kind="single", options=often)
    tools = [Option(line=2, texts={"en": text}, key=text.lower()) for text in ("Spade", "Fork")]
    lines = {"spade": "tool_spade", "fork": "tool_fork"}
    second = Question(
        line=2, texts={"en": "With what?"}, key="tool", kind="several", options=tools, lines=lines
    )
    last = Question(line=3, texts={"en": "Where?"}, kind="yes_no", condition=condition)
    return Questionnaire(languages=("en",), parts=[Part(line=0, texts={}, questions=[first, second, last])])


def said(condition: dict[str, object]) -> str:
    survey = survey_with(condition)
    return condition_text(survey, survey.questions[2])


def test_several_answers_are_joined() -> None:
    answers = {"question": "dig", "options": ["rarely", "often"]}
    assert said(answers) == "asked only if “Do you dig?” is Rarely or Often"


def test_a_line_of_a_list_is_named_with_its_question() -> None:
    assert (
        said({"question": "tool_fork", "options": ["yes"]}) == "asked only if “Fork” in “With what?” is Yes"
    )


def test_conditions_that_must_all_hold_are_joined() -> None:
    both = [{"question": "dig", "options": ["often"]}, {"question": "tool_spade", "options": ["no"]}]
    assert said({"all": both}).endswith("“Do you dig?” is Often and “Spade” in “With what?” is No")
