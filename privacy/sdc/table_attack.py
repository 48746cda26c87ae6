"""What attackers learn from a published table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from privacy.arrays import Whole
from privacy.counted_nouns import counted
from privacy.library.shown_tables import Tabled, data_frame
from privacy.sdc.attacks import background_knowledge, homogeneous, link
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.published_labels import labels_domain
from privacy.sdc.published_table import published_table
from privacy.sdc.suppressed_rows import without_suppressed
from privacy.sdc.verification import column_names, count_alone
from privacy.tables.columns import ReadTable
from privacy.tables.decisions import Decisions

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


@dataclass(frozen=True, kw_only=True, repr=False)
class Attack(Tabled):
    """What attackers learn from a published table.

    Parameters
    ----------
    records : int
    people : int or None
        None if records were counted.
    targets : int
        People whom the attacker looks for.
    found, identified : int
        Targets who may be in the table, and who are the only candidate.
    fewest : int
        Smallest number of candidates of a target who may be in the table.
    certain, after_one : mapping of str to float
        By sensitive column: targets whose value becomes certain, and the largest probability that an attacker
        can give to a value after excluding one.
    alone : mapping of str to int
        Other columns, with the number of people whose value no one else has.
    decisions : Decisions
        What was decided when the table was read.
    """

    records: int
    people: int | None
    targets: int
    found: int
    identified: int
    fewest: int
    certain: Mapping[str, int]
    after_one: Mapping[str, float]
    alone: Mapping[str, int]
    decisions: Decisions = field(default_factory=Decisions)

    def to_frame(self) -> DataFrame:
        """Return one figure per row."""
        rows: dict[str, float] = {
            "targets": self.targets,
            "who may be in the table": self.found,
            "identified": self.identified,
            "fewest candidates": self.fewest,
            **{f"certain: {name}": count for name, count in self.certain.items()},
            **{f"probability after one exclusion: {name}": share for name, share in self.after_one.items()},
            **{f"alone: {name}": count for name, count in self.alone.items()},
        }
        return data_frame({"value": list(rows.values())}, index=list(rows), name="attack")

    def summary(self) -> str:
        """Return the result as text of several lines."""
        unit = "records" if self.people is None else "people"
        lines = [
            f"{counted(self.targets, 'target')}: {self.found:,} may be in the table, {self.identified:,} are "
            f"identified; at least {counted(self.fewest, 'candidate')} ({unit})"
        ]
        lines += [
            f"{name}: certain for {counted(count, 'target')}; after one exclusion, probable with up to "
            f"{100 * self.after_one[name]:.3g}%"
            for name, count in self.certain.items()
        ]
        if self.alone:
            listed = ", ".join(f"{name} ({count})" for name, count in self.alone.items())
            lines.append(f"columns with a value that no one else has: {listed}")
        return "\n".join([*lines, *map(str, self.decisions)])

    def __repr__(self) -> str:
        return (
            f"<{counted(self.targets, 'target')}, {self.identified:,} identified, "
            f"fewest candidates {self.fewest:,}>"
        )


def attack(
    read: ReadTable,
    *,
    quasi_identifiers: str | Sequence[str],
    sensitive: str | Sequence[str] = (),
    respondent: str | Sequence[str] = (),
    people: ReadTable | None = None,
) -> Attack:
    """Attack a published table: link people with it, and read off what their classes disclose.

    Parameters
    ----------
    read : ReadTable
        The published table.
    quasi_identifiers, sensitive, respondent
        As for `verify`.
    people : ReadTable or None
        What the attacker knows about people, in columns of the same names, before generalising. None for the
        worst case: the attacker knows everyone in the table by their published labels.

    Raises
    ------
    PrivacyError
        The errors of `published_table`; ``unknown_column.release``: the list shares no quasi-identifier.

    Examples
    --------
    >>> table = ReadTable.of_rows(["age", "ill"], [["[20,30)", "flu"], ["[20,30)", "flu"], ["40", "cold"]])
    >>> known = ReadTable.of_rows(["age"], [["25"], ["40"], ["70"]])
    >>> result = attack(table, quasi_identifiers="age", sensitive="ill", people=known)
    >>> result.found, result.identified, result.certain
    (2, 1, {'ill': 2})
    """
    quasi, protected, person = map(column_names, (quasi_identifiers, sensitive, respondent))
    table, owners = published_table(read, quasi_identifiers=quasi, sensitive=protected, respondent=person)
    table, owners = without_suppressed(table, owners)
    classes = Classes.of_columns(table.quasi_identifiers)
    crowds = classes.crowds(owners)
    certain, after_one = {}, {}
    candidates: list[int] = []
    for column in table.sensitive or (None,):
        others = [each for each in table.columns if each.role != "sensitive" or each is column]
        if people is not None:
            part = replace(table, columns=tuple(others))
            domains = {each.name: labels_domain(each.name, each.values) for each in table.quasi_identifiers}
            lists = {each.name: each.texts for each in people.columns}
            links = link(part, lists, domains, owners=owners)
            candidates = [each.candidates for each in links]
            disclosed = sum(each.disclosed for each in links)
        else:
            candidates = crowds[classes.number[_firsts(owners, len(table))]].tolist()
            disclosed = 0
        if column is None:
            continue
        matrix = ClassMatrix.of(classes, column, owners)
        if people is None:
            disclosed = sum(each.size for each in homogeneous(matrix, column.real))
        certain[column.name] = disclosed
        after_one[column.name] = background_knowledge(matrix, most_exclusions=1).certainty[1]
    found = [count for count in candidates if count]
    unchecked = {each.name: count_alone(each, owners) for each in table.columns if each.role == "insensitive"}
    return Attack(
        records=len(read),
        people=None if owners is None else len(np.unique(owners)),
        targets=len(candidates),
        found=len(found),
        identified=sum(count == 1 for count in found),
        fewest=min(found, default=0),
        certain=certain,
        after_one=after_one,
        alone={name: count for name, count in unchecked.items() if count},
        decisions=read.decisions,
    )


def _firsts(owners: Whole | None, n: int) -> Whole:
    """Return the first record of each person."""
    return np.arange(n) if owners is None else np.unique(owners, return_index=True)[1].astype(np.int64)
