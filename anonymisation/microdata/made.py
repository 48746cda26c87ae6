"""A release in memory, and the models that it reaches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from anonymisation.microdata.config import ReleaseConfig
from privacy.arrays import Whole
from privacy.sdc.attacks import homogeneous
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.hierarchy import Hierarchy, NodeReport
from privacy.sdc.labels import Domain, domain_of
from privacy.sdc.lattice import Lattice, Tradeoff
from privacy.sdc.models import beside_classes
from privacy.sdc.queries import ColumnError, column_error
from privacy.sdc.requirements import ModelMeasures, Verdict, measure_models
from privacy.sdc.risk import Loss
from privacy.sdc.table import Column, Table

ReportProgress = Callable[[str, int, int], None]


@dataclass(frozen=True, kw_only=True, eq=False)
class Made:
    """A release in memory.

    Parameters
    ----------
    source : Table
        The table that was read.
    released : Table
        The published columns, records in the order of the source; nothing of it is shuffled yet.
    rows : int64 array
        Records of the source that are published.
    people : int64 array or None
        Person of each record of the source, if people can have several.
    loss : Loss
        Information lost by generalising.
    measures, verdicts
        Per sensitive column, from the published labels.
    changed : int
        Records whose sensitive value was changed.
    seconds : float
        Time of grouping.
    config : ReleaseConfig
        The requested configuration.
    domains : mapping of str to Domain
        Possible meanings of the published labels.
    notes : tuple of str
        Notes that the report must include.
    lattice, node, tradeoff
        Of global recoding, else None.
    own_ilp : float or None
        Loss where each record counts by the weights of its own sensitive value, if that was asked for.
    frontier : tuple of (float, float)
        (ILP, entropy l) of the partitions that were walked when an ILP was given to spend on diversity.
    """

    algorithm: str
    source: Table
    released: Table
    rows: Whole
    people: Whole | None = None
    loss: Loss
    measures: tuple[ModelMeasures, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    changed: int = 0
    seconds: float = 0.0
    config: ReleaseConfig
    weights: Mapping[str, float] | None
    domains: Mapping[str, Domain] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    lattice: Lattice | None = None
    node: NodeReport | None = None
    tradeoff: Tradeoff | None = None
    own_ilp: float | None = None
    frontier: tuple[tuple[float, float], ...] = ()

    @property
    def classes(self) -> Classes:
        """Classes of the published labels."""
        return Classes.of_columns(self.released.quasi_identifiers)

    @property
    def owners(self) -> Whole | None:
        """Person of each published record, where a person can have several."""
        return None if self.people is None else self.people[self.rows]

    @property
    def published_people(self) -> int | None:
        """Different people whose records are published; None where each record is of a different one."""
        return None if self.owners is None else len(np.unique(self.owners))

    def certain_of(self, column: Column, known: Sequence[Column] = ()) -> int:
        """Count the people, or records, whose value is certain to who knows class and some columns."""
        matrix = ClassMatrix.of(beside_classes(self.classes, known), column, self.owners)
        certain = sum(cls.size for cls in homogeneous(matrix, column.real))
        # Records of one person can agree with several others.
        return min(certain, self.published_people or certain)

    @property
    def classes_before(self) -> Classes:
        """Classes of the published records as they were."""
        return Classes.of_columns(self.source.take(self.rows).quasi_identifiers)

    @property
    def errors(self) -> list[ColumnError]:
        """Information that each column kept and lost, over its published records.

        Columns that are not generalised keep all, unless the algorithm changed their values.
        """
        return [
            column_error(
                column.take(self.rows), self.released.column(column.name), domain_of(column, self.domains)
            )
            for column in self.source.columns
        ]


def domains_of(
    table: Table, hierarchies: Mapping[str, Hierarchy], config: ReleaseConfig
) -> dict[str, Domain]:
    """Collect what labels mean; built hierarchies are not spelt out, they would list true values."""
    domains = {}
    for column in table.quasi_identifiers:
        rule = config.hierarchies.get(column.name)
        numeric = column.numbers is not None or (rule is not None and rule.builder == "intervals")
        whole = column.numbers is not None and bool((column.numbers == column.numbers.round()).all())
        if rule is not None and rule.builder == "file":
            domains[column.name] = Domain.of_hierarchy(hierarchies[column.name], numeric=numeric, whole=whole)
        else:
            domains[column.name] = Domain(name=column.name, numeric=numeric, whole=whole)
    return domains


def ground_of(ground: str, column: Column) -> str:
    """Return the ground distance for a column: categories have no order, so they are equally far apart."""
    return "equal" if ground == "ordered" and column.numbers is None else ground


def measures_of(
    released: Table,
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    owners: Whole | None = None,
) -> tuple[ModelMeasures, ...]:
    """Measure every sensitive column within the published classes; without one only k has a meaning."""
    classes = Classes.of_columns(released.quasi_identifiers)
    columns = released.sensitive or (without_sensitive(len(released)),)
    return tuple(column_measures(classes, column, columns, hierarchies, config, owners) for column in columns)


def column_measures(
    classes: Classes,
    column: Column,
    columns: Sequence[Column],
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    owners: Whole | None = None,
) -> ModelMeasures:
    """Measure one sensitive column; on request, only among records that also agree in the others.

    Parameters
    ----------
    classes : Classes
    column : Column
    columns : sequence of Column
        All sensitive columns, of the same records.
    hierarchies, config
        Those of the release; k always comes from the classes.
    owners : int64 array or None
        Person of each record, if a person can have several. Then people are counted, not records.
    """
    ground, wanted = ground_of(config.ground, column), config.requirement_of(column.name)
    tree = hierarchies.get(column.name)
    known = [other for other in columns if other.name != column.name] if config.multi_attribute else []
    measured = measure_models(
        ClassMatrix.of(beside_classes(classes, known) if known else classes, column, owners),
        column.name,
        ground=ground,
        hierarchy=tree.for_values(column.real) if tree is not None and ground == "hierarchical" else None,
        recursive_l=wanted.recursive_l,
        rho1=wanted.rho1,
    )
    return replace(measured, k=int(classes.crowds(owners).min()))


def without_sensitive(n: int) -> Column:
    """Stand in for a sensitive column in a table that has none."""
    return Column(
        name="(none)", role="sensitive", kind="categorical", values=("",), codes=np.zeros(n, dtype=np.int32)
    )
