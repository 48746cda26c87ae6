"""Turn the choices on the pages into the configuration of a release: groups of values, bounds, the plan file.

Groups of categories are written as indented text (`anonymisation.microdata.hierarchies`). Intervals of
numbers are written as lines of ends, where each line joins intervals of the line above. Numbers below the
first end form one interval, and so do numbers from the last end on::

    18, 25, 35, 50, 65
    18, 35, 65
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from anonymisation.microdata.classifications import known_groups
from anonymisation.microdata.config import (
    DRAWN,
    PEOPLE,
    HierarchyRule,
    ReleaseConfig,
    config_read,
    hierarchies_read,
)
from anonymisation.microdata.expert_matrix import ExpertMatrix, matrix_read
from anonymisation.microdata.hierarchies import STEP, tree_leaves, tree_text
from anonymisation.releases.typed_texts import DraftTexts
from privacy.errors import PrivacyError
from privacy.sdc.hierarchy import Hierarchy, beginnings, paths_hierarchy
from privacy.sdc.table import Table
from privacy.tables.columns import ReadTable
from privacy.tables.values import SPANS
from privacy.validation import finite_number, number_text
from surveys.errors.error import SurveyError, sentences


def refuse_all(*checks: Callable[[], Any]) -> list[Any]:
    """Run every check, and return their results.

    Raises
    ------
    PrivacyError
        The error, if one check failed; ``release.problems`` lists the errors if several failed.
    """
    results, problems = [], []
    for check in checks:
        try:
            results.append(check())
        except PrivacyError as error:
            problems.append(error)
    raise_all(problems)
    return results


def raise_all(problems: Sequence[PrivacyError]) -> None:
    """Raise the error if there is one, or ``release.problems`` with the messages of several."""
    if len(problems) == 1:
        raise problems[0]
    if problems:
        texts = dict.fromkeys(sentences(error) for error in problems)
        raise SurveyError("release.problems", len(texts), problems=" ".join(texts))


def tree_read(name: str, text: str, values: Sequence[str]) -> Hierarchy:
    """Read the tree of a column.

    Parameters
    ----------
    name : str
    text : str
        One group or value per line.
    values : sequence of str
        Values of the column; each must be a leaf.

    Raises
    ------
    SurveyError
        ``release.tree``: a line is indented too far; ``release.tree_twice``; ``release.tree_missing``: a
        value is missing from the tree, or has other values below it.

    Examples
    --------
    >>> tree_read("work", "public\\n  city\\n  state\\nown", ["city", "own"]).rows()
    [('city', 'public', '*'), ('own', 'own', '*')]
    """
    # A missing value has an empty name, which no line can have, so it gets a leaf below the root.
    leaves = {"": (), **tree_leaves(name, text)}
    absent = [value for value in values if value not in leaves]
    if absent:
        raise SurveyError("release.tree_missing", absent[0], name=name, count=len(absent))
    return paths_hierarchy(name, {value: leaves[value] for value in values})


def propose_tree(name: str, values: Sequence[str]) -> str:
    """Propose a tree: by a known classification, a sign such as "-", or first characters, or without groups.

    Examples
    --------
    >>> print(propose_tree("born", ["2021-05", "2021-04"]))
    2020s
      2021
        2021 Q2
          2021-04
          2021-05
    >>> print(propose_tree("work", ["a-1", "a-2", "a-3", "b-1", "b-2", "b-3"]))
    a …
      a-1
      a-2
      a-3
    b …
      b-1
      b-2
      b-3
    """
    leaves = sorted(values)
    if branches := known_groups(name, leaves):
        return tree_text(branches)
    if groups := beginnings(leaves):
        lines = []
        for group, group_values in groupby(leaves, key=lambda value: groups[value]):
            lines += [group, *(" " * STEP + value for value in group_values)]
        return "\n".join(lines)
    return "\n".join(leaves)


def values_of(column: Mapping[str, Any], table: ReadTable) -> list[str]:
    """Return the distinct values that a column's tree must contain, with "" if missing counts as a value."""
    values = set(table.column(column["name"]).values)
    return sorted(values if column["policy"] == "value" else values - {""})


def trees_read(
    texts: Mapping[str, str], columns: Sequence[Mapping[str, Any]], table: ReadTable
) -> dict[str, Hierarchy]:
    """Read the trees of the columns whose categories are generalised; other columns need none."""
    read = {
        column["name"]: partial(tree_read, column["name"], texts[column["name"]], values_of(column, table))
        for column in columns
        if column["name"] in texts and _has_tree(column)
    }
    return dict(zip(read, refuse_all(*read.values()), strict=True))


def tree_texts(
    texts: Mapping[str, str], columns: Sequence[Mapping[str, Any]], table: ReadTable
) -> dict[str, str]:
    """Return the tree of each column whose categories are generalised: the stored text, or a proposal."""
    return {
        column["name"]: texts.get(column["name"])
        or propose_tree(column["name"], [value for value in values_of(column, table) if value])
        for column in columns
        if _has_tree(column)
    }


def _has_tree(column: Mapping[str, Any]) -> bool:
    return column["role"] == "quasi_identifier" and column["kind"] not in ("numeric", "year")


MOST_ENDS: Final = 60
"""Largest number of ends on a line; more would hardly group anything."""
MOST_LEVELS: Final = 8
_PARTS: Final = 20
"""Approximate number of intervals on the finest proposed level."""
_BETWEEN: Final = re.compile(r"[\s,;\uff0c\uff1b\u3001]+")
"""Blanks, commas and semicolons, also Chinese ones."""

Ends = tuple[tuple[float, ...], ...]


def ends_read(name: str, text: str, least: float, largest: float) -> Ends:
    """Read the ends of a column's intervals.

    Parameters
    ----------
    name : str
    text : str
        One line per level.
    least, largest : float
        Smallest and largest number of the column.

    Raises
    ------
    SurveyError
        ``release.ends_number``: an end is not a number; ``release.ends_order``: a line does not ascend;
        ``release.ends_range``: an end separates no numbers of the column (one below all numbers and one above
        are allowed); ``release.ends_many``, ``release.ends_levels``: too many ends on a line, or too many
        lines; ``release.ends_inside``: a line splits an interval of the line above.

    Examples
    --------
    >>> ends_read("age", "18, 25, 35, 50, 65\\n18 35 65", 17, 90)
    ((18.0, 25.0, 35.0, 50.0, 65.0), (18.0, 35.0, 65.0))
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) > MOST_LEVELS:
        raise SurveyError("release.ends_levels", len(lines), name=name, most=MOST_LEVELS)
    levels: list[tuple[float, ...]] = []
    for row, line in lines:
        ends = tuple(
            _number(name, row, part) for part in _BETWEEN.split(line.strip(" \t,;\uff0c\uff1b\u3001"))
        )
        if len(ends) > MOST_ENDS:
            raise SurveyError("release.ends_many", len(ends), name=name, row=row, most=MOST_ENDS)
        for before, end in pairwise(ends):
            if not before < end:
                raise SurveyError(
                    "release.ends_order", number_text(end), name=name, row=row, before=number_text(before)
                )
        for end in _outside(ends, least, largest):
            raise SurveyError(
                "release.ends_range",
                number_text(end),
                name=name,
                row=row,
                least=number_text(least),
                largest=number_text(largest),
            )
        if levels:
            above = set(levels[-1])
            for end in ends:
                if least < end <= largest and end not in above:
                    raise SurveyError("release.ends_inside", number_text(end), name=name, row=row)
        levels.append(ends)
    return tuple(levels)


def _number(name: str, row: int, text: str) -> float:
    number = finite_number(text)
    if number is None:
        raise SurveyError("release.ends_number", text[:40], name=name, row=row)
    return number


def _outside(ends: Sequence[float], least: float, largest: float) -> Iterator[float]:
    """Yield ends that have all numbers on one side, except the one such end that each side may have."""
    below = [end for end in ends if end <= least]
    above = [end for end in ends if end > largest]
    yield from below[:-1]
    yield from above[1:]
    if len(below) + len(above) == len(ends):
        yield from ends


class Span(NamedTuple):
    """Smallest and largest number of a column, and whether all its numbers are whole."""

    least: float
    largest: float
    whole: bool = False


def interval_widths(span: float, *, whole: bool = False) -> tuple[float, ...]:
    """Return round interval widths, each a multiple of the one before; for whole numbers, whole widths.

    Examples
    --------
    >>> interval_widths(73.0)
    (5.0, 10.0, 20.0, 40.0)
    >>> interval_widths(3.0), interval_widths(3.0, whole=True)
    ((0.2, 0.4, 0.8, 1.6), (1.0, 2.0))
    >>> interval_widths(0.0)
    (1.0,)
    """
    if span <= 0:
        return (1.0,)
    step = 1.0
    while step * _PARTS < span:
        step *= 10
    while step * _PARTS >= 10 * span:
        step /= 10
    first = next(step * part / 10 for part in (1, 2, 5, 10) if step * part / 10 * _PARTS >= span)
    widths = [max(first, 1.0) if whole else first]
    while widths[-1] * 2 < span:
        widths.append(widths[-1] * 2)
    return tuple(widths)


def propose_ends(least: float, largest: float, whole: bool = False) -> str:
    """Propose ends of intervals with the widths of `interval_widths`.

    Examples
    --------
    >>> propose_ends(0, 10).splitlines()[-2:]
    ['0, 4, 8, 12', '0, 8, 16']
    """
    lines = []
    for width in interval_widths(largest - least, whole=whole):
        first, last = math.floor(least / width), math.floor(largest / width) + 1
        # 0.1 is not a binary fraction, so ends are rounded to ten digits.
        ends = (float(f"{position * width:.10g}") for position in range(first, last + 1))
        lines.append(", ".join(map(number_text, ends)))
    return "\n".join(lines)


def numbers_of(columns: Sequence[Mapping[str, Any]], table: ReadTable) -> dict[str, Span]:
    """Return the span of each generalised column of numbers that has at least two different numbers."""
    ranges = {}
    for column in columns:
        if column["role"] == "quasi_identifier" and column["kind"] in ("numeric", "year"):
            numbers = {float(text) for text in table.column(column["name"]).values if text}
            if len(numbers) > 1:
                whole = all(number.is_integer() for number in numbers)
                ranges[column["name"]] = Span(min(numbers), max(numbers), whole)
    return ranges


def ends_texts(texts: Mapping[str, str], spans: Mapping[str, Span]) -> dict[str, str]:
    """Return the ends for each column of numbers: the stored text, or a proposal."""
    return {name: texts.get(name) or propose_ends(*span) for name, span in spans.items()}


def typed_ends(texts: Mapping[str, str], spans: Mapping[str, Span]) -> dict[str, str]:
    """Return the ends that the user changed from the proposal, after checking them.

    Raises
    ------
    SurveyError
        The errors of `ends_read`.
    """
    ends = {
        name: text
        for name, text in texts.items()
        if text.strip() and text.split() != propose_ends(*spans[name]).split()
    }
    refuse_all(*(partial(ends_read, name, text, *spans[name][:2]) for name, text in ends.items()))
    return ends


def ends_of(
    texts: Mapping[str, str], columns: Sequence[Mapping[str, Any]], table: ReadTable
) -> dict[str, Ends]:
    """Read the typed ends of columns of numbers.

    Raises
    ------
    SurveyError
        The errors of `ends_read`.
    """
    spans = numbers_of(columns, table)
    return {name: ends_read(name, texts[name], *span[:2]) for name, span in spans.items() if name in texts}


NUMBERS: Final = ("numeric", "year")
"""Kinds of columns that contain numbers."""
BOUNDS: Final = ("l", "t", "beta", "enhanced_beta", "delta", "rho1", "rho2")
"""Bounds of each sensitive column; k is a bound of the whole table."""

MOST_NUMBERS: Final = 1000
"""Largest number of distinct numbers in a column for which local recoding can use written intervals."""


def with_role(columns: Sequence[Mapping[str, Any]], role: str) -> list[Mapping[str, Any]]:
    """Return the columns that have a role."""
    return [column for column in columns if column["role"] == role]


def config_of(
    columns: Sequence[Mapping[str, Any]],
    bounds: Mapping[str, Any],
    trees: Mapping[str, Hierarchy],
    ends: Mapping[str, Ends],
    matrix: str = "",
) -> ReleaseConfig:
    """Return the configuration of a release.

    Parameters
    ----------
    columns : sequence of mapping
        Name, role, kind and policy of each column.
    bounds : mapping
        ``k``, ``algorithm``, ``seed`` if the algorithm draws, ``max_suppressed``, ``search``,
        ``multi_attribute``, ``weights_as``, ``weights`` by column, ``own_values``, ``by_table`` and, under
        ``columns``, the bounds of each sensitive column.
    trees : mapping of str to Hierarchy
        Written or proposed trees of categories.
    ends : mapping of str to tuple of tuples of float
        Ends of intervals that users wrote. Local recoding generalises by them like by a tree of values.
    matrix : str
        An expert's matrix, as lines of cells.

    Raises
    ------
    SurveyError
        The errors of `config_read` and `matrix_read`.
    """
    utilities = matrix_read(matrix) if matrix and with_role(columns, "sensitive") else None
    config = config_read(_document(columns, bounds, trees, ends, utilities), folder=Path())
    rules = dict(config.hierarchies)
    rules |= {name: HierarchyRule(column=name, builder="file", tree=tree) for name, tree in trees.items()}
    for name, levels in ends.items():
        rules[name] = HierarchyRule(column=name, builder="intervals", ends=levels)
    return replace(config, hierarchies=rules, matrix=utilities)


def _document(
    columns: Sequence[Mapping[str, Any]],
    bounds: Mapping[str, Any],
    trees: Collection[str],
    ends: Collection[str],
    matrix: ExpertMatrix | None,
) -> dict[str, dict[str, Any]]:
    """Return the plan of a release without trees and ends, in the format of `config_read`."""
    sections: dict[str, dict[str, Any]] = {}
    for column in columns:
        section: dict[str, Any] = {"role": column["role"], "missing": column["policy"]}
        if column["role"] == "weight":
            section |= {"kind": "numeric", "missing": "drop"}
        elif column["role"] in ("quasi_identifier", "sensitive") and column["kind"] in NUMBERS:
            climbs = column["name"] in ends and bounds["algorithm"] != "samarati"
            section |= {"kind": "categorical" if climbs else "numeric", "missing": "drop"}
        elif column["role"] == "quasi_identifier" and column["name"] not in trees:
            section["hierarchy"] = "flat"
        weight = bounds.get("weights", {}).get(column["name"])
        if column["role"] == "quasi_identifier" and weight is not None:
            section["weight"] = weight
        if column["role"] == "sensitive":
            column_bounds = bounds["columns"].get(column["name"], {})
            section |= {name: column_bounds[name] for name in BOUNDS if column_bounds.get(name) is not None}
        sections[column["name"]] = section
    release = {
        "k": bounds["k"],
        "algorithm": bounds["algorithm"],
        "max_suppressed": bounds["max_suppressed"],
        "ground": "ordered",
        # Releases that were started before these settings existed do not have them.
        "search": bounds.get("search", "lowest"),
        "multi_attribute": bounds.get("multi_attribute", True),
        "own_values": bounds.get("own_values", False) and bool(with_role(columns, "sensitive")),
        "by_table": bounds.get("by_table", False),
    }
    if with_role(columns, "weight"):
        release["weights_as"] = bounds.get("weights_as", "mean")
    if bounds["algorithm"] in DRAWN:
        release["seed"] = bounds["seed"]
    if matrix is not None:
        release["utility_matrix"] = dict(matrix.rows)
    return {"release": release, "columns": sections}


def plan_document(
    columns: Sequence[Mapping[str, Any]],
    bounds: Mapping[str, Any],
    table: ReadTable,
    inputs: DraftTexts,
    config: ReleaseConfig,
    study: Mapping[str, str],
) -> dict[str, Any]:
    """Return the plan of a release in the format of the command ``release``.

    Parameters
    ----------
    columns, bounds, table, inputs
        As for `release_plan`.
    config : ReleaseConfig
        The configuration that `release_plan` returned for them.
    study : mapping of str to str
        Description of the study, as typed.
    """
    kept_columns = [column for column in columns if column["name"] in table.header]
    texts = tree_texts(inputs.trees, kept_columns, table)
    document: dict[str, Any] = _document(kept_columns, bounds, texts, config.hierarchies, config.matrix)
    for column in columns:
        section = document["columns"].setdefault(column["name"], {"role": "identifier"})
        if section["role"] == "identifier":
            continue
        if column["kind"] in SPANS:
            section["kind"] = column["kind"]
        if column["missing_texts"]:
            section["missing_texts"] = list(column["missing_texts"])
        if column["month_first"]:
            section["month_first"] = True
        if column.get("as_written", True) and column.get("spellings", True):
            section["as_written"] = True
        rule = config.hierarchies.get(column["name"])
        if column["name"] in texts:
            # The command publishes missing values as the file writes them, so they are leaves too.
            section["tree"] = "\n".join([texts[column["name"]], *column["missing_texts"]])
        elif rule is not None and rule.ends:
            section["ends"] = [list(level) for level in rule.ends]
        elif rule is not None and rule.widths:
            section["hierarchy"] = list(rule.widths)
    if inputs.respondent:
        names = list(inputs.respondent)
        document["release"]["respondent"] = names[0] if len(names) == 1 else names
    if inputs.people in PEOPLE:
        document["release"]["people"] = inputs.people
    return document | ({"study": dict(study)} if study else {})


def release_plan(
    columns: Sequence[Mapping[str, Any]], bounds: Mapping[str, Any], table: ReadTable, inputs: DraftTexts
) -> tuple[ReleaseConfig, Table, dict[str, Hierarchy]]:
    """Return the configuration, table and hierarchies of a release.

    Parameters
    ----------
    columns, bounds
        As for `config_of`.
    table : ReadTable
        The table, with columns read as the user chose.
    inputs : DraftTexts
        Typed trees, ends and matrix.

    Raises
    ------
    PrivacyError
        The typed texts do not fit the records.
    """
    # Columns that are left out are not part of the plan, and not all of them are loaded.
    columns = [column for column in columns if column["name"] in table.header]
    hold = trees_read(tree_texts(inputs.trees, columns, table), columns, table)
    levels = ends_of(inputs.ends, columns, table)
    config = config_of(columns, bounds, hold, levels, inputs.matrix)
    records = Table.from_codes(table.header, table.codes, config.rules)
    config = with_intervals(config, records)
    return config, records, hierarchies_read(records, config)


def with_intervals(config: ReleaseConfig, table: Table) -> ReleaseConfig:
    """Return a configuration with intervals for all columns of numbers, if global recoding needs them."""
    rules = dict(config.hierarchies)
    for column in table.quasi_identifiers if config.algorithm == "samarati" else ():
        if column.numbers is not None and column.name not in rules:
            span = float(column.numbers[-1] - column.numbers[0])
            whole = bool((column.numbers % 1 == 0).all())
            widths = interval_widths(span, whole=whole)
            rules[column.name] = HierarchyRule(column=column.name, builder="intervals", widths=widths)
    return replace(config, hierarchies=rules)


def plan_check(
    columns: Sequence[Mapping[str, Any]], bounds: Mapping[str, Any], records: int, with_ends: Collection[str]
) -> None:
    """Refuse bounds that cannot be reached.

    Parameters
    ----------
    columns, bounds
        As for `config_of`.
    records : int
    with_ends : collection of str
        Columns of numbers with written ends of intervals.

    Raises
    ------
    SurveyError
        ``release.no_quasi``, ``release.k``, ``release.l``, ``release.rho`` or ``release.ends_numbers``.
    """
    raise_all(list(_problems(columns, bounds, records, with_ends)))


def _problems(
    columns: Sequence[Mapping[str, Any]], bounds: Mapping[str, Any], records: int, with_ends: Collection[str]
) -> Iterator[SurveyError]:
    if not with_role(columns, "quasi_identifier"):
        yield SurveyError("release.no_quasi")
    if bounds["k"] > records:
        yield SurveyError("release.k", bounds["k"], n=records)
    for column in with_role(columns, "quasi_identifier"):
        climbs = column["name"] in with_ends and bounds["algorithm"] != "samarati"
        if climbs and column["kind"] in NUMBERS and column["distinct"] > MOST_NUMBERS:
            yield SurveyError(
                "release.ends_numbers", column["distinct"], name=column["name"], most=MOST_NUMBERS
            )
    for column in with_role(columns, "sensitive"):
        column_bounds = bounds["columns"].get(column["name"], {})
        # Missing values do not count as values, even if they are published.
        if (column_bounds.get("l") or 1) > column["distinct"]:
            yield SurveyError("release.l", column_bounds["l"], name=column["name"], held=column["distinct"])
        rho1, rho2 = column_bounds.get("rho1"), column_bounds.get("rho2")
        if (rho1 is None) != (rho2 is None) or (rho1 is not None and rho2 is not None and rho1 >= rho2):
            yield SurveyError("release.rho", name=column["name"])
