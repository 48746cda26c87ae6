"""The columns of composite questions, computed from columns of their components."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mining.frames.answer_kinds import option_names
from privacy.errors import PrivacyError
from privacy.library.answers import report_codes
from privacy.library.frames import pick
from privacy.survey.block import Block
from privacy.survey.column_names import skipped_name
from privacy.survey.component import YES_NO
from privacy.survey.composite import Composite
from privacy.survey.design import Design, Question

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series

_EXACT: Final = (bool, np.bool_, float, np.floating)
"""Types of cells that may hold a whole number in another form; pandas stores gaps as floats."""


def with_computed_columns(frame: DataFrame, design: Design, names: Mapping[str, str]) -> DataFrame:
    """Return a frame of true answers with the columns of composite questions, computed from components.

    Parameters
    ----------
    frame : DataFrame
        The column of a component holds the number of its answer, counted from 0; an empty cell is a gap. A
        composite question without any column of a component keeps its own column.
    design : Design
    names : mapping of str to str
        Key -> name, if they differ.

    Raises
    ------
    PrivacyError
        ``answer``: not an answer to a component. ``computed``: too many gaps in a block without a skip.
    """
    for block in design.blocks:
        for question in block.questions:
            rule = question.computed
            if rule is not None and any(component.key in frame.columns for component in rule.components):
                frame = _computed(frame, design, block, question, rule, names)
    return frame


def _computed(
    frame: DataFrame,
    design: Design,
    block: Block,
    question: Question,
    rule: Composite,
    names: Mapping[str, str],
) -> DataFrame:
    keys = [component.key for component in rule.components]
    columns = dict(zip(keys, pick(frame, keys), strict=True))
    chosen = {
        key: _options(design, key, pick(frame, [names.get(key, key)])[0], names)
        for key in rule.open_questions
    }
    # Respondents share few patterns of answers, so each is evaluated once.
    known: dict[tuple[Any, ...], str | int | None] = {}
    given = zip(
        *(_given(columns[component.key], component.kind) for component in rule.components), strict=True
    )
    options = zip(*chosen.values(), strict=True) if chosen else itertools.repeat((), len(frame))
    answers = []
    for pattern in zip(given, options, strict=True):
        if pattern not in known:
            component_answers, opened = pattern
            known[pattern] = rule.evaluate(
                dict(zip(keys, component_answers, strict=True)), dict(zip(chosen, opened, strict=True))
            )
        answers.append(known[pattern])
    if None in answers and block.refusal is None:
        raise PrivacyError("computed.gaps", question.key, block=block.key)
    values = [YES_NO.index(str(answer)) if question.is_binary and answer else answer for answer in answers]
    found = frame.assign(**{names.get(question.key, question.key): values})
    if block.refusal is None:
        return found
    mark, skips = skipped_name(block.key, design), np.array([answer is None for answer in answers])
    if mark in found.columns:
        skips |= found[mark].astype(bool).to_numpy()
    # A skip concerns the whole block, so its other answers go too.
    cells = [names.get(key, key) for each in block.questions for key in each.columns]
    emptied = {cell: found[cell].astype(object).mask(skips, None) for cell in cells if cell in found.columns}
    return found.assign(**emptied, **{mark: skips.astype(int)})


def _given(column: Series, kind: str) -> list[Any]:
    """Return the numbers of the answers in a column; None for empty cells. Yes and no can also be texts."""
    if kind == "yes_no":
        return [None if code < 0 else int(code) for code in report_codes(column, YES_NO)]
    return [
        None if empty else int(value) if isinstance(value, _EXACT) and value == int(value) else value
        for value, empty in zip(column, column.isna(), strict=True)
    ]


def _options(design: Design, key: str, column: Series, names: Mapping[str, str]) -> list[str | None]:
    """Return the keys of the options of an open question in a column; None for empty cells."""
    question = design.questions[design.question_number(key)]
    known = (
        dict(zip(option_names(question, names), question.options, strict=True)) if question.options else {}
    )
    return [
        None if empty else known.get(str(value)) if known else YES_NO[int(bool(value))]
        for value, empty in zip(column, column.isna(), strict=True)
    ]
