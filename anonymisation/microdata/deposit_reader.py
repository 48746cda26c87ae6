"""Read the files of a release again, for queries."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anonymisation.microdata.files import DEPOSIT, UNASKED
from privacy.numeric_text import finite_number
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.published_labels import Domain
from privacy.sdc.table import Table
from privacy.tables.columns import ReadTable
from privacy.tables.table_file import MOST_CELLS_OF_A_FILE
from surveys.errors.error import SurveyError
from surveys.imports.files.uploaded_tables import text_table

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
    table, domains = _table(codebook, text_table(io.BytesIO(body), _DATA, most_cells=MOST_CELLS_OF_A_FILE))
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
