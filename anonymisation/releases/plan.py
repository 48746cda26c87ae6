"""From the choices on the pages to the configuration of a release, and its refusals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from anonymisation.microdata.config import DRAWN, PEOPLE, HierarchyRule, ReleaseConfig, config_read
from anonymisation.microdata.knowledge import ExpertMatrix, matrix_read
from anonymisation.microdata.reading import hierarchies_read
from anonymisation.releases.groups import Ends, ends_of, interval_widths, raise_all, tree_texts, trees_read
from anonymisation.releases.storage import Written
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.table import Table
from surveys.errors.error import SurveyError
from surveys.imports.column_kinds import SPANS
from surveys.imports.table import ReadTable

NUMBERS: Final = ("numeric", "year")
"""Kinds of columns that are read as numbers."""
BOUNDS: Final = ("l", "t", "beta", "enhanced_beta", "delta", "rho1", "rho2")
"""What can be asked for of each sensitive column; k is asked for of the whole table."""

MOST_NUMBERS: Final = 1000
"""Different numbers of a column whose own intervals groups of neighbours can use."""


def with_role(columns: Sequence[Mapping[str, Any]], role: str) -> list[Mapping[str, Any]]:
    """Return the chosen columns of one role."""
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
        Name, role, kind and policy of each.
    bounds : mapping
        ``k``, ``algorithm``, ``seed`` of one that draws, ``max_suppressed``, ``search``,
        ``multi_attribute``, ``weights`` by column, ``own_values``, ``by_table`` and, under ``columns``, the
        bounds of each sensitive column.
    trees : mapping of str to Hierarchy
        Written or proposed ones; numbers fall into intervals.
    ends : mapping of str to tuple of tuples of float
        Of intervals that users wrote. Groups of neighbours climb them like a tree of values.
    matrix : str
        Of an expert, as lines of cells.

    Raises
    ------
    SurveyError
        As `config_read` and `matrix_read`.
    """
    given = matrix_read(matrix) if matrix and with_role(columns, "sensitive") else None
    config = config_read(_document(columns, bounds, trees, ends, given), beside=Path())
    rules = dict(config.hierarchies)
    rules |= {name: HierarchyRule(column=name, builder="file", tree=tree) for name, tree in trees.items()}
    for name, levels in ends.items():
        rules[name] = HierarchyRule(column=name, builder="intervals", ends=levels)
    return replace(config, hierarchies=rules, matrix=given)


def _document(
    columns: Sequence[Mapping[str, Any]],
    bounds: Mapping[str, Any],
    trees: Collection[str],
    ends: Collection[str],
    matrix: ExpertMatrix | None,
) -> dict[str, dict[str, Any]]:
    """Return the plan of a release without trees and ends, as `config_read` reads it."""
    sections: dict[str, dict[str, Any]] = {}
    for column in columns:
        section: dict[str, Any] = {"role": column["role"], "missing": column["policy"]}
        if column["role"] in ("quasi_identifier", "sensitive") and column["kind"] in NUMBERS:
            climbs = column["name"] in ends and bounds["algorithm"] != "samarati"
            section |= {"kind": "categorical" if climbs else "numeric", "missing": "drop"}
        elif column["role"] == "quasi_identifier" and column["name"] not in trees:
            section["hierarchy"] = "flat"
        weight = bounds.get("weights", {}).get(column["name"])
        if column["role"] == "quasi_identifier" and weight is not None:
            section["weight"] = weight
        if column["role"] == "sensitive":
            own = bounds["columns"].get(column["name"], {})
            section |= {name: own[name] for name in BOUNDS if own.get(name) is not None}
        sections[column["name"]] = section
    release = {
        "k": bounds["k"],
        "algorithm": bounds["algorithm"],
        "max_suppressed": bounds["max_suppressed"],
        "ground": "ordered",
        # A table that was begun before these could be chosen has none.
        "search": bounds.get("search", "lowest"),
        "multi_attribute": bounds.get("multi_attribute", True),
        "own_values": bounds.get("own_values", False) and bool(with_role(columns, "sensitive")),
    }
    if bounds["algorithm"] in DRAWN:
        release["seed"] = bounds["seed"]
    if bounds.get("by_table"):
        release["reading"] = "literal"
    if matrix is not None:
        release["utility_matrix"] = dict(matrix.rows)
    return {"release": release, "columns": sections}


def plan_document(
    columns: Sequence[Mapping[str, Any]],
    bounds: Mapping[str, Any],
    table: ReadTable,
    written: Written,
    config: ReleaseConfig,
    study: Mapping[str, str],
) -> dict[str, Any]:
    """Return the plan of a release as the command ``release`` reads it.

    Parameters
    ----------
    columns, bounds, table, written
        As of `release_plan`.
    config : ReleaseConfig
        What `release_plan` made of them.
    study : mapping of str to str
        Description of the study, as it was typed.
    """
    published = [column for column in columns if column["name"] in table.header]
    texts = tree_texts(written.trees, published, table)
    document: dict[str, Any] = _document(published, bounds, texts, config.hierarchies, config.matrix)
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
        rule = config.hierarchies.get(column["name"])
        if column["name"] in texts:
            # The command publishes a missing value as the file has it, so it is a leaf, too.
            section["tree"] = "\n".join([texts[column["name"]], *column["missing_texts"]])
        elif rule is not None and rule.ends:
            section["ends"] = [list(level) for level in rule.ends]
        elif rule is not None and rule.widths:
            section["hierarchy"] = list(rule.widths)
    if written.respondent:
        document["release"]["respondent"] = written.respondent
    if written.people in PEOPLE:
        document["release"]["people"] = written.people
    return document | ({"study": dict(study)} if study else {})


def release_plan(
    columns: Sequence[Mapping[str, Any]],
    bounds: Mapping[str, Any],
    table: ReadTable,
    written: Written,
) -> tuple[ReleaseConfig, Table, dict[str, Hierarchy]]:
    """Return the configuration, table and hierarchies of a release.

    Parameters
    ----------
    columns, bounds
        As of `config_of`.
    table : ReadTable
        Its columns as they were chosen.
    written : Written
        Its trees, ends and matrix.

    Raises
    ------
    PrivacyError
        The written texts do not fit the records.
    """
    # Columns that are left out are not planned, and not all of them are loaded.
    columns = [column for column in columns if column["name"] in table.header]
    hold = trees_read(tree_texts(written.trees, columns, table), columns, table)
    levels = ends_of(written.ends, columns, table)
    config = config_of(columns, bounds, hold, levels, written.matrix)
    records = Table.from_codes(table.header, table.encoded, config.rules)
    config = with_intervals(config, records)
    return config, records, hierarchies_read(records, config)


def with_intervals(config: ReleaseConfig, table: Table) -> ReleaseConfig:
    """Return a configuration in which all numbers fall into intervals, where global recoding needs them."""
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
        As of `config_of`.
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
        own = bounds["columns"].get(column["name"], {})
        # Missing values are not values, even where they are published.
        if (own.get("l") or 1) > column["distinct"]:
            yield SurveyError("release.l", own["l"], name=column["name"], held=column["distinct"])
        rho1, rho2 = own.get("rho1"), own.get("rho2")
        if (rho1 is None) != (rho2 is None) or (rho1 is not None and rho2 is not None and rho1 >= rho2):
            yield SurveyError("release.rho", name=column["name"])
