"""From the bits of a packed row to the columns that counting and reconstruction speak of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mining.columns.transposition import NO_BIT, bit_columns, packed_columns, pays_to_compile
from privacy.arrays import Whole
from privacy.scales.skipping import Disguise
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from privacy.survey.layout import Layout

__all__ = ["RowReader", "sent_values"]


class RowReader:
    """Makes every column of a design out of packed rows.

    Parameters
    ----------
    design : Design

    Notes
    -----
    "Asked" is the presence bit of a question. "Answered" of a block means that all its questions were asked
    (any, for a rotating block) and that it was not skipped. The item of a single choice is the AND of its
    value bits, each plain or negated, if the question was answered: option 0 has all value bits 0, as an
    empty answer has. The item of a number or a place is set if it contains the sent value.
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        self.layout = Layout(design)
        self._read = 0
        # A column that is a bit of the row is used directly; auxiliary columns for computing others follow.
        positions = [NO_BIT] * design.n_columns
        item = 0
        for number, question in enumerate(design.questions):
            start, width = self.layout.value_bits(number)
            positions[design.asked_column(number)] = self.layout.presence_bit(number)
            if question.disguise is not None:
                item += _declared(question.disguise)
            elif question.kind == "single":
                positions += range(start, start + width)
                item += len(question.options)
            else:
                positions[item : item + width] = range(start, start + width)
                item += width
        for block in range(len(design.blocks)):
            refusal_bit = self.layout.refusal_bit(block)
            positions += [] if refusal_bit is None else [refusal_bit]
        self._positions = tuple(positions)
        self._behind = {
            position: design.n_columns + index for index, position in enumerate(positions[design.n_columns :])
        }

    def columns(self, rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """All columns of the design, full ones included, for these rows."""
        design, layout = self.design, self.layout
        self._read += len(rows)
        table = bit_columns(rows, self._positions, compiled=pays_to_compile(self._read))
        words = table[: design.n_columns]
        item = 0
        for block_number, block in enumerate(design.blocks):
            refusal_bit = layout.refusal_bit(block_number)
            taking_part = None if refusal_bit is None else ~table[self._behind[refusal_bit]]
            first = design.first_questions[block_number]
            asked_columns = words[design.asked_column(first) :][: len(block.questions)]
            for number, question in enumerate(block.questions, start=first):
                start, width = layout.value_bits(number)
                if question.disguise is None and question.kind != "single":
                    item += width
                    continue
                answered = asked_columns[number - first]
                if taking_part is not None:
                    answered = answered & taking_part
                if question.disguise is not None:
                    for column in _scale_columns(question.disguise, rows, start, width):
                        words[item] = column & answered
                        item += 1
                    continue
                values = [table[self._behind[position]] for position in range(start, start + width)]
                for option in range(len(question.options)):
                    words[item] = _option_column(option, values, answered)
                    item += 1
            reached = (np.bitwise_or if block.is_rotating else np.bitwise_and).reduce(asked_columns)
            if taking_part is not None:
                reached &= taking_part
            words[design.answered_column(block_number)] = reached
        return words


def _declared(disguise: Disguise) -> int:
    """Return how many items a number or a place has."""
    return len(disguise.spans if isinstance(disguise, WindowChannel) else disguise.regions)


def _scale_columns(
    disguise: Disguise, rows: NDArray[np.uint8], start: int, width: int
) -> Iterator[NDArray[np.uint64]]:
    """One column per declared item of a number or a place, by looking up the sent value."""
    declared = _declared(disguise)
    sent = sent_values(rows, start, width) if declared else np.empty(0, dtype=np.int64)
    for item in range(declared):
        yield packed_columns(disguise.item_values(item)[sent][None])[0]


def sent_values(rows: NDArray[np.uint8], start: int, width: int) -> Whole:
    """Return the number that some bits of each packed row write, highest bit first.

    Parameters
    ----------
    rows : ndarray of uint8, shape (n, bytes)
        Packed.
    start : int
        First bit, from 0 on.
    width : int
        Bits.

    Examples
    --------
    >>> sent_values(np.array([[0b0011_0100], [0b0010_0000]], dtype=np.uint8), 2, 4).tolist()
    [13, 8]
    """
    values = np.zeros(len(rows), dtype=np.int64)
    for bit in range(start, start + width):
        values = values << 1 | (rows[:, bit // 8] >> (7 - bit % 8) & 1)
    return values


def _option_column(
    option: int, values: list[NDArray[np.uint64]], answered: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return the column of an option of a single choice, from the columns of its value bits."""
    column = answered
    for position, bit in enumerate(reversed(values)):
        column = column & (bit if option >> position & 1 else ~bit)
    return column
