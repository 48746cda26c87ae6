"""True answers as a questionnaire gathers them, read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from privacy import validation
from privacy.errors import PrivacyError
from privacy.survey.block import SKIPPED, Block
from privacy.survey.booklets import Booklet, Drawn
from privacy.survey.design import Design
from privacy.survey.question import Question, Value
from privacy.survey.rotation import checked_drawn
from privacy.survey.routing import is_asked

__all__ = ["Answers", "BlockTruth", "read_answers", "read_value"]

Answers: TypeAlias = Mapping[str, object]
"""``{block key: "skipped" | {question key: value}}``; a block that is not asked is absent."""

BlockTruth: TypeAlias = tuple[Value | None, ...] | None
"""Values by question (None: an open question left empty); None for a block skipped or not asked."""

_CODE: Final = "answer"


def read_answers(
    design: Design, answers: Answers, drawn: Drawn | None = None
) -> tuple[tuple[BlockTruth, bool], ...]:
    """Return for each block its values, and whether it was skipped.

    Parameters
    ----------
    design : Design
        What is asked.
    answers : mapping
        ``{block key: "skipped" | {question key: value}}``. A value is 0 or 1 (yes/no), the position
        of an option (single choice), a list of a 0 or 1 per option (multi-select), the number of a bin
        (number) or of a cell (place). A block that is not asked is absent, an open question left empty is
        absent, a protected block is whole or ``"skipped"``. Of a rotating block the questions of the booklet
        are given; a block that its rotation left out is absent.
    drawn : Drawn, optional
        What the device asks, where the design rotates.

    Returns
    -------
    tuple of (values, skipped)
        In design order; values are None for a block that is skipped or not asked, and a value is None for a
        question that is not asked.

    Raises
    ------
    PrivacyError
        With codes ``unknown_block``, ``unknown_question``, ``not_asked``, ``missing_block``,
        ``half_answered``, ``skip_not_offered``, ``answer``, ``drawn``, ``arms``, ``malformed``.
    """
    booklets = checked_drawn(design, drawn)
    answers = _keyed(answers, {block.key for block in design.blocks}, "block")
    result: list[tuple[BlockTruth, bool]] = []
    known: list[tuple[Value | None, ...]] = []
    for block, route, positions in zip(design.blocks, design.routes, booklets, strict=True):
        of_block = answers.get(block.key)
        if not positions or not is_asked(route, known):
            if block.key in answers:
                raise PrivacyError("not_asked", of_block, block=block.key)
            result.append((None, False))
        elif isinstance(of_block, str) and of_block == SKIPPED:
            if block.refusal is None:
                raise PrivacyError("skip_not_offered.block", of_block, block=block.key)
            result.append((None, True))
        else:
            result.append((_read_block(block, of_block, positions), False))
        known.append(result[-1][0] or (None,) * len(block.questions))
    return tuple(result)


def _read_block(block: Block, given: object, positions: Booklet) -> tuple[Value | None, ...]:
    drawn_keys = {block.questions[position].key for position in positions}
    if given is None:
        if block.protected:
            raise PrivacyError("missing_block", block=block.key)
        given = {}
    values = _keyed(given, drawn_keys, "question")
    if block.protected and len(values) < len(drawn_keys):
        missing = [question.key for question in block.questions if question.key in drawn_keys - set(values)]
        raise PrivacyError("half_answered", missing, block=block.key, missing=", ".join(missing))
    for question in block.questions:
        if question.is_arm and question.key not in values:
            raise PrivacyError("arms.missing", question.key)
    return tuple(
        read_value(question, values[question.key]) if question.key in values else None
        for question in block.questions
    )


def read_value(question: Question, value: object) -> Value:
    """Return `value` if it is an answer to the question; refuse it with code ``answer`` else.

    Parameters
    ----------
    question : Question
        That was asked.
    value : object
        As it was decoded from JSON.
    """
    name = f"answer to {question.key}"
    if question.kind != "multi":
        return validation.whole_number(value, name, low=0, high=question.patterns - 1, code=_CODE)
    if not isinstance(value, list | tuple) or len(value) != len(question.options):
        raise PrivacyError("answer.entries", value, name=name, count=len(question.options))
    return tuple(validation.whole_number(ticked, name, low=0, high=1, code=_CODE) for ticked in value)


def _keyed(given: object, known: set[str], kind: str) -> Mapping[str, object]:
    if not isinstance(given, Mapping):
        raise PrivacyError("malformed.mapping", given, kind=kind)
    for key in given:
        if key not in known:
            raise PrivacyError(
                "unknown_key", key, code=f"unknown_{kind}", kind=kind, known=", ".join(sorted(known))
            )
    return given
