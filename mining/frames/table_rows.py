"""Tables of answers and reports, converted to and from the rows that devices send."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mining.columns.row_writer import DIRECT, DREW, EMPTY_CELL, SKIPPED_PREFIX, UNSAID, RowWriter
from mining.frames.answer_kinds import option_names
from mining.frames.report_columns import with_line_columns
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError, plain
from privacy.library.answers import report_codes
from privacy.library.designs import YES_NO
from privacy.library.frames import pick
from privacy.library.shown_tables import data_frame
from privacy.survey.block import Block
from privacy.survey.column_names import DIRECT_GROUP, PROTECTED_GROUP, asked_name, group_name, skipped_name
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from privacy.survey.question import Question

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series


def packed_reports(
    frame: DataFrame, design: Design, *, drop: bool = False, names: Mapping[str, str] | None = None
) -> tuple[bytes, Flags]:
    """Pack a table of reports, and flag rows that lack an answer.

    Parameters
    ----------
    frame : DataFrame
        One row per respondent. Each question has a column with its key (a multi-select has one per option,
        "key=option"). Cells contain yes and no, True and False, 1 and 0, the key of an option, or the number
        that was sent. A cell is empty if the question was not asked or its block was skipped. If the design
        has two groups, column "group" says "direct" or "protected". If a block may be skipped, "key.skipped"
        says whether it was. For a rotating block, "key.asked" lists the keys of the drawn questions,
        separated by blanks.
    design : Design
    drop : bool
        Whether to leave out rows with an empty cell that devices always fill. By default they are refused.
    names : mapping of str to str, optional
        Key -> name of a column or option, if they differ.

    Returns
    -------
    (bytes, bool array, shape (rows,))
        The packed rows, and flags of the rows left out.

    Raises
    ------
    PrivacyError
        ``frame``, ``answers``; ``reports``: a row that no device can send, by its label.
    """
    writer = RowWriter(design)
    cells = cells_of(frame, writer, names=names or {})
    empty = _empty_cells(cells, writer)
    lacking = np.asarray(empty.any(axis=1))
    if lacking.any() and not drop:
        row, cell = divmod(int(empty.argmax()), empty.shape[1])
        name = writer.columns[cell].partition(":")[2] or writer.columns[cell]
        count = int(lacking.sum())
        column = (names or {}).get(name, name)
        raise PrivacyError("reports.empty", plain(frame.index[row]), column=column, count=count, n=len(frame))
    return pack(cells[~lacking], writer, frame[~lacking]), lacking


def pack(cells: Whole, writer: RowWriter, frame: DataFrame) -> bytes:
    """Pack rows; errors name the row of the table.

    Parameters
    ----------
    cells : ndarray of int64, shape (rows, columns)
        As returned by `cells_of`.
    writer : RowWriter
    frame : DataFrame
        The table of the rows.

    Raises
    ------
    PrivacyError
        ``reports``: a cell that no device sends.
    """
    try:
        return writer.pack(cells)
    except PrivacyError as error:
        row = plain(frame.index[error.fields["row"]]) if "row" in error.fields else None
        raise PrivacyError("reports", row, what=error.message, remedy=error.remedy) from error


def _empty_cells(cells: Whole, writer: RowWriter) -> Flags:
    """Flag empty cells that devices always fill: the question was asked and its block not skipped."""
    design, at = writer.design, {name: position for position, name in enumerate(writer.columns)}
    empty = cells == EMPTY_CELL
    needed = np.zeros(empty.shape, dtype=bool)
    for name in (DIRECT, *(SKIPPED_PREFIX + block.key for block in design.blocks)):
        if name in at:
            needed[:, at[name]] = True
    asked_in = {
        block.key: _asked_by(block, cells[:, at[DREW + block.key]])
        for block in design.blocks
        if block.is_rotating
    }
    for number, question in enumerate(design.questions):
        block = design.blocks[design.block_of(number)]
        own = [at[key] for key in ((question.key,) if question.is_scale else question.item_keys)]
        is_asked = ~empty[:, own].all(axis=1) | (not design.can_be_missing(number))
        if block.is_rotating:
            offset = number - design.first_questions[design.block_of(number)]
            is_asked |= asked_in[block.key][:, offset]
        if block.refusal is not None:
            is_asked &= cells[:, at[SKIPPED_PREFIX + block.key]] == 0
        needed[:, own] = is_asked[:, None]
    lacking: Flags = empty & needed
    return lacking


def _asked_by(block: Block, draws: Whole) -> Flags:
    """Flag the questions of a rotating block that each row's booklet asks; none if its number is missing."""
    numbers, places = np.unique(draws, return_inverse=True)
    asks = np.zeros((len(numbers), len(block.questions)), dtype=bool)
    for place, number in enumerate(numbers.tolist()):
        if number >= 0:
            asks[place, list(block.booklet(number))] = True
    return asks[places]


def cells_of(
    frame: DataFrame, writer: RowWriter, *, names: Mapping[str, str], is_true: bool = False
) -> Whole:
    """Return a table of answers in the form that `mining.columns.row_writer.RowWriter` needs.

    Parameters
    ----------
    frame : DataFrame
    writer : RowWriter
    names : mapping of str to str
        Key -> name of a column or option, if they differ.
    is_true : bool
        Whether these are true answers, which are packed as rows of the direct group that were asked
        everything, with undisguised numbers.
    """
    design, columns = writer.design, dict[str, Whole]()
    pick(frame, [])
    frame = with_line_columns(frame, design, names)
    if DIRECT in writer.columns:
        group = np.ones(len(frame), dtype=np.int64)
        if not is_true:
            (own,) = pick(frame, [group_name(design)])
            group = report_codes(own, (PROTECTED_GROUP, DIRECT_GROUP))
        columns[DIRECT] = group
    for question in design.questions:
        columns |= _question_cells(frame, question, names, is_true=is_true)
    for block in design.blocks:
        skipped, asked_key = skipped_name(block.key, design), asked_name(block.key, design)
        if block.refusal is not None:
            columns[SKIPPED_PREFIX + block.key] = np.zeros(len(frame), dtype=np.int64)
            if not is_true or skipped in frame.columns:
                columns[SKIPPED_PREFIX + block.key] = report_codes(pick(frame, [skipped])[0], YES_NO)
        if block.is_rotating:
            columns[DREW + block.key] = np.full(len(frame), UNSAID)
            if not is_true and (asked_key in frame.columns or block.refusal is not None):
                keys = [question.key for question in block.questions]
                (own,) = pick(frame, [asked_key])
                columns[DREW + block.key] = np.array([_booklet(text, keys, block) for text in own])
    return np.stack([columns[name] for name in writer.columns], axis=1)


def _question_cells(
    frame: DataFrame, question: Question, names: Mapping[str, str], *, is_true: bool
) -> dict[str, Whole]:
    """Return the cells of the columns that a question has."""
    own = pick(frame, [names.get(key, key) for key in question.columns])
    if question.is_binary:
        return {key: report_codes(cells, YES_NO) for key, cells in zip(question.columns, own, strict=True)}
    (column,) = own
    if question.is_exhaustive:
        codes = report_codes(column, option_names(question, names), as_texts=True)
        return {
            key: np.where(codes < 0, EMPTY_CELL, codes == option)
            for option, key in enumerate(question.item_keys)
        }
    values = [
        EMPTY_CELL if is_empty else _sent_value(value, question, column, is_true)
        for value, is_empty in zip(column, column.isna(), strict=True)
    ]
    return {question.key: np.array(values)}


def _sent_value(value: Any, question: Question, column: Series, is_true: bool) -> int:
    is_finite = isinstance(value, Real | Decimal) and math.isfinite(value)
    whole = int(value) if is_finite and value == int(value) else None
    if is_true and question.has_mean:
        return question.disguise.range.bin_of(str(value if whole is None else whole))  # type: ignore[union-attr]
    if whole is None or whole < 0:
        raise PrivacyError("reports.number", value, column=column.name)
    return whole


def _booklet(text: Any, keys: Sequence[str], block: Any) -> int:
    names = text.split() if isinstance(text, str) else []
    if not names:
        return EMPTY_CELL
    for name in names:
        if name not in keys:
            raise PrivacyError("answers.value", name, column=f"column {block.key}", row=text, allowed=keys)
    number = block.booklet_number([keys.index(name) for name in names])
    if number is None:
        raise PrivacyError("reports.booklet", text, block=block.key, size=block.most_asked)
    return int(number)


def frame_of(body: bytes, design: Design, index: Sequence[Hashable] | None = None) -> DataFrame:
    """Return packed rows as a table of reports.

    Parameters
    ----------
    body : bytes
        Rows as devices pack them, one after another.
    design : Design
        Design of the rows.
    index : sequence, optional
        Index of the table's rows.
    """
    columns = dict[str, Any]()
    for name, (values, missing) in reported_columns(body, design).items():
        gap: Any = None if values.dtype == object else np.nan
        columns[name] = np.where(missing, gap, values) if missing.any() else values
    return data_frame(columns, index=index)


def reported_columns(body: bytes, design: Design) -> dict[str, tuple[NDArray[Any], Flags]]:
    """Return the reports by column (a number, 1 and 0, or a text), and which cells are empty.

    Parameters
    ----------
    body : bytes
        Rows of ``Layout(design).n_bytes`` bytes.
    design : Design
    """
    layout = Layout(design)
    bits = np.unpackbits(np.frombuffer(body, dtype=np.uint8).reshape(-1, layout.n_bytes), axis=1)
    nowhere = np.zeros(len(bits), dtype=bool)
    columns: dict[str, tuple[NDArray[Any], Flags]] = {}
    if design.group.policy != "protected":
        groups = np.array([PROTECTED_GROUP, DIRECT_GROUP], dtype=object)
        columns[group_name(design)] = groups[bits[:, 0]], nowhere
    for number, block in enumerate(design.blocks):
        refusal = layout.refusal_bit(number)
        skipped = nowhere if refusal is None else bits[:, refusal] == 1
        first = design.first_questions[number]
        present = bits[:, [layout.presence_bit(first + at) for at in range(len(block.questions))]]
        for position, question in enumerate(block.questions, first):
            start, width = layout.value_bits(position)
            own, missing = bits[:, start : start + width], (present[:, position - first] == 0) | skipped
            if question.is_several:
                columns |= {key: (own[:, at], missing) for at, key in enumerate(question.columns)}
                continue
            values = own.astype(np.int64) @ (1 << np.arange(width, dtype=np.int64)[::-1])
            if question.is_exhaustive:
                values = np.array(question.options, dtype=object)[np.where(missing, 0, values)]
            columns[question.key] = values, missing
        if refusal is not None:
            columns[skipped_name(block.key, design)] = bits[:, refusal], nowhere
        if block.is_rotating:
            keys = [question.key for question in block.questions]
            distinct, which = np.unique(present, axis=0, return_inverse=True)
            texts = [" ".join(key for key, bit in zip(keys, row, strict=True) if bit) for row in distinct]
            columns[asked_name(block.key, design)] = np.array(texts, dtype=object)[which.ravel()], nowhere
    return columns
