"""A release in memory, with its measures, and its files.

CSV, Parquet, SPSS, Stata, codebook and manifest are written together, and read back for queries.
"""

from __future__ import annotations

import csv
import glob
import hashlib
import io
import json
import os
import secrets
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from anonymisation.microdata.config import ReleaseConfig
from anonymisation.microdata.description import Description
from anonymisation.microdata.knowledge import matrix_lines
from privacy.arrays import Whole
from privacy.sdc.attacks import homogeneous
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.information_loss import Loss
from privacy.sdc.lattice import Lattice, NodeReport, Tradeoff
from privacy.sdc.privacy_models import split_classes
from privacy.sdc.published_labels import Domain, domain_of
from privacy.sdc.queries import ColumnError, column_error
from privacy.sdc.requirements import ModelMeasures, Requirement, Verdict, measure_models
from privacy.sdc.table import Column, ColumnRule, Table
from privacy.sdc.unit import Counting
from privacy.sdc.verification import figures_of, without_sensitive
from privacy.tables.columns import ReadTable
from privacy.tables.packed_file import MOST_CELLS_OF_A_FILE
from privacy.validation import finite_number
from surveys.errors.error import SurveyError
from surveys.formats.csv_cells import text_or_number
from surveys.imports.table_reading import text_table

UNASKED: Final = (
    "All figures of this release count records, not people. It was made before the publisher was asked which "
    "records belong to one person. If people have several records, a whole class can be one person."
)
"""What files of releases made before the question existed must say, in English like all of them."""

ReportProgress = Callable[[str, int, int], None]


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


DEPOSIT: Final = "deposit"
FORMAT: Final = 1


def shuffled_order(n: int) -> list[int]:
    """Draw a random order from the system's generator, because a seed that can be guessed would undo it."""
    order = list(range(n))
    secrets.SystemRandom().shuffle(order)
    return order


def _rows(table: Table, order: list[int]) -> list[tuple[str, ...]]:
    columns = [[text_or_number(value) for value in column.values] for column in table.columns]
    codes = [column.codes.tolist() for column in table.columns]
    return [tuple(values[code[row]] for values, code in zip(columns, codes, strict=True)) for row in order]


def csv_bytes(table: Table, order: list[int]) -> bytes:
    """Write published columns as CSV, records in the given order."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    writer.writerows(_rows(table, order))
    return text.getvalue().encode("utf-8")


def content_digest(table: Table) -> str:
    """Digest the records regardless of their order, so that the same seed gives the same digest."""
    digest = hashlib.sha256()
    for row in sorted(_rows(table, list(range(len(table))))):
        digest.update(json.dumps(row, ensure_ascii=True).encode("ascii") + b"\n")
    return digest.hexdigest()


def codebook_of(result: Build, background: Background) -> dict[str, Any]:
    """Describe every published column."""
    as_read = "as collected; dates as months, quarters or years"
    meaning = {
        "quasi_identifier": "generalised: as collected, or replaced by an interval or a group",
        "sensitive": as_read if not result.changed else "PERTURBED: some values were changed",
        "insensitive": as_read,
        "weight": "sampling weight: the mean of the records with the same generalised values",
        "disguised": "disguised on the respondent's device: no one can tell which values are true",
    }
    columns = []
    for column in result.table.columns:
        text = ". ".join((meaning[column.role], *result.config.coding_of(column.name)))
        entry: dict[str, Any] = {"name": column.name, "role": column.role, "meaning": text}
        wording = background.wording(column.name)
        entry |= wording.disguise
        if wording.listed:
            entry["list"] = wording.listed
        domain = result.domains.get(column.name)
        if domain is not None:
            entry |= {"numeric": domain.numeric, "whole": domain.whole}
            if domain.leaves:
                # Labels are written as in the cells, so that readers can look them up.
                entry["labels"] = {
                    text_or_number(label): list(leaves) for label, leaves in domain.leaves.items()
                }
        columns.append(entry)
    counted = () if result.counting is None else (result.counting.sentence,)
    return {"sotto_codebook": FORMAT, "notes": (*background.notes, *counted), "columns": columns}


def manifest_of(
    result: Build, files: Mapping[str, bytes], day: str, *, totals: Sequence[bytes]
) -> dict[str, Any]:
    """Return the manifest of a release: parameters, counts and digests, but no values of records."""
    config, source = result.config, result.source
    bounds_of_columns = {name: _bounds(bounds) for name, bounds in config.own.items()}
    return {
        "sotto_release": FORMAT,
        "day": day,
        "algorithm": config.algorithm,
        "seed": config.seed,
        "models": _bounds(config.requirement),
        **({"models_by_column": bounds_of_columns} if bounds_of_columns else {}),
        **(
            {"utility_matrix": {"of": source.sensitive[0].name, "rows": matrix}, "weights": result.weights}
            if (matrix := matrix_lines(config.matrix, source, result.table))
            else {}
        ),
        "reached": [figures_of(measure) for measure in result.measures],
        "columns": {column.name: column.role for column in result.table.columns},
        "records": len(result.table),
        **({} if result.people is None else {"people": result.published_people}),
        **({} if result.counting is None else {"counted": result.counting.public}),
        "suppressed": result.loss.suppressed,
        "left_out_as_missing": source.dropped,
        "changed_sensitive_values": result.changed,
        "loss": asdict(result.loss),
        "generalisation": None
        if result.node is None
        else dict(zip(result.lattice.names, result.node.levels, strict=True) if result.lattice else ()),
        "order": "shuffled with the system's random generator",
        # Digests identify the exact totals that the release was compared with.
        "totals_compared": [hashlib.sha256(body).hexdigest() for body in totals],
        "differential_privacy": "none: a generalised table has no finite epsilon",
        "notes": list(result.notes),
        "content_digest": content_digest(result.table),
        "files": {name: hashlib.sha256(body).hexdigest() for name, body in sorted(files.items())},
    }


def _bounds(requirement: Requirement) -> dict[str, Any]:
    return {name: value for name, value in asdict(requirement).items() if value is not None}


def directory_publish(target: Path, files: Mapping[str, bytes]) -> None:
    """Write files to a new directory, which appears complete or not at all.

    Drafts left by a killed process are deleted.

    Raises
    ------
    PrivacyError
        The directory already exists or cannot be written.
    """
    if target.exists():
        raise SurveyError("out.exists", str(target), out=target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        prefix = f".{target.name}.unfinished-"
        for left_over in target.parent.glob(f"{glob.escape(prefix)}*"):
            shutil.rmtree(left_over, ignore_errors=True)
        draft = Path(tempfile.mkdtemp(prefix=prefix, dir=target.parent))
    except OSError as error:
        raise SurveyError("out.write", str(target), target=target, error=error.strerror) from error
    try:
        for name, body in files.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)
        draft.chmod(0o755)
        os.rename(draft, target)
    except BaseException as error:
        shutil.rmtree(draft, ignore_errors=True)
        if not isinstance(error, OSError):
            raise
        raise SurveyError("out.full", str(target), target=target, error=error.strerror) from error


@dataclass(frozen=True, kw_only=True)
class Wording:
    """Question, label and answers of a column, from a survey or a file.

    Parameters
    ----------
    question, label : dict of str to str
        Texts by language. A question is also the label of its column.
    answers : dict of str to dict of str to str
        Texts of each value, by language.
    disguise : dict of str to object
        Probabilities of a disguised column, by name in the codebook.
    listed : dict of str to object
        Key and text of the list of yes/no questions that the column is a line of; empty without a list.
    line : dict of str to str
        The column's own text in its list, with which its question ends.
    """

    question: Mapping[str, str] = field(default_factory=dict)
    label: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    disguise: Mapping[str, Any] = field(default_factory=dict)
    listed: Mapping[str, Any] = field(default_factory=dict)
    line: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Background:
    """Title of a table, wording of its columns, description of the study, and notes on the disguise."""

    title: str
    columns: Mapping[str, Wording] = field(default_factory=dict)
    description: Description | None = None
    notes: tuple[str, ...] = ()

    def with_labels(self, table: ReadTable) -> Background:
        """Return the background with the labels of an input file; a survey's wording takes precedence."""
        wordings = {
            column.name: Wording(
                label={"": column.label} if column.label else {},
                answers={value: {"": label} for value, label in column.value_labels.items()},
            )
            for column in table.columns
        }
        return replace(self, columns={**wordings, **self.columns})

    def wording(self, column: str) -> Wording:
        """Return the wording of a column."""
        return self.columns.get(column, Wording())


_DATA = "data.csv"
_KEYS = {"codebook.json": "sotto_codebook", "manifest.json": "sotto_release"}
"""Key that identifies the format of each file."""


def release_open(path: Path) -> tuple[Table, dict[str, Domain]]:
    """Open a release from its directory, for queries.

    Parameters
    ----------
    path : Path
        The directory of a release, or its deposit.

    Raises
    ------
    PrivacyError
        A file is missing, damaged, or does not match the manifest.
    """
    deposit = path / DEPOSIT if (path / DEPOSIT).is_dir() else path
    files = {name: _read(deposit / name) for name in _KEYS}
    if (deposit / _DATA).is_file():
        files[_DATA] = (deposit / _DATA).read_bytes()
    return _unpack(files, f"{deposit}/")[:2]


def release_counted(path: Path) -> str:
    """Return a sentence on what a release in a directory counts, from its manifest.

    Raises
    ------
    PrivacyError
        The manifest is missing or damaged.
    """
    deposit = path / DEPOSIT if (path / DEPOSIT).is_dir() else path
    name = "manifest.json"
    manifest = _document(_read(deposit / name), _KEYS[name], file_name=str(deposit / name))
    if "people" in manifest:
        return (
            f"Counts are of records: the {manifest['records']} records belong to {manifest['people']} people."
        )
    if "counted" not in manifest:
        return UNASKED
    return "Counts are of records, and each record belongs to a different person."


def release_unpack(archive: bytes) -> tuple[Table, dict[str, Domain], dict[str, Any]]:
    """Open the ZIP file of a deposit in memory; return its table, meanings of labels, and manifest.

    Raises
    ------
    PrivacyError
        A file is missing, damaged, or does not match the manifest.
    """
    with zipfile.ZipFile(io.BytesIO(archive)) as zip_file:
        files = {name: zip_file.read(name) for name in zip_file.namelist()}
    return _unpack(files)


def _unpack(files: Mapping[str, bytes], folder: str = "") -> tuple[Table, dict[str, Domain], dict[str, Any]]:
    """Read the files of a deposit, given by name; error messages prefix the names with `folder`."""
    codebook, manifest = (
        _document(files.get(name, b""), key, file_name=folder + name) for name, key in _KEYS.items()
    )
    body = files.get(_DATA, b"")
    if hashlib.sha256(body).hexdigest() != manifest["files"].get(_DATA):
        raise SurveyError("digest", folder + _DATA, data=folder + _DATA)
    table, domains = _table(codebook, text_table(io.BytesIO(body), most_cells=MOST_CELLS_OF_A_FILE))
    return table, domains, manifest


def _table(codebook: dict[str, Any], read: ReadTable) -> tuple[Table, dict[str, Domain]]:
    roles = {entry["name"]: entry["role"] for entry in codebook["columns"]}
    domains = {
        entry["name"]: Domain(
            name=entry["name"],
            numeric=entry["numeric"],
            whole=entry["whole"],
            leaves={label: tuple(leaves) for label, leaves in entry.get("labels", {}).items()},
        )
        for entry in codebook["columns"]
        if "numeric" in entry
    }
    # Queries count the records of the file, missing values included.
    rules = [
        ColumnRule(name=name, role=roles[name], missing="value", missing_texts=()) for name in read.header
    ]
    table = Table.from_codes(read.header, read.codes, rules, lenient=True)
    for column in table.columns:
        if column.name not in domains and column.role != "quasi_identifier":
            numeric = all(finite_number(value) is not None for value in column.values)
            domains[column.name] = Domain(name=column.name, numeric=numeric)
    return table, domains


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SurveyError("release.directory", str(path), path=path, error=error) from error


def _document(body: bytes, key: str, *, file_name: str) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads(body.decode("utf-8"))
        if document[key] != 1:
            raise KeyError(key)
    except (ValueError, KeyError, TypeError) as error:
        raise SurveyError("release.directory", str(file_name), path=file_name, error=error) from error
    return document
