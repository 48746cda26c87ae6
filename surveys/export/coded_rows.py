"""Rows as whole numbers: the codes of answers, and why an answer is missing."""

from __future__ import annotations

import numpy as np

from privacy.arrays import Codes, Flags
from privacy.survey.column_names import group_name, skipped_name
from privacy.survey.design import Design, Question
from privacy.survey.layout import Layout
from surveys.export.rows import ROWS_AT_A_TIME, Bits, Released
from surveys.export.variables import NOT_ANSWERED, NOT_ASKED, NOT_DRAWN, SKIPPED


def coded_rows(exported: Released, design: Design) -> dict[str, Codes]:
    """Return the codes by column, in the order of the file of rows; a negative code says why one is missing.

    Notes
    -----
    No answer can be there for four reasons, and a row tells which: an open answer in it leads past the block
    (not asked); the device drew other questions (not drawn); the block was skipped, truly or by chance
    (skipped); an open question was left empty (not answered).
    """
    chunks = [
        _coded(
            np.unpackbits(exported.packed[start : start + ROWS_AT_A_TIME], axis=1),
            design,
            exported.with_group,
        )
        for start in range(0, max(1, len(exported.packed)), ROWS_AT_A_TIME)
    ]
    return {column: np.concatenate([chunk[column] for chunk in chunks]) for column in chunks[0]}


def _coded(bits: Bits, design: Design, with_group: bool) -> dict[str, Codes]:
    layout = Layout(design)
    columns: dict[str, Codes] = {}
    if with_group:
        columns[group_name(design)] = np.where(bits[:, 0] == 1, 1, 2).astype(np.int32)
    for number, block in enumerate(design.blocks):
        refusal_bit = layout.refusal_bit(number)
        skipped = np.zeros(len(bits), dtype=bool) if refusal_bit is None else bits[:, refusal_bit] == 1
        is_asked = _led_to(bits, design, layout, number)
        absent = NOT_DRAWN if block.protected else NOT_ANSWERED
        for position, question in enumerate(block.questions, design.first_questions[number]):
            present = bits[:, layout.presence_bit(position)] == 1
            for column, codes in _answers(bits, layout.value_bits(position), question).items():
                reasons = np.where(is_asked, np.where(present, SKIPPED, absent), NOT_ASKED)
                columns[column] = np.where(present & ~skipped, codes, reasons).astype(np.int32)
        if refusal_bit is not None:
            columns[skipped_name(block.key, design)] = skipped.astype(np.int32)
    return columns


def _led_to(bits: Bits, design: Design, layout: Layout, block: int) -> Flags:
    """Return which rows' open answers lead to a block."""
    route = design.routes[block]
    if route is None:
        return np.ones(len(bits), dtype=bool)
    columns = []
    for step in route.steps:
        question = design.first_questions[step.block] + step.question
        present = bits[:, layout.presence_bit(question)] == 1
        columns.append(present & np.isin(_number(bits, layout.value_bits(question)), sorted(step.values)))
    led: Flags = np.all(columns, axis=0) if route.joined == "all" else np.any(columns, axis=0)
    return led


def _answers(bits: Bits, where: tuple[int, int], question: Question) -> dict[str, Codes]:
    start, width = where
    if question.kind == "multi":
        own = bits[:, start : start + width].astype(np.int32)
        return {
            f"{question.key}={option}": own[:, position] for position, option in enumerate(question.options)
        }
    # The options of a single choice count from 1, as they do in the programs that read them.
    return {question.key: _number(bits, where) + (question.kind == "single")}


def _number(bits: Bits, where: tuple[int, int]) -> Codes:
    start, width = where
    weights = 1 << np.arange(width, dtype=np.int32)[::-1]
    return bits[:, start : start + width].astype(np.int32) @ weights
