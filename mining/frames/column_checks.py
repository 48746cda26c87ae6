"""Refuse columns, options and groups of rows that a call cannot use, by name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.sent_counts import SentCounts, sent_counts
from mining.report_checks import check_groups
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError, plain, shown_list
from privacy.survey.design import Design

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series

_MOST_NAMED = 20
"""Largest number of known values that an error lists."""


def refuse_disguised(columns: Sequence[str], design: Design, names: Mapping[str, str]) -> None:
    """Refuse columns of protected questions where the values must be true answers.

    Parameters
    ----------
    columns : sequence of str
    design : Design
    names : mapping of str to str
        Key -> name, if they differ.

    Raises
    ------
    PrivacyError
        ``reports``.
    """
    for block in design.blocks:
        for key in (key for question in block.questions for key in question.columns):
            if block.protected and (name := names.get(key, key)) in columns:
                raise PrivacyError("reports.disguised", name)


def refuse_unknown_option(question: str, at: Any, design: Design, names: Mapping[str, str]) -> None:
    """Refuse a value that is not an option of a protected question; questions without options are accepted.

    Parameters
    ----------
    question : str
        Its name.
    at : object
    design : Design
    names : mapping of str to str
        Key -> name, if they differ.

    Raises
    ------
    PrivacyError
        ``reports``.
    """
    known = []
    for item in design.items:
        key = design.questions[item.question].key
        if design.blocks[item.block].protected and item.key != key and names.get(key, key) == question:
            known.append(names.get(item.key, item.key).removeprefix(f"{question}="))
    if known and str(at) not in known:
        raise PrivacyError("reports.at", at, by=question, known=shown_list(known))


def check_rows_of_groups(design: Design, packed: bytes, groups: Mapping[str, Flags]) -> None:
    """Refuse reports of groups of rows that do not fit the design.

    Parameters
    ----------
    design : Design
    packed : bytes
    groups : mapping of str to bool array, shape (rows,)
        Name of each group -> its rows.

    Raises
    ------
    PrivacyError
        ``misfit``: names the group.
    """

    def read(member: Flags) -> tuple[CountCache, Callable[[int], SentCounts]]:
        body = np.frombuffer(packed, dtype=np.uint8).reshape(len(member), -1)[member].tobytes()
        cache = CountCache(BitMatrix.from_rows(design, body))
        return cache, lambda number: sent_counts(design, number, body)

    check_groups({name: read(member) for name, member in groups.items() if member.any()})


def value_codes(column: Series, name: str, at: Any) -> Whole:
    """Return 1 for rows with a value, 0 for rows with another one, and -1 for empty cells.

    Parameters
    ----------
    column : Series
    name : str
        Its name in error messages.
    at : object
        The value.

    Raises
    ------
    PrivacyError
        ``reports``: no row has the value, or all have it.
    """
    codes, values = column.factorize(sort=True)
    known = [plain(value) for value in values]
    if known and not (isinstance(at, Hashable) and plain(at) in known):
        more = ", ..." if len(known) > _MOST_NAMED else ""
        raise PrivacyError("reports.at", at, by=name, known=shown_list(known[:_MOST_NAMED]) + more)
    if len(known) == 1:
        raise PrivacyError("reports.at_all", at, by=name)
    code = known.index(plain(at)) if known else 0
    return np.where(codes < 0, -1, codes == code).astype(np.int64)


def refuse_components(frame: DataFrame, design: Design, names: Mapping[str, str]) -> None:
    """Refuse a table with components in the place of a composite question's reports.

    Parameters
    ----------
    frame : DataFrame
    design : Design
    names : mapping of str to str
        Key -> name, if they differ.

    Raises
    ------
    PrivacyError
        ``reports``.
    """
    for question in design.questions:
        rule, name = question.computed, names.get(question.key, question.key)
        if rule is None or name in frame.columns:
            continue
        if any(component.key in frame.columns for component in rule.components):
            raise PrivacyError("reports.components", name)
