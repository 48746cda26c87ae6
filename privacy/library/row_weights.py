"""Weights, clusters and designs that are given for each row, aligned with the answers and checked."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError, plain
from privacy.estimation.fit_check import RowGroups
from privacy.estimation.sampling_units import SamplingUnits
from privacy.library.designs import ResponseDesign, RowDesigns, checked_design
from privacy.library.frames import aligned, column_weights
from privacy.library.sampling_units import sampling_units
from privacy.library.shown_tables import data_frame

if TYPE_CHECKING:
    from privacy.library.frames import Series


def row_weights(
    answers: Series, weights: Any, clusters: Any, strata: Any, missing: str
) -> tuple[Flags, Array | None, SamplingUnits | None]:
    """Return which rows to use, and the weights and sampling units of these rows.

    Parameters
    ----------
    answers : Series
    weights, clusters, strata : Series or sequence, optional
        As for `privacy.library.frames.aligned`.
    missing : {"refuse", "drop"}
        Whether to use all rows, or only those with an answer, weight, cluster and stratum.

    Raises
    ------
    PrivacyError
        ``reports``: an unknown `missing`. ``answers``: as for `aligned`, or no row is complete.
        ``regression``, ``clusters``: as for `column_weights` and `sampling_units`.
    """
    validation.one_of(missing, "missing", allowed=("refuse", "drop"), code="reports")
    given = {"weights": weights, "clusters": clusters, "strata": strata}
    columns = {name: aligned(weight, answers, name) for name, weight in given.items() if weight is not None}
    keep = np.ones(len(answers), dtype=bool)
    if missing == "drop":
        for column in (answers, *columns.values()):
            keep &= column.notna().to_numpy(dtype=bool)
        if len(keep) and not keep.any():
            raise PrivacyError("answers.none_complete", len(keep))
    frame = data_frame(columns)[keep] if columns else None
    mass = column_weights(frame, "weights") if frame is not None and "weights" in columns else None
    units = None
    if frame is not None:
        by_name = {name: frame[name] if name in columns else None for name in ("clusters", "strata")}
        units = sampling_units(by_name["clusters"], by_name["strata"])
    return keep, mass, units


_MOST_COUNTS: Final = 1000


def counts_in_order(counts: Any, name: str) -> list[Any]:
    """Return counts in the order of the numbers 0, 1, 2, ... that they belong to.

    Parameters
    ----------
    counts : sequence, or mapping or Series of number to count
        A number without a count, as in the output of ``value_counts()``, has the count 0.
    name : str
        Name of the counts in error messages.

    Raises
    ------
    PrivacyError
        ``paper``: labels that are not whole numbers below 1,000, or a table.

    Examples
    --------
    >>> counts_in_order({2: 5, 0: 3}, "control"), counts_in_order([3, 0, 5], "control")
    ([3, 0, 5], [3, 0, 5])
    """
    if getattr(counts, "ndim", 1) != 1 or isinstance(counts, str):
        counted = f"the counts of {name}"
        raise PrivacyError("paper.table", type(counts).__name__, name=counted)
    if not hasattr(counts, "keys"):
        return list(counts)
    by_number = {}
    for label, count in zip(map(plain, counts.keys()), map(counts.get, counts.keys()), strict=True):
        is_number = isinstance(label, int | float) and not isinstance(label, bool)
        if not is_number or not 0 <= label < _MOST_COUNTS or label != int(label) or int(label) in by_number:
            raise PrivacyError("paper.labels", label, name=name)
        by_number[int(label)] = plain(count)
    return [by_number.get(number, 0) for number in range(max(by_number, default=-1) + 1)]


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
    return repr(designs[0]) if len(designs) == 1 else f"{designs[0]!r} and {len(designs) - 1} more designs"


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
