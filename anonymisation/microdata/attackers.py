"""Attackers' beliefs as text, and the effect of a release on them.

Lines of cells: what is known of a person (none, one or several columns), a value of the sensitive column, and
how likely it is held to be. The first line names the columns; where nothing is known it may be left out::

    region,disease,belief
    north,flu,3
    north,cold,1
    *,flu,50
    *,cold,50

Only proportions count: shares, percent and counts say the same. A star stands for anybody, and a column of
numbers may have an interval such as ``[20,30)``. Of several groups that fit a person the first one counts.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.sdc import Classes, Table
from privacy.sdc.bayes_beliefs import BeliefAudit, belief_audit
from privacy.sdc.labels import Domain, Interval
from privacy.sdc.requirements import Requirement
from privacy.sdc.table import Column, finite_number, number_text
from surveys.errors.error import SurveyError

__all__ = [
    "Attacker",
    "attacker_audit",
    "attacker_check",
    "attacker_read",
    "belief_line",
    "beliefs_text",
    "lines_of",
    "plain_value",
]

ANYBODY: Final = "*"
MOST_LINES: Final = 10_000


@dataclass(frozen=True, kw_only=True)
class Attacker:
    """Belief of an attacker about one sensitive column.

    Parameters
    ----------
    sensitive : str
    known : tuple of str
        Columns that they know of a person; beliefs differ by them.
    groups : mapping of tuple of str to mapping of str to float
        By the cells of `known` the weight of each value, at least 0; in the order of the text.
    """

    sensitive: str
    known: tuple[str, ...]
    groups: Mapping[tuple[str, ...], Mapping[str, float]]


def attacker_read(sensitive: str, text: str) -> Attacker:
    """Read beliefs about a column.

    Raises
    ------
    SurveyError
        ``beliefs.lines``, ``beliefs.header``, ``beliefs.cells``, ``beliefs.weight`` or ``beliefs.twice``.

    Examples
    --------
    >>> attacker_read("disease", "flu, 3\\ncold, 1").groups
    {(): {'flu': 3.0, 'cold': 1.0}}
    """
    lines = lines_of(text)
    if not 0 < len(lines) <= MOST_LINES:
        raise SurveyError("beliefs.lines", len(lines), name=sensitive, most=MOST_LINES)
    header = lines[0][1]
    if _weight(header[-1]) is None and len(header) > 1 and header[-2] == sensitive:
        known = tuple(header[:-2])
        lines = lines[1:]
    elif len(header) == 2:
        known = ()
    else:
        raise SurveyError("beliefs.header", ", ".join(header)[:80], name=sensitive)
    groups: dict[tuple[str, ...], dict[str, float]] = {}
    for number, row in lines:
        if len(row) != len(known) + 2:
            raise SurveyError("beliefs.cells", len(row), name=sensitive, row=number, count=len(known) + 2)
        weight = _weight(row[-1])
        if weight is None or weight < 0:
            raise SurveyError("beliefs.weight", row[-1][:40], name=sensitive, row=number)
        held = groups.setdefault(tuple(row[:-2]), {})
        if row[-2] in held:
            raise SurveyError("beliefs.twice", row[-2][:40], name=sensitive, row=number)
        held[row[-2]] = weight
    return Attacker(sensitive=sensitive, known=known, groups=groups)


def lines_of(text: str) -> list[tuple[int, list[str]]]:
    """Return the cells of each line that has any, with its number; commas or semicolons, also Chinese ones.

    Examples
    --------
    >>> lines_of("flu; 3\\n\\ncold; 1")
    [(1, ['flu', '3']), (3, ['cold', '1'])]
    """
    text = text.replace("\uff0c", ",").replace("\uff1b", ";").removeprefix("\ufeff")
    first = text.lstrip("\r\n").partition("\n")[0]
    separator = ";" if first.count(";") > first.count(",") else ","
    return [
        (number, [cell.strip() for cell in row])
        for number, row in enumerate(csv.reader(text.splitlines(), delimiter=separator), start=1)
        if any(cell.strip() for cell in row)
    ]


def beliefs_text(path: Path) -> str:
    """Read the file of an attacker's beliefs.

    Raises
    ------
    SurveyError
        ``beliefs.file``.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SurveyError("beliefs.file", str(path), path=path, error=error) from error


def _weight(text: str) -> float | None:
    return finite_number(text.removesuffix("%"))


def attacker_check(attacker: Attacker, table: Table) -> None:
    """Refuse beliefs that do not fit a table, before any work is done.

    Raises
    ------
    SurveyError
        ``beliefs.column``: what is known is no generalised column; ``beliefs.value``: a value that the column
        does not have; ``beliefs.missing``: a value without a belief; ``beliefs.nobody``: beliefs of a group
        that are all 0; ``beliefs.group``: people of whom nothing is believed.
    """
    names = [column.name for column in table.quasi_identifiers]
    for name in attacker.known:
        if name not in names:
            raise SurveyError("beliefs.column", name, name=attacker.sensitive, known=", ".join(names))
    column = table.column(attacker.sensitive)
    for cells, held in attacker.groups.items():
        said = {plain_value(column, value) for value in held}
        for value in sorted(said - set(column.values)):
            raise SurveyError("beliefs.value", value[:40], name=attacker.sensitive)
        for value in column.values:
            if value not in said:
                raise SurveyError(
                    "beliefs.missing", value[:40], name=attacker.sensitive, group=", ".join(cells) or ANYBODY
                )
        if not sum(held.values()):
            raise SurveyError("beliefs.nobody", ", ".join(cells) or ANYBODY, name=attacker.sensitive)
    _supplied(attacker, table, Classes.of_columns(table.quasi_identifiers))


def attacker_audit(
    attacker: Attacker, source: Table, classes: Classes, requirement: Requirement
) -> BeliefAudit:
    """Measure the effect of a release on an attacker's beliefs.

    Parameters
    ----------
    attacker : Attacker
    source : Table
        The published records as they were; of a table that is only checked, as it is.
    classes : Classes
        Of the same records, as published.
    requirement : Requirement
        Whose rho1 and rho2 are counted by, where it has them.

    Raises
    ------
    PrivacyError
        ``prior.excluded``: somebody held for impossible what some class shows.
    """
    combinations = Classes.of_columns(source.quasi_identifiers)
    supplied = _supplied(attacker, source, combinations)
    bounds: dict[str, Any] = {}
    if requirement.rho1 is not None and requirement.rho2 is not None:
        bounds = {"rho1": requirement.rho1, "rho2": requirement.rho2}
    return belief_audit(combinations, classes, source.column(attacker.sensitive), supplied, **bounds)


def belief_line(name: str, audit: BeliefAudit, *, counted: str = "records") -> str:
    """Return what a command prints of an audit; `counted` says what its counts are of."""
    return (
        f"beliefs about {name}: {audit.people} {counted}, {audit.breached} breached "
        f"({audit.rho1:g} to {audit.rho2:g}), {audit.certain} nearly certain, "
        f"{audit.excluded} nearly excluded; "
        f"mean belief in the true value {audit.truth_before:.3f} before and {audit.truth_after:.3f} after, "
        f"strongest belief {audit.strongest_before:.3f} and {audit.strongest_after:.3f}; "
        f"largest change {audit.largest_change:.3f}"
    )


def _supplied(attacker: Attacker, table: Table, combinations: Classes) -> Array:
    """Return f(s | q) of each combination, rows summing to 1."""
    column = table.column(attacker.sensitive)
    code_of = {value: number for number, value in enumerate(column.values)}
    shares = np.zeros((len(attacker.groups), len(column.values)))
    for group, held in enumerate(attacker.groups.values()):
        for value, weight in held.items():
            # A value that nobody has any more among the published records cannot be theirs.
            if (number := code_of.get(plain_value(column, value))) is not None:
                shares[group, number] = weight
    totals = shares.sum(axis=1, keepdims=True)
    if not totals.all():
        raise PrivacyError("prior.excluded", 0)
    shares /= totals
    fits = np.ones((len(attacker.groups), combinations.count), dtype=np.bool_)
    _, first = np.unique(combinations.number, return_index=True)
    for position, name in enumerate(attacker.known):
        known = table.column(name)
        numeric = known.numbers is not None or all(_weight(text) is not None for text in known.values if text)
        for group, cells in enumerate(attacker.groups):
            holds = np.array([_holds(name, cells[position], text, numeric) for text in known.values])
            fits[group] &= holds[known.codes[first]]
    if not fits.any(axis=0).all():
        combination = int(np.argmin(fits.any(axis=0)))
        lacking = [table.column(name).texts[int(first[combination])] for name in attacker.known]
        raise SurveyError("beliefs.group", ", ".join(lacking)[:80], name=attacker.sensitive)
    return np.asarray(shares[fits.argmax(axis=0)])


def _holds(name: str, cell: str, text: str, numeric: bool) -> bool:
    if cell in (ANYBODY, text):
        return True
    if not numeric or not text or not cell:
        return False
    try:
        meaning = Domain(name=name, numeric=True).meaning(cell)
    except PrivacyError:
        return False
    return isinstance(meaning, Interval) and meaning.holds(float(text))


def plain_value(column: Column, value: str) -> str:
    """Return a value as its column writes it: a number of a column of numbers in one form only."""
    number = _weight(value) if column.numbers is not None else None
    return value if number is None else number_text(number)
