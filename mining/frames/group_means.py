"""Means of a disguised number in groups: of an undisguised column, or of a disguised answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mining.frames.column_checks import check_rows_of_groups, refuse_disguised
from mining.frames.rows import DisguisedRows
from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.estimation.cluster_count import ClusterCount
from privacy.library.frames import MOST_GROUP_VALUES, pick, refuse_missing
from privacy.library.shares import Figure, share_frame

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


def group_means(rows: DisguisedRows, question: str, by: str, level: float) -> DataFrame:
    """Return the mean of a number in each group; see `mining.frames.reports.Reports.means`.

    Parameters
    ----------
    rows : DisguisedRows
    question : str
        A number.
    by : str
        A disguised item, or an undisguised column of at most 20 values.
    level : float, in (0, 1)

    Raises
    ------
    PrivacyError
        ``reports``: not a number, a group that respondents may skip, too many values, or a disguised column;
        ``misfit``: the reports of a group contradict the design; ``no_rows``.

    Notes
    -----
    With scores s of the group, a of "answered", and u of the number times "answered", the mean solves
    sum_i w_i s_i (u_i - a_i t) = 0. The disguises draw their own coins, so the products are unbiased.
    """
    number, is_complete = rows.number_scores(question)
    groups, is_asked = _groups(rows, by)
    is_complete = is_complete & is_asked
    if not is_complete.any():
        raise PrivacyError("no_rows.asked", 0)
    ends = rows.range_of(question)
    mass = np.ones(rows.n) if rows.mass is None else rows.mass
    figures = []
    for name, score in groups.items():
        used = is_complete & (score != 0)
        weight = (mass * score)[used]
        terms = np.stack([weight * number.total[used], -weight * number.answered[used]])
        figures.append(_mean(f"mean of {question} if {name}", rows, terms, mass[used], used, ends))
    return share_frame(figures, list(groups), by, level).rename(columns={"share": "mean"})


def _mean(
    name: str, rows: DisguisedRows, terms: Array, mass: Array, used: Flags, ends: tuple[float, float]
) -> Figure:
    effective_n = float(mass.sum() ** 2 / (mass @ mass)) if len(mass) else 0.0
    clusters = None if rows.mass is None else ClusterCount.of(mass)
    if rows.units is not None and len(mass):
        terms, clusters = rows.units.part(used).sums(terms, mass)
    constant, slope = terms
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(-constant.sum() / slope.sum()) if len(mass) else np.nan
    return Figure(
        name=name,
        design="disguised reports",
        value=value,
        counts=np.ones(len(constant), dtype=np.int64),
        constant=constant,
        slope=slope,
        possible=ends,
        clipped=True,
        smallest_cell=len(mass),
        n=len(mass),
        effective_n=effective_n,
        clusters=clusters,
    )


def _groups(rows: DisguisedRows, by: str) -> tuple[dict[Any, Array], Flags]:
    """Return scores of the groups, and flags of the rows in which the group is known."""
    if by in {rows.names.get(item.key, item.key) for item in rows.design.items}:
        has_item, is_asked = rows.item_scores(by)
        return {f"{by}": has_item, f"not {by}": 1 - has_item}, is_asked
    refuse_disguised([by], rows.design, rows.names)
    (column,) = pick(rows.frame, [by])
    if rows.dropped is None:
        refuse_missing(column, by)
    codes, values = column.factorize(sort=True)
    if len(values) > MOST_GROUP_VALUES:
        raise PrivacyError("reports.many_groups", by, count=len(values), most=MOST_GROUP_VALUES)
    members = {value: np.asarray(codes == at) for at, value in enumerate(values)}
    check_rows_of_groups(rows.design, rows.packed, {f"{by} = {value}": own for value, own in members.items()})
    return {value: own.astype(np.float64) for value, own in members.items()}, np.asarray(codes >= 0)
