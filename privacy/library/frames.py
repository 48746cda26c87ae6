"""Exchange with pandas: read columns into codes, counts and records; show figures as tables and plots.

If rows have weights, clusters or their own designs, they are read as independently sampled units.
This is the only module of `privacy` that imports pandas, and only when a frame is read or made.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError, plain, shown_list
from privacy.estimation.cluster_count import ClusterCount
from privacy.estimation.sampling_units import SamplingUnits
from privacy.library.designs import YES_NO
from privacy.policy import FEW_CLUSTERS
from privacy.tables.frames import read_frame
from privacy.validation import MOST_ROWS

if TYPE_CHECKING:
    import pandas

    DataFrame: TypeAlias = pandas.DataFrame
    Series: TypeAlias = pandas.Series
    Answers: TypeAlias = Series | Mapping[Hashable, int]


Codes: TypeAlias = npt.NDArray[np.intp]
"""Positions of answers in the list of possible answers."""

_WIDEST: Final = 1e6
"""Interval ends beyond this are drawn at the end of the axis."""
_AXIS, _NARROW, _WIDE, _LATIN = 420, 8, 14, 0x2E80
"""Widths in pixels of the axis, a letter and a Chinese character; first code point of wide characters."""


def refuse_missing(column: Series, name: Hashable, *, of_answers: bool = False) -> None:
    """Refuse a column with empty cells; the error names the first one.

    Parameters
    ----------
    column : Series
    name : hashable
        Its name in error messages.
    of_answers : bool
        Whether it holds answers of respondents.

    Raises
    ------
    PrivacyError
        ``answers``, ``frame``.
    """
    case = "answers.missing" if of_answers else "frame.missing"
    missing = np.flatnonzero(column.isna())
    if len(missing):
        first = int(missing[0])
        raise PrivacyError(
            case,
            plain(column.iloc[first]),
            column=name,
            row=plain(column.index[first]),
            count=len(missing),
            n=len(column),
        )


def pick(frame: DataFrame, names: Sequence[Hashable]) -> list[Series]:
    """Return columns by name.

    Parameters
    ----------
    frame : DataFrame
        One row for each respondent.
    names : sequence
        Names of columns, in the order in which to return them.

    Raises
    ------
    PrivacyError
        ``frame``: not a DataFrame, no rows, an unknown name, a name that several columns share, or values
        instead of a name.
    """
    import pandas

    if not isinstance(frame, pandas.DataFrame):
        raise PrivacyError("frame.kind", type(frame).__name__)
    if not len(frame):
        raise PrivacyError("frame.empty", 0)
    for name in names:
        if not isinstance(name, Hashable):
            raise PrivacyError("frame.name", type(name).__name__)
        count = list(frame.columns).count(name)
        if not count:
            some_names = shown_list(frame.columns[:20])
            raise PrivacyError("frame.unknown", name, names=some_names)
        if count > 1:
            raise PrivacyError("frame.duplicate", name, count=count)
    return [frame[name] for name in names]


def read_column(frame: DataFrame, name: Hashable) -> tuple[bool, list[Any]]:
    """Read a column of records: whether it holds numbers, and its values.

    True and False become "yes" and "no"; other values that are not numbers remain unchanged.

    Parameters
    ----------
    frame : DataFrame
        One row for each record.
    name : hashable
        Name of the column.

    Raises
    ------
    PrivacyError
        As for `pick`; ``frame``: a missing value.

    Examples
    --------
    >>> import pandas
    >>> read_column(pandas.DataFrame({"age": [30.5, 25], "works": [True, False]}), "works")
    (False, ['yes', 'no'])
    """
    (column,) = pick(frame, [name])
    refuse_missing(column, name)
    if getattr(column.dtype, "kind", "") in "iuf":
        return True, column.tolist()
    return False, [YES_NO[int(v)] if isinstance(v, bool | np.bool_) else v for v in column]


def column_weights(frame: DataFrame, name: Hashable) -> Array:
    """Return a column of weights above 0.

    Parameters
    ----------
    frame : DataFrame
        One row for each respondent.
    name : hashable
        Name of the column of weights.

    Raises
    ------
    PrivacyError
        As for `read_column`; ``regression``: a weight is not a number from 1e-12 to 1e12.
    """
    numeric, column = read_column(frame, name)
    if not numeric:
        raise PrivacyError("regression.weights", name)
    numbers = np.array(column, dtype=np.float64)
    # Sums of squares of larger weights would overflow.
    wrong = np.flatnonzero(~((numbers >= 1 / MOST_ROWS) & (numbers <= MOST_ROWS)))
    if len(wrong):
        first = int(wrong[0])
        raise PrivacyError("regression.weight", numbers[first], column=name, row=frame.index[first])
    return numbers


MOST_GROUP_VALUES: Final = 20
"""Largest number of values of a column whose groups of rows are checked one by one."""


def level_groups(columns: Sequence[Series], *, most: int = MOST_GROUP_VALUES) -> dict[str, Flags]:
    """Return the groups of rows that have one value of a column, for columns of few values.

    Parameters
    ----------
    columns : sequence of Series
        Undisguised ones.
    most : int
        Columns of more values have no groups.

    Examples
    --------
    >>> import pandas
    >>> groups = level_groups([pandas.Series(["x", "y", "x"], name="town")])
    >>> {name: rows.tolist() for name, rows in groups.items()}
    {'town = x': [True, False, True], 'town = y': [False, True, False]}
    """
    groups: dict[str, Flags] = {}
    for column in columns:
        codes, values = column.factorize()
        if len(values) <= most:
            groups |= {f"{column.name} = {value}": codes == code for code, value in enumerate(values)}
    return groups


def aligned(values: Any, rows: Any, name: str) -> Series:
    """Return values that are given one for each row, in the order of the rows.

    Parameters
    ----------
    values : Series or sequence
        Values of a pandas Series belong to the rows with their labels, in any order; labels of other rows are
        ignored. Values without labels belong to the rows in their order.
    rows : DataFrame or Series
    name : str
        Name of the values in error messages.

    Raises
    ------
    PrivacyError
        ``answers``: not one value for each row, or labels that differ from those of the rows.

    Examples
    --------
    >>> import pandas
    >>> answers = pandas.Series(["yes", "no"], index=["ann", "bob"])
    >>> aligned(pandas.Series([2.0, 5.0], index=["bob", "ann"]), answers, "weights").tolist()
    [5.0, 2.0]
    >>> aligned([2.0, 5.0], answers, "weights").tolist()
    [2.0, 5.0]
    """
    import pandas

    is_labelled = isinstance(values, pandas.Series)
    with contextlib.suppress(PrivacyError):
        values = read_frame(values)
    dimensions = np.ndim(values) if hasattr(values, "ndim") else int(hasattr(values, "__len__"))
    if isinstance(values, Mapping | str | bytes | set | frozenset) or dimensions > 1:
        raise PrivacyError("answers.one_each", type(values).__name__, name=name)
    if not is_labelled:
        size, n = len(values) if dimensions else 1, len(rows)
        if not dimensions or size != n:
            raise PrivacyError("answers.rows", size, name=name, n=n)
        return pandas.Series(list(values), index=rows.index, name=name)
    if values.index.equals(rows.index):
        return values.rename(name)
    if not values.index.is_unique:
        raise PrivacyError("answers.labels_twice", values.index[values.index.duplicated()][0], name=name)
    places = values.index.get_indexer(rows.index)
    if (places < 0).any():
        raise PrivacyError("answers.labels", rows.index[int(np.argmin(places))], name=name)
    return values.iloc[places].set_axis(rows.index).rename(name)


def data_frame(
    columns: Mapping[Any, Any],
    *,
    index: Any = None,
    name: Any = None,
    about: Mapping[str, Any] | None = None,
) -> DataFrame:
    """Return a DataFrame of these columns; an index of tuples becomes a MultiIndex.

    Parameters
    ----------
    columns : mapping
        Values by column name, all of one length.
    index : sequence, optional
        Labels of the rows.
    name : hashable or sequence, optional
        Name of the index, or of each of its levels.
    about : mapping, optional
        What holds for all estimates of the table, `privacy.printed.PrintedEstimates.about`: stored as
        ``attrs["about"]``.
    """
    import pandas

    labels = index
    if index is not None and len(index) and isinstance(index[0], tuple):
        labels = pandas.MultiIndex.from_tuples(index, names=name)
    elif index is not None:
        labels = pandas.Index(index, name=name)
    table = pandas.DataFrame(dict(columns), index=labels)
    if about is not None:
        table.attrs["about"] = dict(about)
    return table


class Picture(str):
    """An SVG picture that notebooks display; save it with `pathlib.Path.write_text`."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<picture of {self.partition('<title>')[2].partition('</title>')[0]}>"


def plot(table: DataFrame | Tabled) -> Picture:
    """Draw the figures of a table as points with their intervals, the first row at the top.

    Parameters
    ----------
    table : DataFrame, or a result with intervals
        With the columns ``low`` and ``high``. The points are the column ``odds_ratio`` if there is one, else
        the first column. Odds ratios get a logarithmic axis.

    Returns
    -------
    Picture

    Raises
    ------
    PrivacyError
        ``plot``: no rows, or no intervals. ``frame.kind``: not a DataFrame.
    """
    table = table.to_frame() if isinstance(table, Tabled) else read_frame(table)
    if not hasattr(table, "columns"):
        raise PrivacyError("frame.kind", type(table).__name__)
    if not len(table) or not {"low", "high"} <= set(table.columns):
        raise PrivacyError("plot", ", ".join(map(str, table.columns)))
    name = "odds_ratio" if "odds_ratio" in table else str(table.columns[0])
    labels = [" ".join(map(str, np.atleast_1d(label))) for label in table.index.tolist()]
    figures = table[[name, "low", "high"]].to_numpy(dtype=float)
    if name == "odds_ratio":
        figures = np.log10(np.maximum(figures, 1e-9))
    finite = figures[np.isfinite(figures) & (np.abs(figures) < _WIDEST)]
    first, last = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    # At most seven ticks, 1, 2 or 5 times a power of ten apart.
    rough = max(last - first, 1e-6) / 5
    power = 10 ** np.floor(np.log10(rough))
    step = power * next(times for times in (1, 2, 5, 10) if times * power >= rough)
    ticks = step * np.arange(
        np.floor(first / step), max(np.ceil(last / step), np.floor(first / step) + 1) + 1
    )
    left = 12 + max(sum(_WIDE if ord(letter) > _LATIN else _NARROW for letter in label) for label in labels)
    height = 28 * len(labels) + 52

    def x(value: float) -> float:
        clipped = min(max(value, ticks[0]), ticks[-1])
        return float(round(left + _AXIS * (clipped - ticks[0]) / (ticks[-1] - ticks[0]), 1))

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + _AXIS + 30} {height}" '
        f'width="{left + _AXIS + 30}" font-family="system-ui, sans-serif" font-size="13" role="img">',
        f"<title>{escape(name)} with intervals</title>",
        f'<rect width="{left + _AXIS + 30}" height="{height}" fill="#fff"/>',
    ]
    for tick in ticks:
        tick_label = f"{10**tick:.3g}" if name == "odds_ratio" else f"{tick:.6g}"
        ends = f'x1="{x(tick)}" x2="{x(tick)}" y1="6" y2="{height - 42}"'
        lines.append(f'<line {ends} stroke="#ddd"/>')
        lines.append(f'<text x="{x(tick)}" y="{height - 26}" text-anchor="middle">{tick_label}</text>')
    for row, (label, (value, low, high)) in enumerate(zip(labels, figures.tolist(), strict=True)):
        y = 22 + 28 * row
        lines.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{escape(label)}</text>')
        lines.append(
            f'<line x1="{x(low)}" x2="{x(high)}" y1="{y}" y2="{y}" stroke="#1f4e79" stroke-width="2"/>'
        )
        if value == value:
            lines.append(f'<circle cx="{x(value)}" cy="{y}" r="4" fill="#1f4e79"/>')
    caption = name.replace("_", " ")
    lines.append(
        f'<text x="{left + _AXIS / 2}" y="{height - 6}" text-anchor="middle">{escape(caption)}</text></svg>'
    )
    return Picture("\n".join(lines))


class Tabled:
    """Base of results that notebooks display as a DataFrame."""

    def to_frame(self) -> DataFrame:
        """Return one row per figure."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        """Return the table that notebooks show."""
        return str(self.to_frame().to_html(float_format=lambda figure: f"{figure:.4g}"))


class Shown(Tabled):
    """Base of results with intervals: columns for the figure and its error, ``low`` and ``high``."""

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return one row per figure, with intervals at a level."""
        raise NotImplementedError

    def plot(self, level: float = 0.95) -> Picture:
        """Draw each figure as a point with its interval, the first row at the top."""
        return plot(self.to_frame(level))


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitSums:
    """Independently sampled units: rows, or clusters of rows.

    Parameters
    ----------
    scores : float array, shape (true answers, units)
        Sums of weight times score. Their total divided by the total of `base` estimates an answer's share.
    base : float array, shape (units,)
        Sums of weights.
    respondents, smallest_cell : int
        Number of rows, and of rows with the rarest report.
    effective_n : float
        (sum w)^2 / sum w^2 over the weights of the rows.
    clusters : ClusterCount, optional
        Set for clusters, and for rows with unequal weights.
    """

    scores: Array
    base: Array
    respondents: int
    smallest_cell: int
    effective_n: float
    clusters: ClusterCount | None = None

    @property
    def counts(self) -> Whole:
        """A count of 1 for each unit."""
        return np.ones(len(self.base), dtype=np.int64)

    @classmethod
    def of(cls, scores: Array, codes: Whole, mass: Array | None, units: SamplingUnits | None) -> UnitSums:
        """Sum rows into units.

        Parameters
        ----------
        scores : float array, shape (true answers, rows)
        codes : int array, shape (rows,)
            The report of each row.
        mass : float array, shape (rows,), optional
            Weights.
        units : SamplingUnits, optional
            None if rows are independent.
        """
        mass = np.ones(len(codes)) if mass is None else mass
        totals, weighted = np.concatenate([scores, np.ones((1, len(codes)))]) * mass, ClusterCount.of(mass)
        clusters = None if math.isclose(weighted.effective, weighted.count) else weighted
        if units is not None:
            totals, clusters = units.sums(totals, mass)
        least = int(np.unique(codes, return_counts=True)[1].min())
        return cls(
            scores=totals[:-1],
            base=totals[-1],
            respondents=len(codes),
            smallest_cell=least,
            effective_n=weighted.effective,
            clusters=clusters,
        )


def sampling_units(clusters: Series | None, strata: Series | None) -> SamplingUnits | None:
    """Return the sampling units of rows; None if rows were drawn independently.

    Parameters
    ----------
    clusters : Series or None
        The cluster of each row; without clusters each row is a unit.
    strata : Series or None
        The stratum of each row, in which its unit was drawn.

    Raises
    ------
    PrivacyError
        ``clusters``: rows without a cluster or a stratum, too few clusters, a cluster in two strata, or a
        stratum with a single cluster or row.

    Examples
    --------
    >>> import pandas
    >>> town = pandas.Series([*"aabcdefghij"], name="town")
    >>> units = sampling_units(town, pandas.Series([*"xxxxxyyyyyy"], name="region"))
    >>> units.members.tolist(), units.strata.tolist()
    ([0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    """
    members: Whole | None = None
    if clusters is not None:
        codes, names = clusters.factorize()
        if (codes < 0).any() or len(names) < FEW_CLUSTERS:
            missing = int((codes < 0).sum())
            raise PrivacyError(
                "clusters", clusters.name, count=len(names), missing=missing, least=FEW_CLUSTERS
            )
        members = np.asarray(codes, dtype=np.int64)
    if strata is None:
        return None if members is None else SamplingUnits(members=members)
    if members is None:
        members = np.arange(len(strata), dtype=np.int64)
    stratum, kinds = strata.factorize()
    if (stratum < 0).any():
        raise PrivacyError("clusters.no_stratum", strata.name, missing=int((stratum < 0).sum()))
    size = int(members.max()) + 1
    of_unit = np.zeros(size, dtype=np.int64)
    of_unit[members] = stratum
    if (astray := np.flatnonzero(of_unit[members] != stratum)).size:
        lost = clusters.iloc[int(astray[0])] if clusters is not None else None
        raise PrivacyError("clusters.two_strata", plain(lost), strata=strata.name)
    if (alone := np.flatnonzero(np.bincount(of_unit, minlength=len(kinds)) < 2)).size:
        raise PrivacyError("clusters.lone", plain(kinds[int(alone[0])]), strata=strata.name)
    return SamplingUnits(members=members, strata=of_unit)


def units_of(frame: DataFrame, clusters: Hashable | None, strata: Hashable | None) -> SamplingUnits | None:
    """Return the sampling units of a table's rows, see `sampling_units`.

    Parameters
    ----------
    frame : DataFrame
    clusters, strata : hashable or None
        Names of columns.

    Raises
    ------
    PrivacyError
        As for `pick` and `sampling_units`.
    """
    columns = {name: pick(frame, [name])[0] for name in (clusters, strata) if name is not None}
    return sampling_units(
        None if clusters is None else columns[clusters], None if strata is None else columns[strata]
    )
