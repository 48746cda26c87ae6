"""k-anonymise a DataFrame in one call, and measure the risk and the information loss of a table.

Measures of re-identification risk: prosecutor risk, sample uniques, unicity and singling-out sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.library.frames import Tabled, data_frame, pick, read_column, read_frame
from privacy.policy import RECORD_AT_RISK
from privacy.sdc.classes import Classes, ClassMatrix, in_blocks
from privacy.sdc.generalisation import Space, distinct_rows, flat_hierarchy, hierarchy_of
from privacy.sdc.k_member import check_k, k_member, pays_to_compile
from privacy.sdc.labels import label_column
from privacy.sdc.people import cell_text, owners_of, repeated_without_role
from privacy.sdc.requirements import ModelMeasures, Protected, Requirement, join_until_all, measure_models
from privacy.sdc.table import Column, ColumnRule, Table

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


@dataclass(frozen=True, kw_only=True, repr=False)
class Report(Tabled):
    """Privacy of a published table, measured on the table itself, and the information lost.

    Parameters
    ----------
    k : int
        Number of people in the smallest class; of records, if `people` is None.
    classes, records : int
    people : int or None
        Number of people, if a column that identifies them was named. Then k, l and all risks count people.
    repeated : dict of str to int
        Columns that were left out and repeat, with their numbers of values. If one of them identifies a
        person, records were counted instead of people: name it as `respondent`.
    models : dict of str to ModelMeasures
        l, t and the other models of each sensitive column.
    loss : Loss
        ``loss.ncp``, from 0 (nothing changed) to 1 (nothing left), also ``by_column``.
    before, after : Risk
        Probabilities that a record is linked to its owner by the original, and by the published,
        quasi-identifiers.
    left_out : tuple of str
        Columns without a role, which are not published.
    """

    k: int
    classes: int
    records: int
    models: Mapping[str, ModelMeasures]
    loss: Loss
    before: Risk
    after: Risk
    left_out: tuple[str, ...]
    people: int | None = None
    repeated: Mapping[str, int] = field(default_factory=dict)

    @property
    def l(self) -> int | None:  # noqa: E743 - the name in the literature
        """Smallest number of distinct sensitive values in a class; None without a sensitive column."""
        return min((model.distinct_l for model in self.models.values()), default=None)

    def to_frame(self) -> DataFrame:
        """Return the risks before and after and the information loss, one figure per row."""
        rows = {
            "smallest class": (round(1 / self.before.prosecutor_highest), self.k),
            f"{self._unit} alone": (self.before.sample_uniques, self.after.sample_uniques),
            "prosecutor risk, highest": (self.before.prosecutor_highest, self.after.prosecutor_highest),
            "prosecutor risk, mean": (self.before.prosecutor_mean, self.after.prosecutor_mean),
            f"share at risk above {self.after.threshold:g}": (self.before.at_risk, self.after.at_risk),
            "information lost (NCP)": (0.0, self.loss.ncp),
        }
        before, after = zip(*rows.values(), strict=True)
        return data_frame({"before": before, "after": after}, index=list(rows), name="figure")

    @property
    def _unit(self) -> str:
        return "records" if self.people is None else "people"

    @property
    def _size(self) -> str:
        return f"{self.records:,} records" + ("" if self.people is None else f" of {self.people:,} people")

    def summary(self) -> str:
        """Return the report as text of several lines."""
        lines = [
            f"{self._size} in {self.classes:,} classes, the smallest of {self.k} {self._unit}",
            f"information lost: {100 * self.loss.ncp:.1f}% ("
            + ", ".join(f"{name} {100 * loss:.1f}%" for name, loss in self.loss.by_column.items())
            + ")",
            f"a record is linked with a probability of at most {self.after.prosecutor_highest:.3g} "
            f"(before: {self.before.prosecutor_highest:.3g}), {self.after.prosecutor_mean:.3g} on average "
            f"(before: {self.before.prosecutor_mean:.3g}); alone: {self.after.sample_uniques:,} {self._unit} "
            f"(before: {self.before.sample_uniques:,})",
        ]
        lines += [
            f"{name}: {model.distinct_l} or more values in each class (l), entropy l {model.entropy_l:.3g}, "
            f"t {model.t:.3g}, a value of at most {100 * model.alpha:.3g}%"
            for name, model in self.models.items()
        ]
        if not self.models:
            lines.append("no column is sensitive, so classes with a single value are not checked")
        if self.left_out:
            lines.append(f"left out, because they have no role: {', '.join(self.left_out)}")
        if self.people is None:
            lines.append("counted in records: each counts as one person")
        if self.repeated:
            listed = ", ".join(f"{name} ({values} values)" for name, values in self.repeated.items())
            lines.append(
                f"these columns were left out and repeat: {listed}. If one of them, or several together, "
                "identify a person, pass them as respondent to count people"
            )
        return "\n".join(lines)

    def __repr__(self) -> str:
        counted = (
            f"k = {self.k} {self._unit}" if self.people is not None or self.repeated else f"k = {self.k}"
        )
        return f"<{self._size}, {counted}, information lost {100 * self.loss.ncp:.1f}%>"


def anonymise(
    frame: DataFrame,
    *,
    quasi_identifiers: Sequence[str],
    k: int = 5,
    sensitive: Sequence[str] = (),
    l: int = 1,  # noqa: E741 - the name in the literature
    insensitive: Sequence[str] = (),
    respondent: str | Sequence[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[DataFrame, Report]:
    """Generalise quasi-identifiers until each person's records equal those of k - 1 others.

    Parameters
    ----------
    frame : DataFrame
        One record per row. Without `respondent`, each counts as a different person.
    quasi_identifiers : sequence of str
        Columns that an attacker may know about a person. Numbers become intervals; other values are
        generalised by their hierarchy.
    k : int
        Smallest number of people in a class, from 1 to the number of people.
    sensitive : sequence of str
        Columns that are published unchanged but protected by `l`.
    l : int
        Smallest number of distinct values of each sensitive column in a class, 1 or more.
    insensitive : sequence of str
        Columns that are published unchanged.
    respondent : str or sequence of str
        Column that identifies a person, or several that do so together, if people have several records. They
        are not published. Spellings that differ only in capitals, blanks or the way a number is written are
        one person. All records of a person get the same labels, and k, l and risks count people.
    hierarchies : mapping of column name to Hierarchy, mapping or DataFrame, optional
        As for `privacy.sdc.generalisation.hierarchy_of`.
        Hierarchies of non-numeric quasi-identifiers; columns without one are kept or become ``*``.

    progress : callable, optional
        Called regularly with (placed records, records) of the current block; it may raise an exception to
        stop.

    Returns
    -------
    (DataFrame, Report)
        Rows in the order of `frame`, with a new index because an index can name people. Columns without a
        role are left out and listed in the report.

    Raises
    ------
    PrivacyError
        ``frame``: no rows, unknown, duplicate or repeated columns, missing values, a quasi-identifier or
        `respondent` with one value; ``k``, ``l``, ``time_stamp``, ``free_text``, ``singles_out``,
        ``coverage``.

    Notes
    -----
    Classes grow around the densest combinations and add the records that widen them least (greedy k-member
    clustering). Classes with fewer than l values are repaired afterwards. k, l and risks are measured on the
    published labels.

    References
    ----------
    Samarati and Sweeney 1998; Machanavajjhala et al. 2007; Byun et al. 2007.

    Examples
    --------
    >>> import pandas
    >>> people = pandas.DataFrame({"age": [31, 34, 38, 52, 57, 59], "ill": [1, 0, 0, 1, 0, 1]})
    >>> published, report = anonymise(people, quasi_identifiers=["age"], sensitive=["ill"], k=3)
    >>> published["age"].tolist()
    ['[31,38]', '[31,38]', '[31,38]', '[52,59]', '[52,59]', '[52,59]']
    >>> report.k, report.l, report.before.sample_uniques
    (3, 2, 6)
    >>> visits = pandas.concat([people, people], ignore_index=True).assign(nr=[*range(6), *range(6)])
    >>> columns = {"quasi_identifiers": ["age"], "sensitive": ["ill"]}
    >>> anonymise(visits, **columns, k=2)[1]
    <12 records, k = 2 records, information lost 0.0%>
    >>> anonymise(visits, **columns, k=2, respondent="nr")[1]
    <12 records of 6 people, k = 2 people, information lost 22.6%>
    """
    frame = read_frame(frame)
    roles = _roles(frame, quasi_identifiers, sensitive, insensitive)
    table = _table(frame, roles)
    trees = {name: hierarchy_of(name, own) for name, own in (hierarchies or {}).items()}
    for column in table.quasi_identifiers:
        if column.numbers is None:
            trees.setdefault(column.name, flat_hierarchy(column.name, column.values))
    space = Space.of(table, trees)
    owners, n_people = owners_of(frame, [respondent] if isinstance(respondent, str) else respondent, roles)
    classes = _classes(space, table, k, l, owners, progress)
    texts = space.labels(space.boxes(classes.number, classes.count))
    number = classes.number.tolist()
    labels = {name: [own[each] for each in number] for name, own in zip(space.names, texts, strict=True)}
    result = data_frame(
        {name: labels[name] if name in labels else frame[name].to_numpy() for name in frame if name in roles}
    )
    published_classes = Classes.of_columns(
        [label_column(name, "quasi_identifier", own) for name, own in labels.items()]
    )
    models = {
        column.name: measure_models(ClassMatrix.of(published_classes, column, owners), column.name)
        for column in table.sensitive
    }
    return result, Report(
        k=int(published_classes.crowds(owners).min()),
        classes=published_classes.count,
        records=len(table),
        models=models,
        loss=loss(space, classes),
        before=risk(Classes.of_columns(table.quasi_identifiers).crowds(owners)),
        after=risk(published_classes.crowds(owners)),
        left_out=tuple(str(name) for name in frame if name not in roles),
        people=n_people,
        repeated={} if n_people is not None else repeated_without_role(frame, roles),
    )


def _roles(
    frame: DataFrame, quasi_identifiers: Sequence[str], sensitive: Sequence[str], insensitive: Sequence[str]
) -> dict[str, str]:
    roles: dict[str, str] = {}
    for role, names in (
        ("quasi_identifier", quasi_identifiers),
        ("sensitive", sensitive),
        ("insensitive", insensitive),
    ):
        for name in [names] if isinstance(names, str) else names:
            if name in roles:
                raise PrivacyError("frame.twice", name)
            roles[name] = role
    if "quasi_identifier" not in roles.values():
        raise PrivacyError("no_quasi_identifier.space")
    pick(frame, list(roles))
    return roles


def _table(frame: DataFrame, roles: Mapping[str, str]) -> Table:
    """Read the columns with a role as microdata, keeping numbers numeric."""
    rules, texts = [], []
    for name, role in roles.items():
        numeric, values = read_column(frame, name)
        if role == "quasi_identifier" and len(set(values)) == 1:
            raise PrivacyError("frame.one_value", values[0], column=name)
        rules.append(ColumnRule(name=name, role=role, kind="numeric" if numeric else "categorical"))
        texts.append([cell_text(value, numeric) for value in values])
    return Table.from_rows(list(roles), zip(*texts, strict=True), rules)


def _classes(
    space: Space,
    table: Table,
    k: int,
    l_value: int,
    owners: Whole | None,
    progress: Callable[[int, int], None] | None,
) -> Classes:
    """Build classes for the first sensitive column, then join them until the others also have l values.

    A person's first record is grouped, and their other records follow it.
    """
    whole, first = space, table.sensitive[0] if table.sensitive else None
    if owners is not None:
        firsts = np.unique(owners, return_index=True)[1]
        space, first = space.take(firsts), None if first is None else first.take(firsts)
    check_k(k, len(space), l_value)

    is_compiled = pays_to_compile(len(distinct_rows(space.codes)[0]), len(space), l_value)

    def group(part: Space, rows: Whole) -> Classes:
        return k_member(
            part,
            k,
            sensitive=None if first is None else first.take(rows),
            l_value=l_value,
            compiled=is_compiled,
            progress=progress,
        )

    values = None if first is None else first.codes
    classes = in_blocks(space, group, values=values, l_value=l_value)
    if owners is not None:
        classes = Classes.from_numbers(classes.number[owners])
    # Later records of a person can add values to a class, or one value that everyone in it has.
    others = [
        Protected(column=column, requirement=Requirement(k=k, distinct_l=l_value), people=owners)
        for column in (table.sensitive[1:] if owners is None else table.sensitive)
    ]
    return join_until_all(whole, classes, others) if others else classes


@dataclass(frozen=True, kw_only=True)
class Risk:
    """Probabilities that a record is linked to its owner.

    Parameters
    ----------
    prosecutor_highest, prosecutor_mean : float
        Largest and mean ``1/|E|`` over records, for an attacker who knows that the person is in the table.
    at_risk : float
        Share of records whose probability exceeds `threshold`.
    threshold : float
        The bound for `at_risk`.
    sample_uniques : int
        Number of records that are alone in their class.
    """

    prosecutor_highest: float
    prosecutor_mean: float
    at_risk: float
    threshold: float
    sample_uniques: int


def risk(sizes: Whole) -> Risk:
    """Measure the probability that an attacker who knows that a person is in the table finds their record.

    The mean is also the share of correct links if all records are linked at random (marketer's risk).

    Parameters
    ----------
    sizes : int64 array
        Sizes of the classes.

    Examples
    --------
    >>> risk(np.array([2, 2, 2, 3, 2])).prosecutor_mean
    0.45454545454545453
    """
    n = int(sizes.sum())
    return Risk(
        prosecutor_highest=float(1 / sizes.min()),
        prosecutor_mean=len(sizes) / n,
        at_risk=float(sizes[1 / sizes > RECORD_AT_RISK].sum() / n),
        threshold=RECORD_AT_RISK,
        sample_uniques=int((sizes == 1).sum()),
    )


@dataclass(frozen=True, kw_only=True)
class Unicity:
    """Share of records, or people, that are unique by some columns, over subsets of a given size."""

    mean: float
    highest: float


def _owned_alone(columns: Sequence[Column], people: Whole | None) -> Flags:
    """Return which records have values in some columns that no record of another person has."""
    classes = Classes.of_columns(columns)
    alone: Flags = classes.crowds(people) == 1
    return alone[classes.number]


def _count_people(mask: Flags, people: Whole | None) -> int:
    """Return the number of people, or records if each is of a different person, with a record in a mask."""
    return int(mask.sum()) if people is None else len(np.unique(people[mask]))


def unicity(
    columns: Sequence[Column],
    points: int,
    *,
    rng: np.random.Generator,
    most_subsets: int = 2000,
    people: Whole | None = None,
) -> Unicity:
    """Measure unicity over all subsets of columns, or over a sample when there are too many.

    Parameters
    ----------
    columns : sequence of Column
        Columns of the quasi-identifiers.
    points : int
        Number of columns that an attacker knows, 1 or more.
    rng : numpy.random.Generator
        Draws the sample.
    most_subsets : int, optional
        Number of subsets to sample if there are more than this.
    people : int64 array, shape (n,), or None
        Person of each record, if a person can have several; the shares are then of people.
    """
    total = comb(len(columns), points)
    if total <= most_subsets:
        subsets = list(combinations(range(len(columns)), points))
    else:
        sample: set[tuple[int, ...]] = set()
        while len(sample) < most_subsets:
            sample.add(tuple(sorted(rng.choice(len(columns), size=points, replace=False).tolist())))
        subsets = sorted(sample)
    shares, n = [], _count_people(np.ones(len(columns[0].codes), dtype=np.bool_), people)
    for subset in subsets:
        alone = _owned_alone([columns[position] for position in subset], people)
        shares.append(_count_people(alone, people) / n)
    return Unicity(mean=float(np.mean(shares)), highest=max(shares))


MOST_SETS: Final = 20_000
"""Largest number of column sets to try in the search for sets that single out a record."""


@dataclass(frozen=True, kw_only=True)
class SinglingSet:
    """A minimal set of columns that singles out a record.

    Parameters
    ----------
    columns : tuple of str
        The set.
    people : int
        Number of records, or people, that this set singles out but none of its subsets does.
    """

    columns: tuple[str, ...]
    people: int


def singling_sets(
    columns: Sequence[Column], *, longest: int | None = None, people: Whole | None = None
) -> tuple[SinglingSet, ...]:
    """Find all column sets Q that are minimal for some person p with f_g(f_c(p)[Q]) = p.

    Parameters
    ----------
    columns : sequence of Column
        Columns of the table. f_c maps a person to a record; f_g looks up a projection in the same table. This
        is the worst case, an attacker who knows everyone in the table.
    longest : int or None
        Largest size of a set. The search stops earlier if it would exceed `MOST_SETS` sets.
    people : int64 array, shape (n,), or None
        Person of each record, if a person can have several. A set then singles out a person.

    Returns
    -------
    tuple of SinglingSet
        The sets by size, then in the order of the columns.

    Examples
    --------
    >>> sex = Column(name="sex", role="quasi_identifier", kind="categorical", values=("F", "M"),
    ...              codes=np.array([0, 0, 1, 1], dtype=np.int32))
    >>> age = Column(name="age", role="quasi_identifier", kind="categorical", values=("25", "30"),
    ...              codes=np.array([0, 1, 0, 0], dtype=np.int32))
    >>> [(single.columns, single.people) for single in singling_sets([sex, age])]
    [(('age',), 1), (('sex', 'age'), 1)]
    """
    n = len(columns[0].codes)
    sets: list[SinglingSet] = []
    nobody = np.zeros(n, dtype=bool)
    before: dict[tuple[int, ...], Flags] = {}
    n_tried = 0
    for size in range(1, min(longest or len(columns), len(columns)) + 1):
        n_tried += comb(len(columns), size)
        if n_tried > MOST_SETS:
            break
        current: dict[tuple[int, ...], Flags] = {}
        for positions in combinations(range(len(columns)), size):
            alone = _owned_alone([columns[position] for position in positions], people)
            # A record unique in a set is unique in every superset, so it is enough to look at sets that are
            # one column smaller.
            is_known = nobody.copy()
            for left_out in range(size):
                is_known |= before.get(positions[:left_out] + positions[left_out + 1 :], nobody)
            if alone.any():
                current[positions] = alone
            fresh = alone & ~is_known
            if fresh.any():
                names = tuple(columns[position].name for position in positions)
                sets.append(SinglingSet(columns=names, people=_count_people(fresh, people)))
        before = current
    return tuple(sets)


def discernibility(sizes: Whole, *, suppressed: int = 0) -> int:
    """Return the discernibility penalty: a record costs its class's size, a suppressed one the table's.

    Parameters
    ----------
    sizes : ndarray of int
        Number of records in each class.
    suppressed : int, optional
        Number of unpublished records.

    Notes
    -----
    DP = ``sum |E|^2`` (Zhu et al. 2010, section 5.2) + suppressed * n, where n includes suppressed records.

    Examples
    --------
    >>> discernibility(np.array([2, 2, 2, 3, 2]))
    25
    """
    return int((sizes * sizes).sum()) + suppressed * (int(sizes.sum()) + suppressed)


@dataclass(frozen=True, kw_only=True)
class Loss:
    """Information lost when each class is published as its box.

    Parameters
    ----------
    ncp : float
        Mean NCP over records and quasi-identifiers, unweighted, in [0, 1]; a suppressed record counts 1.
    ilp : float
        ILP(T) of Zhu et al. 2010: sum over records of sum_i w_i NCP_i, in [0, n].
    ilp_share : float
        ILP(T) / n. The abstract of Zhu et al. 2010 mentions a normalised penalty, but the paper does not
        define one; this quotient is our choice.
    discernibility : int
        ``sum |E|^2``.
    n_classes, smallest, largest : int
        Number of classes, and the smallest and largest class size.
    mean_size : float
        n / classes.
    by_column : dict of str to float
        Mean NCP of each quasi-identifier.
    suppressed : int
        Number of records left out.
    """

    ncp: float
    ilp: float
    ilp_share: float
    discernibility: int
    n_classes: int
    smallest: int
    largest: int
    mean_size: float
    by_column: dict[str, float]
    suppressed: int

    @classmethod
    def of(
        cls, ncp: float, by_column: dict[str, float], ilp: float, sizes: Whole, suppressed: int = 0
    ) -> Loss:
        """Derive the other figures from the mean NCP (overall and by column), the ILP and the class sizes."""
        return cls(
            ncp=ncp,
            ilp=ilp,
            ilp_share=ilp / (int(sizes.sum()) + suppressed),
            discernibility=discernibility(sizes, suppressed=suppressed),
            n_classes=len(sizes),
            smallest=int(sizes.min()),
            largest=int(sizes.max()),
            mean_size=float(sizes.mean()),
            by_column=by_column,
            suppressed=suppressed,
        )


def loss(space: Space, classes: Classes, *, weights: Mapping[str, float] | None = None) -> Loss:
    """Measure the loss of a partition if each class is published as the box around its members.

    Parameters
    ----------
    space : Space
        Positions of the records.
    classes : Classes
        Classes of the records.
    weights : mapping of str to float, optional
        Weights of the quasi-identifiers, by name; equal by default.

    Notes
    -----
    NCP (Zhu et al. 2010, section 3.2): ``(z - y)/|A|`` for numbers, ``size(u)/|A|`` for categories, 0 if
    nothing changed. The paper multiplies by the weights twice, for the attribute and for the record. That is
    consistent only if the penalty of an attribute is the unweighted fraction, so here weights enter once:
    ILP(t) = sum_i w_i NCP_i(t).
    """
    boxes = space.boxes(classes.number, classes.count)
    penalties = space.penalties(boxes)
    sizes = classes.sizes
    n = len(space)
    per_axis = (penalties * sizes[:, None]).sum(axis=0)
    axis_weights = space.weights(weights)
    total = float((per_axis * axis_weights).sum())
    by_axis = {axis.name: float(loss / n) for axis, loss in zip(space.axes, per_axis, strict=True)}
    by_column = {name: by_axis[name] for name in space.names}
    return Loss.of(float(per_axis.mean() / n), by_column, total, sizes)


def loss_by_sensitive_value(
    space: Space, classes: Classes, values: npt.NDArray[np.integer], own: Array
) -> float:
    """Return ILP(T), in [0, n], with the axes of each record weighted by its own sensitive value.

    Parameters
    ----------
    space, classes
        As in `loss`.
    values : integer array, shape (records,)
        Sensitive value of each record.
    own : float64 array, shape (m, d)
        Weights by value and axis, in the order of ``space.axes``; rows sum to 1.
    """
    penalties = space.penalties(space.boxes(classes.number, classes.count))
    return float((penalties[classes.number] * own[values]).sum())
