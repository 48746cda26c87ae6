"""Write a release: all files into a hidden directory first, then one rename; nothing half-published."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import os
import secrets
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from anonymisation.microdata.expert_matrix import matrix_lines
from anonymisation.microdata.made import Made
from privacy.sdc import Requirement
from privacy.sdc.requirements import ModelMeasures, Verdict
from privacy.sdc.table import Table
from surveys.errors.error import SurveyError
from surveys.formats.csv_cells import text_or_number

__all__ = [
    "DEPOSIT",
    "codebook_of",
    "content_digest",
    "csv_bytes",
    "directory_publish",
    "figures_of",
    "manifest_of",
    "parquet_bytes",
    "shuffled_order",
]

DEPOSIT: Final = "deposit"
FORMAT: Final = 1


def shuffled_order(n: int) -> list[int]:
    """Draw an order from the system's generator: a seed that can be guessed brings the old order back."""
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


def parquet_bytes(table: Table, order: list[int]) -> bytes:
    """Write the same records as Parquet, every column dictionary-encoded text."""
    # The web process, which reads deposits for their questions, does without it.
    import pyarrow
    import pyarrow.parquet

    arrays = [
        pyarrow.DictionaryArray.from_arrays(
            pyarrow.array([int(column.codes[row]) for row in order], type=pyarrow.int32()),
            pyarrow.array([text_or_number(value) for value in column.values], type=pyarrow.string()),
        )
        for column in table.columns
    ]
    sink = pyarrow.BufferOutputStream()
    names = [column.name for column in table.columns]
    pyarrow.parquet.write_table(pyarrow.table(arrays, names=names), sink)
    return bytes(sink.getvalue())


def content_digest(table: Table) -> str:
    """Digest the records without their order: the same seed gives the same digest."""
    digest = hashlib.sha256()
    for row in sorted(_rows(table, list(range(len(table))))):
        digest.update(json.dumps(row, ensure_ascii=True).encode("ascii") + b"\n")
    return digest.hexdigest()


def codebook_of(made: Made) -> dict[str, Any]:
    """Describe every published column."""
    meaning = {
        "quasi_identifier": "generalised: replaced by an interval or a group",
        "sensitive": "as collected" if not made.changed else "PERTURBED: some values were changed",
        "insensitive": "as collected",
        "disguised": "disguised on the respondent's device; not a true answer",
    }
    columns = []
    for column in made.released.columns:
        entry: dict[str, Any] = {"name": column.name, "role": column.role, "meaning": meaning[column.role]}
        domain = made.domains.get(column.name)
        if domain is not None:
            entry |= {"numeric": domain.numeric, "whole": domain.whole}
            if domain.leaves:
                # A label as its cell has it: a reader looks it up by that.
                entry["labels"] = {
                    text_or_number(label): list(leaves) for label, leaves in domain.leaves.items()
                }
        columns.append(entry)
    return {"sotto_codebook": FORMAT, "columns": columns}


def manifest_of(
    made: Made, files: Mapping[str, bytes], day: str, *, totals: Sequence[bytes]
) -> dict[str, Any]:
    """Return the manifest of a release: parameters, counts and digests, no value of any record."""
    config = made.config
    own = {name: _bounds(bounds) for name, bounds in config.own.items()}
    return {
        "sotto_release": FORMAT,
        "day": day,
        "algorithm": made.algorithm,
        "seed": config.seed,
        "models": _bounds(config.requirement),
        **({"models_by_column": own} if own else {}),
        **(
            {"utility_matrix": {"of": made.source.sensitive[0].name, "rows": matrix}, "weights": made.weights}
            if (matrix := matrix_lines(config.matrix, made.source, made.released))
            else {}
        ),
        "reached": [figures_of(measure) for measure in made.measures],
        "columns": {column.name: column.role for column in made.released.columns},
        "records": len(made.released),
        **({} if made.people is None else {"people": made.published_people}),
        "suppressed": made.loss.suppressed,
        "left_out_as_missing": made.source.dropped,
        "changed_sensitive_values": made.changed,
        "loss": asdict(made.loss),
        "generalisation": None
        if made.node is None
        else dict(zip(made.lattice.names, made.node.levels, strict=True) if made.lattice else ()),
        "order": "shuffled with the system's random generator",
        "survey_weights": config.weight_column,
        # Digests tie the release to the totals it was compared with, as they stood.
        "totals_compared": [hashlib.sha256(body).hexdigest() for body in totals],
        "differential_privacy": "none: a generalised table has no finite epsilon",
        "notes": list(made.notes),
        "content_digest": content_digest(made.released),
        "files": {name: hashlib.sha256(body).hexdigest() for name, body in sorted(files.items())},
    }


def _bounds(requirement: Requirement) -> dict[str, Any]:
    return {name: value for name, value in asdict(requirement).items() if value is not None}


def figures_of(measured: ModelMeasures | Verdict) -> dict[str, Any]:
    """Return the figures there are as JSON has them, an infinite one as a text."""
    return {
        name: "infinite" if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in asdict(measured).items()
        if value is not None
    }


def directory_publish(target: Path, files: Mapping[str, bytes]) -> None:
    """Write files below a directory that appears whole or not at all.

    Raises
    ------
    PrivacyError
        When the directory exists already, or cannot be written.
    """
    if target.exists():
        raise SurveyError("out.exists", str(target), out=target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
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
        raise SurveyError("out.room", str(target), target=target, error=error.strerror) from error
