"""Read attackers' beliefs and experts' utility matrices from text.

Beliefs: each line has the known facts about a person (any number of columns), a value of the sensitive
column, and how likely the attacker thinks it is. The first line names the columns. It can be left out if
nothing
is known::

    region,disease,belief
    north,flu,3
    north,cold,1
    *,flu,50
    *,cold,50

Only proportions matter, so shares, percentages and counts are equivalent. A star matches everyone, and a
column of numbers may have an interval such as ``[20,30)``. If several groups match a person, the first is
used.

Matrix (Zhu et al. 2010, section 3.1): the first line names the sensitive column and the generalised ones, in
any order. One line follows for each sensitive value. A cell is a number from 0 to 1, or one of the five
levels *very high* to *very low*::

    disease,age,work
    flu,very high,0.3
    cold,0.8,low
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.sdc.bayes_beliefs import BeliefAudit, belief_audit
from privacy.sdc.classes import Classes
from privacy.sdc.published_labels import Domain, Interval
from privacy.sdc.requirements import Requirement
from privacy.sdc.table import Column, Table
from privacy.sdc.utility_matrix import LEVELS
from privacy.tables.header import safe_text
from privacy.validation import finite_number, number_text
from surveys.errors.error import SurveyError

ANYBODY: Final = "*"
MOST_LINES: Final = 10_000


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
    lines = lines_of(text)
    if not 0 < len(lines) <= MOST_LINES:
        raise SurveyError("beliefs.lines", len(lines), name=sensitive, most=MOST_LINES)
    header = lines[0][1]
    if _weight(header[-1]) is None and len(header) > 1 and header[-2] == sensitive:
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
        weight = _weight(row[-1])
        if weight is None or weight < 0:
            raise SurveyError("beliefs.weight", row[-1][:40], name=sensitive, row=number)
        rows = groups.setdefault(tuple(row[:-2]), {})
        if row[-2] in rows:
            raise SurveyError("beliefs.twice", row[-2][:40], name=sensitive, row=number)
        rows[row[-2]] = weight
    return Attacker(sensitive=sensitive, known=names, groups=groups)


def lines_of(text: str) -> list[tuple[int, list[str]]]:
    """Split each nonempty line at commas or semicolons, also Chinese ones; return its number and its cells.

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


def text_of_file(path: Path, case: str) -> str:
    """Read a text file; `case` is the code of the error."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SurveyError(case, str(path), path=path, error=error) from error


def _weight(text: str) -> float | None:
    return finite_number(text.removesuffix("%"))


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


def belief_line(name: str, audit: BeliefAudit, *, unit: str = "records") -> str:
    """Return the line that a command prints about an audit; `unit` is the unit of its counts."""
    return (
        f"beliefs about {name}: {audit.people} {unit}, {audit.breached} breached ({audit.rho1:g} to "
        f"{audit.rho2:g}), {audit.certain} nearly certain, {audit.excluded} nearly excluded; mean belief in "
        f"the true value {audit.truth_before:.3f} before and {audit.truth_after:.3f} after, strongest belief "
        f"{audit.strongest_before:.3f} and {audit.strongest_after:.3f}; largest change "
        f"{audit.largest_change:.3f}"
    )


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
        numeric = field.numbers is not None or all(_weight(text) is not None for text in field.values if text)
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


def plain_value(column: Column, value: str) -> str:
    """Return a value as its column writes it; numbers are normalised."""
    number = _weight(value) if column.numbers is not None else None
    return value if number is None else number_text(number)


Cells = Mapping[str, float | str]


@dataclass(frozen=True, kw_only=True)
class ExpertMatrix:
    """Utility matrix of one sensitive column.

    Parameters
    ----------
    rows : mapping of str to mapping of str to (float or str)
        Utility of each generalised column, by sensitive value: a number in [0, 1], or the name of a level.
    sensitive : str
        The sensitive column; "" for the first one.
    """

    rows: Mapping[str, Cells]
    sensitive: str = ""


def matrix_read(text: str) -> ExpertMatrix:
    """Read a matrix.

    Raises
    ------
    SurveyError
        ``matrix.lines``, ``matrix.header``, ``matrix.cells`` or ``matrix.twice``.

    Examples
    --------
    >>> matrix_read("disease,age\\nflu,0.5\\ncold,low").rows
    {'flu': {'age': '0.5'}, 'cold': {'age': 'low'}}
    """
    lines = lines_of(text)
    if not 1 < len(lines) <= MOST_LINES:
        raise SurveyError("matrix.lines", len(lines), most=MOST_LINES)
    header = lines[0][1]
    if len(header) < 2 or len(set(header)) < len(header):
        raise SurveyError("matrix.header", ", ".join(header)[:80])
    rows: dict[str, Cells] = {}
    for number, (value, *cells) in lines[1:]:
        if len(cells) != len(header) - 1:
            raise SurveyError("matrix.cells", len(cells) + 1, row=number, count=len(header))
        if value in rows:
            raise SurveyError("matrix.twice", value[:40], row=number)
        rows[value] = dict(zip(header[1:], cells, strict=True))
    return ExpertMatrix(rows=rows, sensitive=header[0])


def matrix_text(sensitive: str, columns: Sequence[str], rows: Mapping[str, Sequence[str]]) -> str:
    """Write a matrix in the format of `matrix_read`, so that no spreadsheet takes a value for a formula.

    Examples
    --------
    >>> matrix_text("disease", ["age"], {"flu": ["0.5"]})
    'disease,age\\nflu,0.5\\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([sensitive, *columns])
    writer.writerows([safe_text(value), *cells] for value, cells in rows.items())
    return text.getvalue()


def matrix_of(matrix: ExpertMatrix, sensitive: Column, names: Sequence[str]) -> Array:
    """Return the utilities as an array, shape (values of the column, names).

    Parameters
    ----------
    matrix : ExpertMatrix
    sensitive : Column
        Column whose values are the rows.
    names : sequence of str
        The generalised columns.

    Raises
    ------
    SurveyError
        ``matrix.about``: it is about another column; ``matrix.column``: a column is not generalised;
        ``matrix.column_missing``; ``matrix.value``: no record has a value; ``matrix.missing``: a value has no
        line; ``matrix.cell``: a cell is neither a number from 0 to 1 nor a level; ``matrix.nothing``: all
        utilities of a value are 0.
    """
    if matrix.sensitive not in ("", sensitive.name):
        raise SurveyError("matrix.about", matrix.sensitive, name=sensitive.name)
    # A value that begins like a formula may have the prefix that keeps spreadsheets from running it.
    value_of = {safe_text(value): value for value in sensitive.values} | {
        value: value for value in sensitive.values
    }
    rows: dict[str, list[float]] = {}
    for text, cells in matrix.rows.items():
        value = value_of.get(plain_value(sensitive, text))
        if value is None:
            raise SurveyError("matrix.value", text[:40], name=sensitive.name)
        for name in cells:
            if name not in names:
                raise SurveyError("matrix.column", name, known=", ".join(names))
        for name in names:
            if name not in cells:
                raise SurveyError("matrix.column_missing", name, row=value)
        rows[value] = [_utility(cells[name], value, name) for name in names]
        if not any(rows[value]):
            raise SurveyError("matrix.nothing", value[:40], name=sensitive.name)
    for value in sensitive.values:
        if value not in rows:
            raise SurveyError("matrix.missing", value[:40], name=sensitive.name)
    return np.array([rows[value] for value in sensitive.values])


def matrix_lines(
    matrix: ExpertMatrix | None, source: Table, release: Table | None = None
) -> dict[str, dict[str, float]]:
    """Return an expert's matrix by value and column, for display; empty if there is none.

    Parameters
    ----------
    matrix : ExpertMatrix or None
    source : Table
    release : Table or None
        If given, values that it does not contain are left out.
    """
    if matrix is None:
        return {}
    column, names = source.sensitive[0], [identifier.name for identifier in source.quasi_identifiers]
    visible = set(column.values)
    if release is not None:
        new_column = release.column(column.name)
        visible &= {new_column.values[code] for code in np.unique(new_column.codes).tolist()}
    rows = zip(column.values, matrix_of(matrix, column, names).tolist(), strict=True)
    return {value: dict(zip(names, row, strict=True)) for value, row in rows if value in visible}


def _utility(cell: float | str, value: str, name: str) -> float:
    utility: float | None = None
    if isinstance(cell, str):
        utility = LEVELS.get(cell.strip().casefold())
    if utility is None:
        try:
            utility = float(cell)
        except ValueError:
            utility = -1.0
    if not 0 <= utility <= 1:
        raise SurveyError("matrix.cell", cell, row=value[:40], name=name)
    return utility
