"""Reading a deposited release back: its labels, codebook and manifest, and nothing else."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from privacy.sdc import ColumnRule, Table
from privacy.sdc.labels import Domain
from surveys.errors.error import SurveyError
from surveys.release.reading import csv_rows
from surveys.release.writing import DEPOSIT

__all__ = ["release_open"]


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
    codebook = _document(deposit / "codebook.json", "sotto_codebook")
    manifest = _document(deposit / "manifest.json", "sotto_release")
    data = deposit / "data.csv"
    digest = hashlib.sha256(data.read_bytes()).hexdigest() if data.is_file() else None
    if digest != manifest["files"].get("data.csv"):
        raise SurveyError("digest", str(data), data=data)
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
    with csv_rows(data) as (header, rows):
        rules = [ColumnRule(name=name, role=roles[name], missing="value") for name in header]
        table = Table.from_rows(header, rows, rules, lenient=True)
    for column in table.columns:
        if column.name not in domains and column.role != "quasi_identifier":
            numeric = all(_is_number(value) for value in column.values)
            domains[column.name] = Domain(name=column.name, numeric=numeric)
    return table, domains


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _document(path: Path, key: str) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if document[key] != 1:
            raise KeyError(key)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SurveyError("release", str(path), path=path, error=error) from error
    return document
