"""Read numbers from the command line, for options that several commands have."""

from __future__ import annotations

from argparse import ArgumentTypeError
from decimal import Decimal, InvalidOperation

from privacy.coins import SCALE
from surveys.errors.error import SurveyError

__all__ = ["block_sizes", "prevalences", "ten_thousandths"]


def ten_thousandths(text: str) -> int:
    """Read a probability such as .3; it must be a whole number of ten-thousandths."""
    try:
        scaled = Decimal(text) * SCALE
    except InvalidOperation:
        raise ArgumentTypeError(str(SurveyError("argument.number", text=text))) from None
    if not scaled.is_finite() or not 0 <= scaled <= SCALE:
        raise ArgumentTypeError(str(SurveyError("argument.probability", text=text)))
    if scaled != int(scaled):
        raise ArgumentTypeError(str(SurveyError("argument.decimals", text=text)))
    return int(scaled)


def block_sizes(text: str) -> tuple[int, ...]:
    """Read the sizes of the blocks, such as 3,3."""
    try:
        sizes = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise ArgumentTypeError(str(SurveyError("argument.whole_numbers", text=text))) from None
    if min(sizes) < 1:
        raise ArgumentTypeError(str(SurveyError("argument.empty_block", text=text)))
    return sizes


def prevalences(text: str) -> int | tuple[int, ...]:
    """Read one prevalence, or one for each block, such as .2,.1, in ten-thousandths."""
    first, *others = (ten_thousandths(part) for part in text.split(","))
    return (first, *others) if others else first
