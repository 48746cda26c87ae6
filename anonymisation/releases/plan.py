"""Turn the choices on the pages into the configuration of a release: columns, bounds, the plan file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from anonymisation.microdata.column_hierarchies import hierarchies_read
from anonymisation.microdata.config import DRAWN, WAYS_TO_COUNT, HierarchyRule, ReleaseConfig, config_read
from anonymisation.microdata.expert_matrix import ExpertMatrix, matrix_read
from anonymisation.releases.group_trees import tree_texts, trees_read
from anonymisation.releases.interval_ends import Ends, ends_of, interval_widths
from anonymisation.releases.problems import raise_all
from anonymisation.releases.typed_texts import DraftTexts
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.table import Table
from privacy.tables.columns import ReadTable
from privacy.tables.date_spans import SPANS
from surveys.errors.error import SurveyError

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
    if inputs.people in WAYS_TO_COUNT:
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
