"""Attackers' beliefs: read them from text, and measure what a release changes.

Each line has the known facts about a person (any number of columns), a value of the sensitive column, and how
likely the attacker thinks it is. The first line names the columns. It can be left out if nothing is known::

    region,disease,belief
    north,flu,3
    north,cold,1
    *,flu,50
    *,cold,50

Only proportions matter, so shares, percentages and counts are equivalent. A star matches everyone, and a
column of numbers may have an interval such as ``[20,30)``. If several groups match a person, the first is
used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from anonymisation.microdata.text_lines import MOST_LINES, cell_number, numbered_lines, plain_value
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.sdc.bayes_beliefs import BeliefAudit, belief_audit
from privacy.sdc.classes import Classes
from privacy.sdc.published_labels import Domain, Interval
from privacy.sdc.requirements import Requirement
from privacy.sdc.table import Table
from surveys.errors.error import SurveyError

ANYBODY: Final = "*"


@dataclass(frozen=True, kw_only=True)
class Attacker:
    """Belief of an attacker about one sensitive column.

    Parameters
    ----------
    sensitive : str
    known : tuple of str
        Columns that the attacker knows about a person, and on which beliefs depend.
    groups : mapping of tuple of str to mapping of str to float
        Weight of each sensitive value, at least 0, by the cells of `known`, in the order of the text.
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
    lines = numbered_lines(text)
    if not 0 < len(lines) <= MOST_LINES:
        raise SurveyError("beliefs.lines", len(lines), name=sensitive, most=MOST_LINES)
    header = lines[0][1]
    if cell_number(header[-1]) is None and len(header) > 1 and header[-2] == sensitive:
        names = tuple(header[:-2])
        lines = lines[1:]
    elif len(header) == 2:
        names = ()
    else:
        raise SurveyError("beliefs.header", ", ".join(header)[:80], name=sensitive)
    groups: dict[tuple[str, ...], dict[str, float]] = {}
    for number, row in lines:
        if len(row) != len(names) + 2:
            raise SurveyError("beliefs.cells", len(row), name=sensitive, row=number, count=len(names) + 2)
        weight = cell_number(row[-1])
        if weight is None or weight < 0:
            raise SurveyError("beliefs.weight", row[-1][:40], name=sensitive, row=number)
        rows = groups.setdefault(tuple(row[:-2]), {})
        if row[-2] in rows:
            raise SurveyError("beliefs.twice", row[-2][:40], name=sensitive, row=number)
        rows[row[-2]] = weight
    return Attacker(sensitive=sensitive, known=names, groups=groups)


def attacker_check(attacker: Attacker, table: Table) -> None:
    """Refuse beliefs that do not fit a table.

    Raises
    ------
    SurveyError
        ``beliefs.column``: a known fact is not about a generalised column; ``beliefs.value``: a value that
        the column does not have; ``beliefs.missing``: a value without a belief; ``beliefs.nobody``: beliefs
        of a group that are all 0; ``beliefs.group``: people without any belief.
    """
    names = [column.name for column in table.quasi_identifiers]
    for name in attacker.known:
        if name not in names:
            raise SurveyError("beliefs.column", name, name=attacker.sensitive, known=", ".join(names))
    column = table.column(attacker.sensitive)
    for cells, beliefs in attacker.groups.items():
        values_of = {plain_value(column, value) for value in beliefs}
        for value in sorted(values_of - set(column.values)):
            raise SurveyError("beliefs.value", value[:40], name=attacker.sensitive)
        for value in column.values:
            if value not in values_of:
                raise SurveyError(
                    "beliefs.missing", value[:40], name=attacker.sensitive, group=", ".join(cells) or ANYBODY
                )
        if not sum(beliefs.values()):
            raise SurveyError("beliefs.nobody", ", ".join(cells) or ANYBODY, name=attacker.sensitive)
    _prior_shares(attacker, table, Classes.of_columns(table.quasi_identifiers))


def attacker_audit(
    attacker: Attacker, source: Table, classes: Classes, requirement: Requirement
) -> BeliefAudit:
    """Measure the effect of a release on an attacker's beliefs.

    Parameters
    ----------
    attacker : Attacker
    source : Table
        The published records before generalisation; for a table that is only checked, the table itself.
    classes : Classes
        Published classes of the same records.
    requirement : Requirement
        Breaches of its rho1 and rho2, if any, are counted.

    Raises
    ------
    PrivacyError
        ``prior.excluded``: the attacker considers a value impossible that occurs in some class.
    """
    combinations = Classes.of_columns(source.quasi_identifiers)
    priors = _prior_shares(attacker, source, combinations)
    bounds: dict[str, Any] = {}
    if requirement.rho1 is not None and requirement.rho2 is not None:
        bounds = {"rho1": requirement.rho1, "rho2": requirement.rho2}
    return belief_audit(combinations, classes, source.column(attacker.sensitive), priors, **bounds)


def _prior_shares(attacker: Attacker, table: Table, combinations: Classes) -> Array:
    """Return f(s | q) of each combination, rows summing to 1."""
    column = table.column(attacker.sensitive)
    code_of = {value: number for number, value in enumerate(column.values)}
    shares = np.zeros((len(attacker.groups), len(column.values)))
    for group, beliefs in enumerate(attacker.groups.values()):
        for value, weight in beliefs.items():
            # Values that no published record has are skipped, since no person in the table can have them.
            if (number := code_of.get(plain_value(column, value))) is not None:
                shares[group, number] = weight
    totals = shares.sum(axis=1, keepdims=True)
    if not totals.all():
        raise PrivacyError("prior.excluded", 0)
    shares /= totals
    fits = np.ones((len(attacker.groups), combinations.count), dtype=np.bool_)
    _, first = np.unique(combinations.number, return_index=True)
    for position, name in enumerate(attacker.known):
        field = table.column(name)
        numeric = field.numbers is not None or all(
            cell_number(text) is not None for text in field.values if text
        )
        for group, cells in enumerate(attacker.groups):
            holds = np.array([_matches(name, cells[position], text, numeric) for text in field.values])
            fits[group] &= holds[field.codes[first]]
    if not fits.any(axis=0).all():
        combination = int(np.argmin(fits.any(axis=0)))
        lacking = [table.column(name).texts[int(first[combination])] for name in attacker.known]
        raise SurveyError("beliefs.group", ", ".join(lacking)[:80], name=attacker.sensitive)
    return np.asarray(shares[fits.argmax(axis=0)])


def _matches(name: str, cell: str, text: str, numeric: bool) -> bool:
    if cell in (ANYBODY, text):
        return True
    if not numeric or not text or not cell:
        return False
    try:
        meaning = Domain(name=name, numeric=True).meaning(cell)
    except PrivacyError:
        return False
    return isinstance(meaning, Interval) and meaning.holds(float(text))
