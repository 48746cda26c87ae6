"""Known shares of a population, as margins of a survey."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from privacy import validation
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.policy import MARGIN_ROUNDING
from privacy.survey.design import Design

JOIN: Final = "|"
"""Separates options that a margin combines; keys never contain it."""


@dataclass(frozen=True, kw_only=True)
class Category:
    """Answers to one question that a margin combines.

    Parameters
    ----------
    label : str
        Keys of the options, joined by "|".
    parts : tuple of (int, Columns)
        Signs and columns: the rows of the category are the rows with these columns, added or subtracted.
    share : float
        Share in the population.
    """

    label: str
    parts: tuple[tuple[int, Columns], ...]
    share: float


@dataclass(frozen=True, kw_only=True)
class Margin:
    """The known shares of the answers to one open question; see `margin_of`."""

    key: str
    question: int
    categories: tuple[Category, ...]


def margin_of(question: str, shares: Mapping[str, float], design: Design) -> Margin:
    """Return the margin of an open question.

    Parameters
    ----------
    question : str
        Key of an open question with one answer.
    shares : mapping of str to float
        Population share by option, each option once ("yes" and "no" for a yes/no question). Options joined
        by "|" are combined. A share of 0 excludes people who do not belong to the population.
    design : Design

    Raises
    ------
    PrivacyError
        ``margin_question`` (unknown, protected, or with several answers), ``margin_option`` (unknown,
        repeated or missing), ``shares`` (outside 0 to 1, or not summing to 1).

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="you", protected=False,
    ...     truth_probability=10_000, questions=(Question(key="age",
    ...     kind="single", options=("young", "middle", "old"), unrelated=()),)),))
    >>> margin = margin_of("age", {"young": 0.3, "middle|old": 0.7}, design)
    >>> [(category.label, category.parts, category.share) for category in margin.categories]
    [('young', ((1, (0,)),), 0.3), ('middle|old', ((1, (1,)), (1, (2,))), 0.7)]
    """
    number = _open_question(question, design)
    parts = _parts(number, design)
    values = [_share(question, label, share) for label, share in shares.items()]
    keys: list[str] = []
    for label in shares:
        for option in label.split(JOIN):
            if option not in parts:
                raise PrivacyError("margin_option.unknown", option, question=question, parts=", ".join(parts))
            if option in keys:
                raise PrivacyError("margin_option.twice", option, question=question)
            keys.append(option)
    left = [option for option in parts if option not in keys]
    if left:
        raise PrivacyError("margin_option.missing", left[0], question=question)
    total = math.fsum(values)
    if abs(total - 1) > MARGIN_ROUNDING:
        raise PrivacyError("shares", total, question=question)
    categories = tuple(
        Category(
            label=label,
            parts=tuple(part for option in label.split(JOIN) for part in parts[option]),
            share=value / total,
        )
        for label, value in zip(shares, values, strict=True)
    )
    return Margin(key=question, question=number, categories=categories)


def _open_question(key: str, design: Design) -> int:
    number = next(
        (position for position, question in enumerate(design.questions) if question.key == key), None
    )
    open_ones = [
        question.key
        for block in design.blocks
        for question in block.questions
        if not block.protected and question.is_categorical
    ]
    if number is None or key not in open_ones:
        names = ", ".join(open_ones) or "none in this design"
        what = "unknown" if number is None else "protected, or has several answers"
        raise PrivacyError("margin_question", key, what=what, known=names)
    return number


def _parts(number: int, design: Design) -> dict[str, tuple[tuple[int, Columns], ...]]:
    items = [item.index for item in design.items if item.question == number]
    options = design.questions[number].options
    if options:
        return {option: ((1, (item,)),) for option, item in zip(options, items, strict=True)}
    yes = (items[0],)
    return {"yes": ((1, yes),), "no": ((1, (design.asked_column(number),)), (-1, yes))}


def _share(question: str, label: str, share: object) -> float:
    return validation.real_number(
        share, f"population share of {question}={label}", low=0, high=1, code="shares"
    )
