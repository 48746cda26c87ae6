"""Ask for the words that respondents should see if the answers to questions are only numbers.

A table that is pasted without its header has the points of its answers in its cells, and no words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.questionnaire import IMPORTED_KINDS, Question, Questionnaire, labels_of

WORDS: Final = "words"
"""What the notes of this module ask for."""


def ask_for_words(survey: Questionnaire) -> None:
    """Ask once for each list of numbers that the rows of a table contain instead of answers."""
    tables: dict[tuple[str, ...], list[Question]] = {}
    for question in survey.questions:
        if numbers := numbers_of(question):
            tables.setdefault(numbers, []).append(question)
    for numbers, questions in tables.items():
        if len(questions) < 2:
            continue
        survey.note(
            questions[0].line,
            _("the answers to %(count)s questions are only numbers: %(numbers)s")
            % {"count": len(questions), "numbers": ", ".join(numbers)},
            _("write the words that respondents should see"),
            asks=WORDS,
            target=questions[0].line,
        )


def numbers_of(question: Question) -> tuple[str, ...]:
    """Return the answers of a row of a table if all are numbers; empty otherwise.

    Examples
    --------
    >>> from surveys.imports.drafts.questionnaire import Option
    >>> options = [Option(line=1, texts={"en": str(number)}) for number in range(3)]
    >>> row = Question(line=1, texts={"en": "I am tired"}, kind="single", options=options)
    >>> row.flags |= {"table"}
    >>> numbers_of(row), numbers_of(Question(line=1, texts={"en": "Tired?"}, options=options))
    (('0', '1', '2'), ())
    """
    if "table" not in question.flags or not question.is_asked or IMPORTED_KINDS[question.kind].is_scale:
        return ()
    texts = labels_of(question)
    return texts if texts and all(map(str.isdecimal, texts)) else ()


def name_numbers(survey: Questionnaire, question: Question, words: Sequence[str]) -> bool:
    """Replace numbers by words in a question and all others with the same numbers; the points stay.

    Parameters
    ----------
    survey : Questionnaire
    question : Question
        Its answers are numbers.
    words : sequence of str
        One for each number, in the order of the smallest to the largest number.

    Returns
    -------
    bool
        Whether there are as many different words as numbers.
    """
    numbers = numbers_of(question)
    if not numbers or len({*words}) != len(numbers) or len(words) != len(numbers):
        return False
    named = dict(zip(sorted(numbers, key=int), words, strict=True))
    language = survey.languages[0]
    for each in survey.questions:
        if numbers_of(each) == numbers:
            for option in each.options:
                option.texts = {language: named[next(iter(option.texts.values()))]}
    return True
