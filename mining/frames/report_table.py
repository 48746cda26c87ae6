"""Tables of reports, a column per question, to packed rows as devices send them, and back."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mining.columns.row_writer import DIRECT, DREW, MISSING, SKIPPED, UNSAID, RowWriter
from privacy.arrays import Flags, Whole
from privacy.channels.retention import Retention
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.library.designs import ResponseDesign, grouping, truthful
from privacy.library.frames import data_frame, pick, plain, report_codes
from privacy.survey.block import Block
from privacy.survey.design import (
    DIRECT_GROUP,
    PROTECTED_GROUP,
    Design,
    asked_name,
    group_name,
    skipped_name,
)
from privacy.survey.layout import Layout
from privacy.survey.question import Question

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series


_NO_YES = ("no", "yes")


def packed_reports(
    frame: DataFrame, design: Design, *, drop: bool = False, names: Mapping[str, str] | None = None
) -> tuple[bytes, Flags]:
    """Pack a table of reports, and say which rows lack an answer.

    Parameters
    ----------
    frame : DataFrame
        A row for each respondent. A question has a column of its key (of several options one each,
        "key=option"): yes and no, True and False, 1 and 0, or the key of an option, or the number that was
        sent. A cell is empty if nothing was asked or the block was skipped. If a design has two groups,
        "group" says "direct" or "protected", if a block may be skipped, "key.skipped" says so, and for a
        rotating block "key.asked" has the keys of the questions that were drawn, with blanks between.
    design : Design
    drop : bool
        Whether rows with an empty cell that devices always fill are left out. If not, they are refused.
    names : mapping of str to str, optional
        Key -> name of a column in error messages, if they differ.

    Returns
    -------
    (bytes, bool array, shape (rows,))
        The rows that are kept, and which rows are left out.

    Raises
    ------
    PrivacyError
        ``frame``, ``answers``; ``reports``: a row that no device sends, by its label.
    """
    writer = RowWriter(design)
    cells = cells_of(frame, writer)
    empty = _empty_cells(cells, writer)
    lacking = np.asarray(empty.any(axis=1))
    if lacking.any() and not drop:
        row, cell = divmod(int(empty.argmax()), empty.shape[1])
        name = writer.columns[cell].partition(":")[2] or writer.columns[cell]
        count = int(lacking.sum())
        column = (names or {}).get(name, name)
        raise PrivacyError("reports.empty", plain(frame.index[row]), column=column, count=count, n=len(frame))
    try:
        return writer.pack(cells[~lacking]), lacking
    except PrivacyError as error:
        row = frame.index[~lacking][error.fields["row"]] if "row" in error.fields else None
        raise PrivacyError("reports", row, what=error.message, remedy=error.remedy) from error


def _empty_cells(cells: Whole, writer: RowWriter) -> Flags:
    """Return the empty cells that devices always fill: no question was left out, and no block skipped."""
    design, at = writer.design, {name: position for position, name in enumerate(writer.columns)}
    empty = cells == MISSING
    needed = np.zeros(empty.shape, dtype=bool)
    for name in (DIRECT, *(SKIPPED + block.key for block in design.blocks)):
        if name in at:
            needed[:, at[name]] = True
    for number, question in enumerate(design.questions):
        block = design.blocks[design.block_of(number)]
        own = [at[key] for key in ((question.key,) if question.is_scale else question.item_keys)]
        asked = ~empty[:, own].all(axis=1) | (not design.can_be_missing(number))
        if block.is_rotating:
            drawn = cells[:, at[DREW + block.key]]
            offset = number - design.first_questions[design.block_of(number)]
            booklets = [own for own in np.unique(drawn[drawn >= 0]).tolist() if offset in block.booklet(own)]
            asked |= np.isin(drawn, booklets)
        if block.refusal is not None:
            asked &= cells[:, at[SKIPPED + block.key]] == 0
        needed[:, own] = asked[:, None]
    lacking: Flags = empty & needed
    return lacking


def cells_of(frame: DataFrame, writer: RowWriter, *, is_true: bool = False) -> Whole:
    """Return a table of answers in the form that `mining.columns.row_writer.RowWriter` needs.

    Parameters
    ----------
    frame : DataFrame
    writer : RowWriter
    is_true : bool
        Whether these are true answers: of the direct group, numbers as they are, asked everything.
    """
    design, columns = writer.design, dict[str, Whole]()
    pick(frame, [])
    if DIRECT in writer.columns:
        group = np.ones(len(frame), dtype=np.int64)
        if not is_true:
            (own,) = pick(frame, [group_name(design)])
            group = report_codes(own, (PROTECTED_GROUP, DIRECT_GROUP))
        columns[DIRECT] = group
    for question in design.questions:
        columns |= _of_question(frame, question, is_true=is_true)
    for block in design.blocks:
        skipped, drawn = skipped_name(block.key, design), asked_name(block.key, design)
        if block.refusal is not None:
            columns[SKIPPED + block.key] = np.zeros(len(frame), dtype=np.int64)
            if not is_true or skipped in frame.columns:
                columns[SKIPPED + block.key] = report_codes(pick(frame, [skipped])[0], _NO_YES)
        if block.is_rotating:
            columns[DREW + block.key] = np.full(len(frame), UNSAID)
            if drawn in frame.columns or block.refusal is not None:
                keys = [question.key for question in block.questions]
                (own,) = pick(frame, [drawn])
                columns[DREW + block.key] = np.array([_booklet(text, keys, block) for text in own])
    return np.stack([columns[name] for name in writer.columns], axis=1)


def _of_question(frame: DataFrame, question: Question, *, is_true: bool) -> dict[str, Whole]:
    """Return the cells of the columns that a question has."""
    if question.kind == "multi":
        return {key: report_codes(pick(frame, [key])[0], _NO_YES) for key in question.item_keys}
    (column,) = pick(frame, [question.key])
    if question.kind == "yes_no":
        return {question.key: report_codes(column, _NO_YES)}
    if question.kind == "single":
        codes = report_codes(column, question.options, as_texts=True)
        return {
            key: np.where(codes < 0, MISSING, codes == option)
            for option, key in enumerate(question.item_keys)
        }
    return {question.key: np.array([_sent(value, question, column, is_true) for value in column])}


def _sent(value: Any, question: Question, column: Series, is_true: bool) -> int:
    if value != value or value is None:
        return MISSING
    whole = int(value) if not isinstance(value, str) and value == int(value) else None
    if is_true and question.kind == "number":
        return question.disguise.range.bin_of(str(value if whole is None else whole))  # type: ignore[union-attr]
    if whole is None or whole < 0:
        raise PrivacyError("reports.number", value, column=column.name)
    return whole


def _booklet(text: Any, keys: Sequence[str], block: Any) -> int:
    names = text.split() if isinstance(text, str) else []
    if not names:
        return MISSING
    for name in names:
        if name not in keys:
            raise PrivacyError("answers.value", name, column=f"column {block.key}", row=text, allowed=keys)
    drawn = block.booklet_number([keys.index(name) for name in names])
    if drawn is None:
        raise PrivacyError("reports.booklet", text, block=block.key, size=block.most_asked)
    return int(drawn)


def frame_of(packed: bytes, design: Design, index: Sequence[Hashable] | None = None) -> DataFrame:
    """Return packed rows as a table of reports.

    Parameters
    ----------
    packed : bytes
        Rows as devices pack them, one after another.
    design : Design
        By which they were packed.
    index : sequence, optional
        Of the rows of the table.
    """
    columns = dict[str, Any]()
    for name, (values, missing) in reported_columns(packed, design).items():
        gap: Any = None if values.dtype == object else np.nan
        columns[name] = np.where(missing, gap, values) if missing.any() else values
    return data_frame(columns, index=index)


def reported_columns(packed: bytes, design: Design) -> dict[str, tuple[NDArray[Any], Flags]]:
    """Return the reports by column (a number, 1 and 0, or a text), and which cells are empty.

    Parameters
    ----------
    packed : bytes
        Rows of ``Layout(design).n_bytes`` bytes.
    design : Design
    """
    layout = Layout(design)
    bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8).reshape(-1, layout.n_bytes), axis=1)
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
            if question.kind == "multi":
                columns |= {key: (own[:, at], missing) for at, key in enumerate(question.item_keys)}
                continue
            values = own.astype(np.int64) @ (1 << np.arange(width, dtype=np.int64)[::-1])
            if question.kind == "single":
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


def column_designs(design: Design, names: Mapping[str, str]) -> dict[Hashable, ResponseDesign]:
    """Return the design of each yes/no question and single choice, as `privacy.crosstab` reads them.

    Parameters
    ----------
    design : Design
    names : mapping of str to str
        Key -> name, where they differ.

    Raises
    ------
    PrivacyError
        ``crosstab.survey``: a block may be skipped, questions are drawn, or some people answer directly.
    """
    if (
        design.rotates
        or design.in_group(direct=True) is not None
        or any(block.refusal is not None for block in design.blocks)
    ):
        raise PrivacyError("crosstab.survey", design.design_id)
    return {
        names.get(question.key, question.key): _column_design(block, question, names)
        for block in design.blocks
        for question in block.questions
        if not block.protected or question.kind in ("yes_no", "single")
    }


def _column_design(block: Block, question: Question, names: Mapping[str, str]) -> ResponseDesign:
    if not block.protected:
        return truthful()
    shares = tuple(Fraction(share, SCALE) for share in question.unrelated)
    if question.kind == "yes_no":
        return grouping(block.truth, shares[0], block=block.key)
    answers = tuple(names.get(key, key).partition("=")[2] for key in question.item_keys)
    return ResponseDesign(
        name="one_of",
        parameters=(("p", block.truth),),
        retention=Retention(retention_probability=block.truth, unrelated=shares),
        values=answers,
        reports=answers,
        shared_coin=True,
        block=block.key,
    )
