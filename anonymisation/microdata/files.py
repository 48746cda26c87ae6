"""The files of a release: its records as CSV, its codebook and its manifest.

Files are written together, completely or not at all; `deposit_reader` reads them back.
"""

from __future__ import annotations

import csv
import glob
import hashlib
import io
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from anonymisation.microdata.background import Background
from anonymisation.microdata.build import Build
from anonymisation.microdata.expert_matrix import matrix_lines
from privacy.sdc.requirements import Requirement
from privacy.sdc.table import Table
from privacy.sdc.verification import figures_of
from surveys.errors.error import SurveyError
from surveys.formats.csv_cells import text_or_number

UNASKED: Final = (
    "All figures of this release count records, not people. It was made before the publisher was asked which "
    "records belong to one person. If people have several records, a whole class can be one person."
)
"""What files of releases made before the question existed must say, in English like all of them."""


DEPOSIT: Final = "deposit"
RELEASE_FORMAT: Final = 1


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
    return {"sotto_codebook": RELEASE_FORMAT, "notes": (*background.notes, *counted), "columns": columns}


def manifest_of(
    result: Build, files: Mapping[str, bytes], day: str, *, totals: Sequence[bytes]
) -> dict[str, Any]:
    """Return the manifest of a release: parameters, counts and digests, but no values of records."""
    config, source = result.config, result.source
    bounds_of_columns = {name: _bounds(bounds) for name, bounds in config.own.items()}
    return {
        "sotto_release": RELEASE_FORMAT,
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
