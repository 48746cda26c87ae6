"""Reading a deposited release back: its labels, codebook and manifest, and nothing else."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anonymisation.microdata.writing import DEPOSIT
from privacy.sdc import ColumnRule, Table
from privacy.sdc.labels import Domain
from privacy.sdc.table import finite_number
from surveys.errors.error import SurveyError
from surveys.imports.table import ReadTable
from surveys.imports.table_reading import MOST_CELLS_OF_A_FILE, text_table

__all__ = ["release_open", "release_unpack"]

_DATA = "data.csv"
_KEYS = {"codebook.json": "sotto_codebook", "manifest.json": "sotto_release"}
"""By which a file says what it is."""


def release_open(path: Path) -> tuple[Table, dict[str, Domain]]:
    """Open a release for queries.

    Parameters
    ----------
    path : Path
        The directory of a release, or its deposit.

    Raises
    ------
    PrivacyError
        When a file is missing, damaged, or not what its manifest says.
    """
    deposit = path / DEPOSIT if (path / DEPOSIT).is_dir() else path
    files = {name: _read(deposit / name) for name in _KEYS}
    if (deposit / _DATA).is_file():
        files[_DATA] = (deposit / _DATA).read_bytes()
    return _opened(files, f"{deposit}/")[:2]


def release_unpack(archive: bytes) -> tuple[Table, dict[str, Domain], dict[str, Any]]:
    """Open the ZIP file of a deposit in memory: table, meaning of its labels, manifest.

    Raises
    ------
    PrivacyError
        When a file is missing, damaged, or not what its manifest says.
    """
    with zipfile.ZipFile(io.BytesIO(archive)) as held:
        files = {name: held.read(name) for name in held.namelist()}
    return _opened(files)


def _opened(files: Mapping[str, bytes], folder: str = "") -> tuple[Table, dict[str, Domain], dict[str, Any]]:
    """Read the files of a deposit by their names; refusals name them with their folder."""
    codebook, manifest = (
        _document(files.get(name, b""), key, named=folder + name) for name, key in _KEYS.items()
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
    # Queries count what a reader of the file counts.
    rules = [
        ColumnRule(name=name, role=roles[name], missing="value", missing_texts=()) for name in read.header
    ]
    table = Table.from_codes(read.header, read.encoded, rules, lenient=True)
    for column in table.columns:
        if column.name not in domains and column.role != "quasi_identifier":
            numeric = all(finite_number(value) is not None for value in column.values)
            domains[column.name] = Domain(name=column.name, numeric=numeric)
    return table, domains


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SurveyError("release", str(path), path=path, error=error) from error


def _document(body: bytes, key: str, *, named: str) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads(body.decode("utf-8"))
        if document[key] != 1:
            raise KeyError(key)
    except (ValueError, KeyError, TypeError) as error:
        raise SurveyError("release", str(named), path=named, error=error) from error
    return document
