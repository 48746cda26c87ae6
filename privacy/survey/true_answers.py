"""Read a respondent's true answers in the order of the design."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from privacy.errors import PrivacyError
from privacy.survey.block import SKIPPED, Block
from privacy.survey.booklets import Booklet, Drawn
from privacy.survey.design import Design
from privacy.survey.drawn_questions import checked_drawn
from privacy.survey.question import Value
from privacy.survey.routing import is_asked

Answers: TypeAlias = Mapping[str, object]
"""``{block key: "skipped" | {question key: value}}``; blocks that are not asked are absent."""


BlockTruth: TypeAlias = tuple[Value | None, ...] | None
"""Values by question (None: an empty open question); None for a block that was skipped or not asked."""


def read_answers(
    design: Design, answers: Answers, drawn: Drawn | None = None
) -> tuple[tuple[BlockTruth, bool], ...]:
    """Return each block's values, and whether it was skipped.

    Parameters
    ----------
    design : Design
        The design that asks the questions.
    answers : mapping
        ``{block key: "skipped" | {question key: value}}``. A value is 0 or 1 (yes/no), the position
        of an option (single choice), a list of a 0 or 1 per option (multi-select), the number of a bin
        (number) or of a cell (place). Leave out blocks that are not asked, blocks that a rotation omitted and
        open questions without an answer. A protected block must be complete or ``"skipped"``. For a rotating
        block, give the answers to the booklet.
    drawn : Drawn, optional
        The questions that the device asks, if the design rotates.

    Returns
    -------
    tuple of (values, skipped)
        In design order. Values are None for a block that was skipped or not asked; a single value is None for
        a question that was not asked or left empty.

    Raises
    ------
    PrivacyError
        With codes ``unknown_block``, ``unknown_question``, ``not_asked``, ``missing_block``,
        ``half_answered``, ``skip_not_offered``, ``answer``, ``drawn``, ``arms``, ``malformed``.
    """
    booklets = checked_drawn(design, drawn)
    answers = _check_keys(answers, {block.key for block in design.blocks}, "block")
    result: list[tuple[BlockTruth, bool]] = []
    earlier: list[tuple[Value | None, ...]] = []
    for block, route, positions in zip(design.blocks, design.routes, booklets, strict=True):
        of_block = answers.get(block.key)
        if not positions or not is_asked(route, earlier):
            if block.key in answers:
                raise PrivacyError("not_asked", of_block, block=block.key)
            result.append((None, False))
        elif isinstance(of_block, str) and of_block == SKIPPED:
            if block.refusal is None:
                raise PrivacyError("skip_not_offered.block", of_block, block=block.key)
            result.append((None, True))
        else:
            result.append((_read_block(block, of_block, positions), False))
        earlier.append(result[-1][0] or (None,) * len(block.questions))
    return tuple(result)


def _read_block(block: Block, answers: object, positions: Booklet) -> tuple[Value | None, ...]:
    drawn_keys = {block.questions[position].key for position in positions}
    if answers is None:
        if block.protected:
            raise PrivacyError("missing_block", block=block.key)
        answers = {}
    values = _check_keys(answers, drawn_keys, "question")
    if block.protected and len(values) < len(drawn_keys):
        missing = [question.key for question in block.questions if question.key in drawn_keys - set(values)]
        raise PrivacyError("half_answered", missing, block=block.key, missing=", ".join(missing))
    for question in block.questions:
        if question.is_arm and question.key not in values:
            raise PrivacyError("arms.missing", question.key)
    return tuple(
        question.read(values[question.key]) if question.key in values else None
        for question in block.questions
    )


def _check_keys(answers: object, keys: set[str], kind: str) -> Mapping[str, object]:
    if not isinstance(answers, Mapping):
        raise PrivacyError("malformed.mapping", answers, kind=kind)
    for key in answers:
        if key not in keys:
            raise PrivacyError(
                "unknown_key", key, code=f"unknown_{kind}", kind=kind, known=", ".join(sorted(keys))
            )
    return answers
