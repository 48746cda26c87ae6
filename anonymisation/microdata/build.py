"""A release in memory, with its measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from anonymisation.microdata.config import ReleaseConfig
from privacy.arrays import Whole
from privacy.sdc.attacks import homogeneous
from privacy.sdc.classes import Classes, ClassMatrix, split_classes
from privacy.sdc.column_accuracy import ColumnError, column_error
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.information_loss import Loss
from privacy.sdc.lattice import Lattice, NodeReport
from privacy.sdc.lattice_tradeoff import Tradeoff
from privacy.sdc.published_labels import Domain, domain_of
from privacy.sdc.requirements import ModelMeasures, Verdict, measure_models
from privacy.sdc.table import Column, Table, without_sensitive
from privacy.sdc.unit import Counting


@dataclass(frozen=True, kw_only=True, eq=False)
class Build:
    """A release in memory.

    Parameters
    ----------
    source : Table
        The table that was read.
    table : Table
        The published columns. Records are still in the order of the source; they are shuffled when written.
    rows : int64 array
        Records of the source that are published.
    people : int64 array or None
        Person of each record of the source, if people can have several.
    loss : Loss
        Information lost by generalising.
    measures, verdicts
        Models reached by each sensitive column, from the published labels, and compared with the bounds.
    changed : int
        Records whose sensitive value was changed.
    seconds : float
        Time taken by the grouping.
    config : ReleaseConfig
        The requested configuration.
    domains : mapping of str to Domain
        Possible meanings of the published labels.
    notes : tuple of str
        Notes that the report must include.
    lattice, node, tradeoff
        Results of global recoding, else None.
    own_ilp : float or None
        Loss weighted by each record's own sensitive value, if requested.
    counting : Counting or None
        Whether people or records are counted, and why; None before it is published.
    """

    source: Table
    table: Table
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
    counting: Counting | None = None

    @property
    def classes(self) -> Classes:
        """Classes of the published labels."""
        return Classes.of_columns(self.table.quasi_identifiers)

    @property
    def owners(self) -> Whole | None:
        """Person of each published record, if people can have several."""
        return None if self.people is None else self.people[self.rows]

    @property
    def published_people(self) -> int | None:
        """Number of people whose records are published; None if each record belongs to a different person."""
        return None if self.owners is None else len(np.unique(self.owners))

    def certain_of(self, column: Column, others: Sequence[Column] = ()) -> int:
        """Count people, or records, whose value is certain to someone who knows their class and `others`."""
        matrix = ClassMatrix.of(split_classes(self.classes, others), column, self.owners)
        certain = sum(cls.size for cls in homogeneous(matrix, column.real))
        # A person can be counted more than once, in different classes.
        return min(certain, self.published_people or certain)

    @property
    def classes_before(self) -> Classes:
        """Classes of the published records before generalisation."""
        return Classes.of_columns(self.source.take(self.rows).quasi_identifiers)

    @property
    def errors(self) -> list[ColumnError]:
        """Information that each column kept and lost, over its published records.

        Columns that are not generalised keep all their information, unless the algorithm changed their
        values.
        """
        return [
            column_error(
                column.take(self.rows), self.table.column(column.name), domain_of(column, self.domains)
            )
            for column in self.source.columns
        ]


def domains_of(
    table: Table, hierarchies: Mapping[str, Hierarchy], config: ReleaseConfig
) -> dict[str, Domain]:
    """Collect the meanings of labels; lists of built hierarchies are left out, as they show true values."""
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
    """Return the ground distance for a column; categories have no order, so all are equally far apart."""
    return "equal" if ground == "ordered" and column.numbers is None else ground


def measures_of(
    release: Table, hierarchies: Mapping[str, Hierarchy], config: ReleaseConfig, owners: Whole | None = None
) -> tuple[ModelMeasures, ...]:
    """Measure every sensitive column within the published classes; without one, only k is meaningful."""
    classes = Classes.of_columns(release.quasi_identifiers)
    columns = release.sensitive or (without_sensitive(len(release)),)
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
        Hierarchies and configuration of the release; k always comes from the classes.
    owners : int64 array or None
        Person of each record, if a person can have several. Then people are counted, not records.
    """
    ground, requirement = ground_of(config.ground, column), config.requirement_of(column.name)
    tree = hierarchies.get(column.name)
    other_columns = (
        [other for other in columns if other.name != column.name] if config.multi_attribute else []
    )
    result = measure_models(
        ClassMatrix.of(split_classes(classes, other_columns) if other_columns else classes, column, owners),
        column.name,
        ground=ground,
        hierarchy=tree.for_values(column.real) if tree is not None and ground == "hierarchical" else None,
        recursive_l=requirement.recursive_l,
        rho1=requirement.rho1,
    )
    return replace(result, k=int(classes.crowds(owners).min()))
