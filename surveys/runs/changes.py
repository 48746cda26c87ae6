"""Change of one figure between two surveys that ask the same question, such as two waves of a series."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from privacy.errors import PrivacyError
from privacy.estimation.change import change_between, opposed_change
from privacy.estimation.composed_parts import Side
from privacy.printed import Measured
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.question import Question
from surveys.errors.error import SurveyError, sentences
from surveys.models import Run
from surveys.runs.comparisons import share_among_all
from surveys.runs.interim_or_final import standing_of

_IN_WORDS: Final = ("text", "options", "components", "wordings")
"""Members of a question's wording that both surveys must share; help may differ, which is said."""


@dataclass(frozen=True, kw_only=True)
class FigureChange:
    """One figure in two runs, and its change.

    Attributes
    ----------
    earlier, later : Run
        By the publication of their versions.
    before, after : Measured
        A share, or a mean as a share of the number's range.
    change : Measured
        The later figure minus the earlier one; see `privacy.estimation.change.change_between`.
    opposed : Measured
        The same with an interval that holds for any relation between the answers of people who repeat.
    has_other_strength, has_other_skip, has_other_help : bool
        Whether the disguise, the offer to skip the part, or the help text differs.
    """

    earlier: Run
    later: Run
    before: Measured
    after: Measured
    change: Measured
    opposed: Measured
    has_other_strength: bool
    has_other_skip: bool
    has_other_help: bool


def change_of(run: Run, other: Run, outcome: Side) -> FigureChange:
    """Return the change of a figure between two runs of different surveys.

    Parameters
    ----------
    run, other : Run
        In any order; the version that was published first is the earlier one.
    outcome : Side
        Items, ranges or the mean of questions of `run`, in its numbering.

    Raises
    ------
    SurveyError
        ``change``: a run is not final, or the other survey does not ask the same question in the same words
        with the same answers of the same people; or one of them may not show the figure, with its reason.

    Notes
    -----
    Each run estimates the true share with its own disguise, so the strengths may differ. Each figure passes
    the disclosure floors of its own run.
    """
    for own in (run, other):
        if not (standing_of(own).is_final or own.survey.practice):
            raise SurveyError("change.interim", survey=own.survey.title_text)
    pairs = [_same_question(run, other, number) for number in sorted(outcome.questions(run.design))]
    figures = {
        own.pk: _figure(own, side) for own, side in ((run, outcome), (other, _in_design(outcome, run, other)))
    }
    earlier, later = sorted((run, other), key=lambda own: (own.version_id, own.pk))
    before, after = figures[earlier.pk], figures[later.pk]
    return FigureChange(
        earlier=earlier,
        later=later,
        before=before,
        after=after,
        change=change_between(before, after),
        opposed=opposed_change(before, after),
        has_other_strength=any(_disguise_of(own) != _disguise_of(their) for own, their in pairs),
        has_other_skip=any(
            (own.block.refusal is None) != (their.block.refusal is None) for own, their in pairs
        ),
        has_other_help=any(own.wording.get("help") != their.wording.get("help") for own, their in pairs),
    )


def shared_questions(design: Design, other: Design) -> list[int]:
    """Return the questions of a design that the other one asks by the same key and with the same answers."""
    numbers = {question.key: number for number, question in enumerate(other.questions)}
    return [
        number
        for number, question in enumerate(design.questions)
        if question.key in numbers and _is_alike(question, other.questions[numbers[question.key]])
    ]


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A question as a version asks it."""

    question: Question
    block: Block
    wording: Mapping[str, Any]


def _asked(run: Run, number: int) -> _Asked:
    wordings = [each for block in run.version.wording["blocks"] for each in block["questions"]]
    block = run.design.blocks[run.design.block_of(number)]
    return _Asked(question=run.design.questions[number], block=block, wording=wordings[number])


def _same_question(run: Run, other: Run, number: int) -> tuple[_Asked, _Asked]:
    """Return a question as both surveys ask it, or say what differs."""
    own = _asked(run, number)
    survey, question = other.survey.title_text, own.question.key
    numbers = {question.key: each for each, question in enumerate(other.design.questions)}
    if own.question.key not in numbers:
        raise SurveyError("change.absent", survey=survey, question=question)
    their = _asked(other, numbers[own.question.key])
    if not _is_alike(own.question, their.question):
        raise SurveyError("change.answers", survey=survey, question=question)
    shared = set(run.version.languages) & set(other.version.languages)
    if not shared:
        raise SurveyError("change.languages", survey=survey, question=question)
    if _words_of(own.wording, shared) != _words_of(their.wording, shared):
        raise SurveyError("change.wording", survey=survey, question=question)
    if own.block.asked_if != their.block.asked_if:
        raise SurveyError("change.asked", survey=survey, question=question)
    return own, their


def _is_alike(own: Question, their: Question) -> bool:
    """Return whether two questions have the same answers; their disguises may differ."""
    scales = [question.disguise and question.disguise.domain for question in (own, their)]
    same = (own.kind, own.options, own.computed) == (their.kind, their.options, their.computed)
    return same and scales[0] == scales[1]


def _words_of(wording: Mapping[str, Any], languages: Iterable[str]) -> Any:
    """Return what people read of a question, without its help, in some languages."""
    return _in_languages({name: wording.get(name) for name in _IN_WORDS}, set(languages))


def _in_languages(value: Any, languages: set[str]) -> Any:
    if isinstance(value, Mapping):
        texts = value.keys() & languages
        kept = {name: value[name] for name in texts} if texts else value
        return {name: _in_languages(each, languages) for name, each in kept.items()}
    return [_in_languages(each, languages) for each in value] if isinstance(value, list) else value


def _disguise_of(asked: _Asked) -> tuple[Any, ...]:
    block = asked.block
    return block.protected, block.truth_probability, block.light, asked.question.disguise


def _in_design(outcome: Side, run: Run, other: Run) -> Side:
    """Return an outcome of a run in the numbering of another one."""
    items = {item.key: item.index for item in other.design.items}
    numbers = {question.key: number for number, question in enumerate(other.design.questions)}

    def renumbered(own: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(items[run.design.items[item].key] for item in own))

    return Side(
        items=renumbered(outcome.items),
        at_least_one=renumbered(outcome.at_least_one),
        parts=tuple(
            replace(part, question=numbers[run.design.questions[part.question].key]) for part in outcome.parts
        ),
    )


def _figure(run: Run, side: Side) -> Measured:
    try:
        return share_among_all(run, side).share
    except PrivacyError as error:
        raise SurveyError("change.refused", survey=run.survey.title_text, problem=sentences(error)) from error
