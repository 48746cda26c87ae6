"""Designs that are given for each row: the distinct ones, and the reports of each."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from privacy.arrays import Whole
from privacy.counted_nouns import counted
from privacy.errors import PrivacyError
from privacy.estimation.fit_check import RowGroups
from privacy.library.designs import ResponseDesign, RowDesigns, checked_design
from privacy.library.frames import aligned


def row_designs(design: RowDesigns, rows: Any) -> tuple[list[ResponseDesign], Whole]:
    """Return the distinct designs, and the position of each row's design among them.

    Parameters
    ----------
    design : ResponseDesign, or Series or sequence of them
        As for `privacy.library.frames.aligned`.
    rows : Series or DataFrame, optional
        The answers; None if there are only counts.

    Raises
    ------
    PrivacyError
        ``designs``: not designs, or designs with different answers. ``answers``: not one for each row.

    Examples
    --------
    >>> import pandas
    >>> from privacy.library.designs import warner
    >>> answers = pandas.Series(["yes", "no", "no"])
    >>> made, which = row_designs([warner(p=.7), warner(p=.8), warner(p=.7)], answers)
    >>> made, which.tolist()
    ([warner(p=0.7), warner(p=0.8)], [0, 1, 0])
    """
    is_one = isinstance(design, ResponseDesign) or hasattr(design, "upper")
    if is_one or not hasattr(design, "__iter__"):
        return [checked_design(design)], np.zeros(0 if rows is None else len(rows), dtype=np.int64)
    if rows is None:
        raise PrivacyError("answers.kind", "counts")
    all_designs = [checked_design(row_design) for row_design in aligned(design, rows, "designs")]
    indices: dict[ResponseDesign, int] = {}
    which = [indices.setdefault(row_design, len(indices)) for row_design in all_designs]
    answers = {(row_design.values, row_design.reports) for row_design in indices}
    if len(answers) != 1:
        raise PrivacyError("designs.unlike", len(answers))
    return list(indices), np.array(which, dtype=np.int64)


def design_text(designs: Sequence[ResponseDesign]) -> str:
    """Return the designs of rows in words.

    Parameters
    ----------
    designs : sequence of ResponseDesign
        The distinct ones.
    """
    return (
        repr(designs[0])
        if len(designs) == 1
        else f"{designs[0]!r} and {counted(len(designs) - 1, 'more design')}"
    )


def report_groups(
    name: str, designs: Sequence[ResponseDesign], which: Whole, codes: Whole, coin: Hashable = None
) -> RowGroups:
    """Return a column's reports for the fit check; each row may have its own design.

    Parameters
    ----------
    name : str
        Name of the column.
    designs : sequence of ResponseDesign
        The distinct ones.
    which : int array, shape (rows,)
        Position of each row's design among them.
    codes : int array, shape (rows,)
        The report of each row.
    coin : hashable, optional
        Identifies the coin; columns with equal values share it.
    """
    counts = np.zeros((len(designs), len(designs[0].reports)), dtype=np.int64)
    np.add.at(counts, (which, codes), 1)
    parts = [design.counts_of(name, row, coin) for design, row in zip(designs, counts, strict=True)]
    low, high = (np.concatenate([getattr(part, end) for part in parts]) for end in ("low", "high"))
    return replace(parts[0], counts=counts, low=low, high=high)
