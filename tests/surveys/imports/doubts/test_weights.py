"""Weak signs add up to the doubt about a question or a line of a pasted text."""

import pytest

from surveys.imports.doubts.leftovers import Sign
from surveys.imports.doubts.weights import (
    LEAST,
    LEAST_OF_LINES,
    doubt_of,
    doubt_of_line,
    facts_of,
    facts_of_lines,
    guesses_against,
)
from surveys.imports.drafts.questionnaire import Option, Part, Question, Questionnaire
from surveys.imports.drafts.rereadings import QUESTION, TEXT
from surveys.imports.lines.line_guesses import Guess, guesses_of
from surveys.imports.lines.source_lines import SourceLine, read_line

LINES = [
    "1. Who?",
    "- I",
    "- you",
    "- we",
    "2. How?",
    "- so",
    "- thus",
    "- else",
    "3. Who?",
    "- I",
    "- he",
    "- a",
]


def survey_of() -> tuple[Questionnaire, list[SourceLine]]:
    source = [read_line(number, text, has_gap=False) for number, text in enumerate(LINES, start=1)]
    questions: list[Question] = []
    for line in source:
        line.give("answer" if line.text[0] == "-" else "question")
        if line.role == "question":
            questions.append(Question(line=line.number, texts={"en": line.body}, kind="single"))
        else:
            questions[-1].options.append(Option(line=line.number, texts={"en": line.body}))
    return Questionnaire(parts=[Part(line=0, texts={}, questions=questions)]), source


def doubts(*, signs: int = 0, moved: int = 0, is_clear: bool = False) -> list[float]:
    survey, source = survey_of()
    seen = [[Sign("a sign", is_clear)] * signs, [], []]
    against = guesses_against(survey, source, guesses_of(LINES))
    facts = facts_of(survey, source, seen, ({moved: TEXT}, {}), against, is_score_lost=False)
    return [doubt_of(each) for each in facts]


def test_regular_questions_are_not_doubtful() -> None:
    assert all(each < LEAST for each in doubts())


def test_signs_add_up_and_a_reading_that_changes_counts_too() -> None:
    assert doubts(signs=1)[0] < doubts(signs=2)[0] < doubts(signs=2, moved=1)[0]
    assert doubts(signs=2)[0] > LEAST
    assert doubts(signs=1, is_clear=True)[0] > LEAST
    assert doubts(signs=2, moved=1)[1:] == doubts()[1:]


def test_a_line_that_becomes_a_question_when_read_again_is_more_doubtful() -> None:
    survey, source = survey_of()
    first, second = (
        {number: doubt_of_line(facts) for number, facts in facts_of_lines(survey, source, again, {}).items()}
        for again in (({}, {}), ({2: QUESTION}, {}))
    )
    assert first.keys() == {line.number for line in source} - {1, 5, 9}
    assert first[2] < second[2]
    assert first[2] < LEAST_OF_LINES


def test_a_guess_that_contradicts_the_reading_adds_to_the_doubt() -> None:
    survey, source = survey_of()
    guesses = guesses_of(LINES)
    against = guesses_against(survey, source, guesses)
    assert against[1].question == -guesses[1].question < 0
    assert against[2].answer == -guesses[2].answer
    other = guesses_against(survey, source, guesses | {2: Guess(question=5, answer=-5)})
    first, second = (
        doubt_of(facts_of(survey, source, [[]] * 3, ({}, {}), each, is_score_lost=False)[0])
        for each in (against, other)
    )
    assert first < second
    assert doubt_of_line(facts_of_lines(survey, source, ({}, {}), other)[2]) > LEAST_OF_LINES


def test_a_remark_on_how_many_answers_to_choose_is_not_a_second_sentence() -> None:
    survey, source = survey_of()
    survey.questions[0].texts = {"en": "Who? (tick all that apply)"}
    survey.questions[1].texts = {"en": "Think of May. How?"}
    facts = facts_of(survey, source, [[], [], []], ({}, {}), {}, is_score_lost=False)
    assert [each["sentences"] for each in facts] == [False, True, False]


@pytest.mark.parametrize("remark", ["(last year)", "（去年）", "[l'an dernier]", "(em 2024)."])
def test_a_remark_in_brackets_is_not_a_second_sentence(remark: str) -> None:
    survey, source = survey_of()
    survey.questions[0].texts = {"en": f"How often? {remark}"}
    facts = facts_of(survey, source, [[], [], []], ({}, {}), {}, is_score_lost=False)
    assert not facts[0]["sentences"]


def test_a_line_that_looks_like_the_questions_is_more_doubtful_when_it_is_left_out() -> None:
    survey, source = survey_of()
    found = {}
    for text in ("4. Your wishes", "Thank you"):
        line = read_line(13, text, has_gap=False)
        line.give("left")
        found[text] = facts_of_lines(survey, [*source, line], ({}, {}), {})[13]
    assert [bool(facts["like questions"]) for facts in found.values()] == [True, False]
    first, second = map(doubt_of_line, found.values())
    assert first > second


def test_a_question_that_became_the_heading_of_a_table_is_not_a_contradiction() -> None:
    survey, source = survey_of()
    heading = read_line(13, "4. How often did the following happen?", has_gap=True)
    heading.give("question")
    against = guesses_against(survey, [*source, heading], {13: Guess(question=5, answer=-5)})
    assert against[13].question < 0
