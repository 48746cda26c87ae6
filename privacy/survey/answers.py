"""True answers as a questionnaire gathers them, read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from privacy import validation
from privacy.errors import AnswerError
from privacy.survey.block import SKIPPED, Block
from privacy.survey.design import Design
from privacy.survey.question import Question, Value
from privacy.survey.routing import is_asked

__all__ = ["Answers", "BlockTruth", "read_answers", "read_value"]

Answers: TypeAlias = Mapping[str, object]
"""``{block key: "skipped" | {question key: value}}``; a block that is not asked is absent."""

BlockTruth: TypeAlias = tuple[Value | None, ...] | None
"""Values by question (None: an open question left empty); None for a block skipped or not asked."""

_CODE: Final = "answer"


def read_answers(design: Design, answers: Answers) -> tuple[tuple[BlockTruth, bool], ...]:
    """Return for each block its values, and whether it was skipped.

    Parameters
    ----------
    design : Design
        What is asked.
    answers : mapping
        ``{block key: "skipped" | {question key: value}}``. A value is 0 or 1 (yes/no), the position
        of an option (single choice), a list of a 0 or 1 per option (multi-select), the number of a bin
        (number) or of a cell (place). A block that is not asked is absent, an open question left empty is
        absent, a protected block is whole or ``"skipped"``.

    Returns
    -------
    tuple of (values, skipped)
        In design order; values are None for a block that is skipped or not asked.

    Raises
    ------
    AnswerError
        With codes ``unknown_block``, ``unknown_question``, ``not_asked``, ``missing_block``,
        ``half_answered``, ``skip_not_offered``, ``answer``, ``malformed``.
    """
    answers = _keyed(answers, {block.key for block in design.blocks}, "block")
    result: list[tuple[BlockTruth, bool]] = []
    known: list[tuple[Value | None, ...]] = []
    for block, route in zip(design.blocks, design.routes, strict=True):
        given = answers.get(block.key)
        if not is_asked(route, known):
            if block.key in answers:
                raise AnswerError(
                    "not_asked",
                    f"block {block.key} is answered though its asked_if does not hold",
                    given,
                    "leave the block out",
                )
            result.append((None, False))
        elif isinstance(given, str) and given == SKIPPED:
            if block.refusal is None:
                raise AnswerError(
                    "skip_not_offered",
                    f"block {block.key} is {SKIPPED!r} though it offers no skip",
                    given,
                    "answer it whole" if block.protected else "leave out what is not answered",
                )
            result.append((None, True))
        else:
            result.append((_read_block(block, given), False))
        known.append(result[-1][0] or (None,) * len(block.questions))
    return tuple(result)


def _read_block(block: Block, given: object) -> tuple[Value | None, ...]:
    if given is None:
        if block.protected:
            raise AnswerError(
                "missing_block",
                f"protected block {block.key} is asked but absent",
                None,
                "answer it whole" if block.refusal is None else f"answer it whole or say {SKIPPED!r}",
            )
        given = {}
    values = _keyed(given, {question.key for question in block.questions}, "question")
    if block.protected and len(values) < len(block.questions):
        missing = [question.key for question in block.questions if question.key not in values]
        raise AnswerError(
            "half_answered",
            f"protected block {block.key} lacks {', '.join(missing)}",
            missing,
            "answer every question of the block" + ("" if block.refusal is None else ", or skip it"),
        )
    return tuple(
        read_value(question, values[question.key]) if question.key in values else None
        for question in block.questions
    )


def read_value(question: Question, value: object) -> Value:
    """Return `value` if it is an answer to the question; refuse it with code ``answer`` else."""
    name = f"answer to {question.key}"
    if question.kind != "multi":
        return validation.whole_number(
            value, name, low=0, high=question.patterns - 1, code=_CODE, error=AnswerError
        )
    if not isinstance(value, list | tuple) or len(value) != len(question.options):
        raise AnswerError(
            _CODE,
            f"{name} = {value!r} does not have one entry per option",
            value,
            f"give a list of {len(question.options)} entries, each 0 or 1",
        )
    return tuple(
        validation.whole_number(ticked, name, low=0, high=1, code=_CODE, error=AnswerError)
        for ticked in value
    )


def _keyed(given: object, known: set[str], kind: str) -> Mapping[str, object]:
    if not isinstance(given, Mapping):
        raise AnswerError("malformed", f"answers {given!r} are no mapping", given, f"map {kind} keys")
    for key in given:
        if key not in known:
            raise AnswerError(
                f"unknown_{kind}", f"{kind} {key!r} is unknown", key, f"use {', '.join(sorted(known))}"
            )
    return given
