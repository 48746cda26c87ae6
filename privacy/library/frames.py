"""Exchange with pandas: read columns into codes, counts and records; show figures as tables and plots.

If rows have weights, clusters or their own designs, they are read as independently sampled units.
This is the only module of `privacy` that imports pandas, and only when a frame is read or made.
"""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.comparison import ClusterCount
from privacy.library.designs import YES_NO, ResponseDesign, RowDesigns, checked_design
from privacy.policy import FEW_CLUSTERS

if TYPE_CHECKING:
    import pandas

    DataFrame: TypeAlias = pandas.DataFrame
    Series: TypeAlias = pandas.Series
    Answers: TypeAlias = Series | Mapping[Hashable, int]


Codes: TypeAlias = npt.NDArray[np.intp]
"""Positions of answers in the list of possible answers."""

_COUNTS_NAME: Final = "the answers"
_WIDEST: Final = 1e6
"""Interval ends beyond this are drawn at the end of the axis."""
_AXIS, _NARROW, _WIDE, _LATIN = 420, 8, 14, 0x2E80
"""Widths in pixels of the axis, a letter and a Chinese character; first code point of wide characters."""


def answer_counts(answers: Answers, reports: Sequence[Hashable]) -> tuple[str, Whole]:
    """Count the reports in a column, or check counts that were passed in.

    Parameters
    ----------
    answers : Series, or mapping of report to count
    reports : sequence
        The possible reports.

    Returns
    -------
    (str, int array, shape (len(reports),))
        The name of the column, and the counts in the order of `reports`.

    Raises
    ------
    PrivacyError
        ``answers``: no answers; missing or unknown ones; a column of identical answers (allowed in counts);
        counts that are not whole numbers of 0 or more, or that leave out a report.

    Examples
    --------
    >>> answer_counts({"yes": 3, "no": 1}, ("no", "yes"))
    ('the answers', array([1, 3]))
    """
    if isinstance(answers, Mapping):
        return _COUNTS_NAME, _check_counts(answers, reports)
    name, codes = answer_codes(answers, reports)
    return name, np.bincount(codes, minlength=len(reports))


def _check_counts(counts: Mapping[Hashable, int], reports: Sequence[Hashable]) -> Whole:
    allowed = ", ".join(map(repr, reports))
    for answer, count in counts.items():
        whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
        if answer not in reports or not whole or count < 0:
            raise PrivacyError("answers.counts", count, answer=answer, allowed=allowed)
    for report in reports:
        if report not in counts:
            raise PrivacyError("answers.counts", None, answer=report, allowed=allowed)
    codes = np.array([counts[report] for report in reports], dtype=np.int64)
    if not codes.sum():
        raise PrivacyError("answers.empty", 0, column=_COUNTS_NAME)
    return codes


def answer_codes(answers: Series, reports: Sequence[Hashable]) -> tuple[str, Codes]:
    """Read a column of reports as positions in `reports`.

    With two reports that are texts, 0 and False also mean the first, 1 and True the second.

    Parameters
    ----------
    answers : Series
        One report for each respondent, none missing.
    reports : sequence
        The possible reports, each once.

    Examples
    --------
    >>> import pandas
    >>> answer_codes(pandas.Series([True, False, True], name="affair"), ("no", "yes"))
    ('column affair', array([1, 0, 1]))
    """
    import pandas

    with contextlib.suppress(PrivacyError):
        answers = read_frame(answers)
    if not isinstance(answers, pandas.Series):
        raise PrivacyError("answers.kind", type(answers).__name__)
    name = "the column" if answers.name is None else f"column {answers.name}"
    if not len(answers):
        raise PrivacyError("answers.empty", 0, column=name)
    refuse_missing(answers, name, of_answers=True)
    codes = _code_column(answers, name, reports)
    if (codes == codes[0]).all():
        first = plain(answers.iloc[0])
        raise PrivacyError("answers.one_value", first, column=name, count=len(answers))
    return name, codes


def report_codes(column: Series, reports: Sequence[Hashable], *, as_texts: bool = False) -> Codes:
    """Read a column of reports as positions in `reports`; -1 for an empty cell.

    Parameters
    ----------
    column : Series
    reports : sequence
    as_texts : bool
        Whether to compare values as text, with 1 and 1.0 both read as "1".

    Raises
    ------
    PrivacyError
        ``answers``: a value that is not a report.

    Examples
    --------
    >>> import pandas
    >>> report_codes(pandas.Series([1, None, 2]), ("1", "2"), as_texts=True)
    array([ 0, -1,  1])
    """
    return _code_column(column, f"column {column.name}", reports, as_texts=as_texts)


def _code_column(column: Series, name: str, reports: Sequence[Hashable], *, as_texts: bool = False) -> Codes:
    import pandas

    codes, labels = pandas.factorize(column)
    distinct = [plain(value) for value in labels]
    positions = [_text_index(value, reports) if as_texts else _index(value, reports) for value in distinct]
    for number, position in enumerate(positions):
        if position is None:
            row = plain(column.index[int(np.argmax(codes == number))])
            allowed = ", ".join(map(repr, reports))
            raise PrivacyError("answers.value", distinct[number], column=name, row=row, allowed=allowed)
    # factorize codes missing values as -1, which indexes the last entry.
    places: Codes = np.array([*positions, -1], dtype=np.intp)[codes]
    return places


def column_answers(column: Series) -> tuple[Any, ...] | None:
    """Return the distinct answers in a column, categories in their order; None if they are yes and no.

    Parameters
    ----------
    column : Series
    """
    own = (
        column.dtype.categories
        if column.dtype.name == "category"
        else sorted(column.dropna().unique(), key=str)
    )
    answers = tuple(plain(value) for value in own)
    return None if all(_index(value, YES_NO) is not None for value in answers) else answers


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


def plain(value: Any) -> Any:
    """Convert a NumPy scalar to a Python one, whose repr is plain.

    Parameters
    ----------
    value : object
    """
    return value.item() if isinstance(value, np.generic) else value


def _index(value: Any, reports: Sequence[Hashable]) -> int | None:
    for position, report in enumerate(reports):
        if isinstance(value, str) == isinstance(report, str) and value == report:
            return position
    # Accept "Yes" and " NO ", as people type them.
    if isinstance(value, str) and tuple(reports) == YES_NO:
        text = value.strip().casefold()
        return reports.index(text) if text in reports else None
    # Neither 2 nor the text "1" means yes. Among reports that are numbers, 0 and 1 only mean themselves.
    if len(reports) == 2 and value in (0, 1) and all(isinstance(report, str) for report in reports):
        return int(value)
    return None


def _text_index(value: Any, reports: Sequence[Hashable]) -> int | None:
    whole = isinstance(value, float) and value.is_integer()
    text = str(int(value) if whole else value)
    return reports.index(text) if text in reports else None


def read_frame(frame: Any) -> Any:
    """Convert a table or column that narwhals can read, such as a polars or Arrow one, to pandas.

    Parameters
    ----------
    frame : DataFrame or Series
        Categories keep their order, and empty cells stay empty.

    Raises
    ------
    PrivacyError
        ``frame``: not a table or column.

    Examples
    --------
    >>> import pyarrow
    >>> read_frame(pyarrow.table({"age": [30, None], "works": [True, False]})).age.tolist()
    [30.0, nan]
    """
    import pandas

    if isinstance(frame, pandas.DataFrame | pandas.Series):
        return frame
    import narwhals.stable.v2 as narwhals

    try:
        table = narwhals.from_native(frame, allow_series=True)
    except TypeError as error:
        raise PrivacyError("frame.kind", type(frame).__name__) from error
    if isinstance(table, narwhals.Series):
        return pandas.Series(_values(table), name=table.name)
    table = table.collect() if isinstance(table, narwhals.LazyFrame) else table
    return pandas.DataFrame({column.name: _values(column) for column in table.iter_columns()})


def _values(column: Any) -> Any:
    """Return the values of a narwhals column, keeping its categories."""
    import narwhals.stable.v2 as narwhals
    import pandas

    if column.dtype in (narwhals.Categorical, narwhals.Enum):
        return pandas.Categorical(column.to_list(), categories=column.cat.get_categories().to_list())
    return column.to_numpy()


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
        ``frame``: not a DataFrame, no rows, an unknown name, or a name that several columns share.
    """
    import pandas

    if not isinstance(frame, pandas.DataFrame):
        raise PrivacyError("frame.kind", type(frame).__name__)
    if not len(frame):
        raise PrivacyError("frame.empty", 0)
    for name in names:
        count = list(frame.columns).count(name) if isinstance(name, Hashable) else 0
        if not count:
            some_names = ", ".join(map(repr, frame.columns[:20]))
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
        As for `read_column`; ``regression``: a weight is not a finite number above 0.
    """
    numeric, column = read_column(frame, name)
    numbers = np.array(column, dtype=np.float64) if numeric else np.zeros(0)
    if not numeric or not (np.isfinite(numbers).all() and (numbers > 0).all()):
        raise PrivacyError("regression.weights", name)
    return numbers


def data_frame(columns: Mapping[Any, Any], *, index: Any = None, name: Any = None) -> DataFrame:
    """Return a DataFrame of these columns; an index of tuples becomes a MultiIndex.

    Parameters
    ----------
    columns : mapping
        Values by column name, all of one length.
    index : sequence, optional
        Labels of the rows.
    name : hashable or sequence, optional
        Name of the index, or of each of its levels.
    """
    import pandas

    labels = index
    if index is not None and len(index) and isinstance(index[0], tuple):
        labels = pandas.MultiIndex.from_tuples(index, names=name)
    elif index is not None:
        labels = pandas.Index(index, name=name)
    return pandas.DataFrame(dict(columns), index=labels)


class Picture(str):
    """An SVG picture that notebooks display; save it with `pathlib.Path.write_text`."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<picture of {self.partition('<title>')[2].partition('</title>')[0]}>"


def plot(table: DataFrame) -> Picture:
    """Draw the figures of a table as points with their intervals, the first row at the top.

    Parameters
    ----------
    table : DataFrame
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
        inside = min(max(value, ticks[0]), ticks[-1])
        return float(round(left + _AXIS * (inside - ticks[0]) / (ticks[-1] - ticks[0]), 1))

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
    clusters : ClusterCount, optional
    """

    scores: Array
    base: Array
    respondents: int
    smallest_cell: int
    clusters: ClusterCount | None = None

    @property
    def counts(self) -> Whole:
        """A count of 1 for each unit."""
        return np.ones(len(self.base), dtype=np.int64)

    @classmethod
    def of(cls, scores: Array, codes: Whole, mass: Array | None, members: Whole | None) -> UnitSums:
        """Sum rows into units.

        Parameters
        ----------
        scores : float array, shape (true answers, rows)
        codes : int array, shape (rows,)
            The report of each row.
        mass : float array, shape (rows,), optional
            Weights.
        members : int array, shape (rows,), optional
            Number of the cluster of each row.
        """
        mass = np.ones(len(codes)) if mass is None else mass
        totals, clusters = np.concatenate([scores, np.ones((1, len(codes)))]) * mass, None
        if members is not None:
            totals, clusters = cluster_sums(totals, mass, members)
        least = int(np.unique(codes, return_counts=True)[1].min())
        return cls(
            scores=totals[:-1],
            base=totals[-1],
            respondents=len(codes),
            smallest_cell=least,
            clusters=clusters,
        )


def cluster_sums(scores: Array, mass: Array, members: Whole) -> tuple[Array, ClusterCount]:
    """Sum scores over clusters, omitting clusters without weight.

    Parameters
    ----------
    scores : float array, shape (scores, rows)
    mass : float array, shape (rows,)
    members : int array, shape (rows,)
    """
    sums = np.zeros((len(scores), int(members.max()) + 1))
    np.add.at(sums.T, members, scores.T)
    masses = np.bincount(members, weights=mass, minlength=sums.shape[1])
    return sums[:, masses > 0], ClusterCount.of(masses[masses > 0])


def cluster_members(column: Series, name: object) -> Whole:
    """Return the number of each row's cluster.

    Parameters
    ----------
    column : Series
    name : hashable
        Its name in error messages.

    Raises
    ------
    PrivacyError
        ``clusters``: rows without a cluster, or too few clusters.
    """
    members, names = column.factorize()
    if (members < 0).any() or len(names) < FEW_CLUSTERS:
        missing = int((members < 0).sum())
        raise PrivacyError("clusters", name, count=len(names), missing=missing, least=FEW_CLUSTERS)
    return np.asarray(members, dtype=np.int64)


def row_weights(n: int, weights: Any, clusters: Any) -> tuple[Array | None, Whole | None]:
    """Check weights and clusters passed with a column of answers, and return them as arrays.

    Parameters
    ----------
    n : int
        Number of rows.
    weights, clusters : Series or sequence, optional

    Raises
    ------
    PrivacyError
        ``answers``: their length is not `n`. ``regression``, ``clusters``: as for `column_weights` and
        `cluster_members`.
    """
    for name, own in (("weights", weights), ("clusters", clusters)):
        size = len(own) if hasattr(own, "__len__") else 1
        if own is not None and size != n:
            raise PrivacyError("answers.rows", size, name=name, n=n)
    mass = None if weights is None else column_weights(data_frame({"weights": list(weights)}), "weights")
    if clusters is None:
        return mass, None
    return mass, cluster_members(data_frame({"clusters": list(clusters)})["clusters"], "clusters")


def row_designs(design: RowDesigns, n: int | None) -> tuple[list[ResponseDesign], Whole]:
    """Return the distinct designs, and the position of each row's design among them.

    Parameters
    ----------
    design : ResponseDesign, or sequence of ResponseDesign
    n : int or None
        Number of rows; None if there are only counts.

    Raises
    ------
    PrivacyError
        ``designs``: not designs, or designs with different answers. ``answers``: not `n` designs.

    Examples
    --------
    >>> from privacy.library.designs import warner
    >>> made, which = row_designs([warner(p=.7), warner(p=.8), warner(p=.7)], 3)
    >>> made, which.tolist()
    ([warner(p=0.7), warner(p=0.8)], [0, 1, 0])
    """
    is_one = isinstance(design, ResponseDesign) or hasattr(design, "upper")
    if is_one or not hasattr(design, "__iter__"):
        return [checked_design(design)], np.zeros(n or 0, dtype=np.int64)
    all_designs = [checked_design(own) for own in design]
    if len(all_designs) != n:
        raise PrivacyError("answers.rows", len(all_designs), name="designs", n=n or "counts without")
    indices: dict[ResponseDesign, int] = {}
    which = [indices.setdefault(own, len(indices)) for own in all_designs]
    answers = {(own.values, own.reports) for own in indices}
    if len(answers) != 1:
        raise PrivacyError("designs.unlike", len(answers))
    return list(indices), np.array(which, dtype=np.int64)
