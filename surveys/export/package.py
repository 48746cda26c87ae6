"""The ZIP file of a run: rows, codebook, figures, and the script that computes the figures again."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

import pyarrow.csv as pa_csv
import pyarrow.parquet as pa_parquet
from django.conf import settings
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.utils.translation import override

from privacy.survey.design import Design
from privacy.survey.layout import Layout
from surveys.errors.error import SurveyError
from surveys.estimates.run_summary import counts_all_rows, shown_of
from surveys.export.codebook import codebook_csv, codebook_page, entries_of
from surveys.export.coded_rows import coded_rows
from surveys.export.ddi import ddi_codebook
from surveys.export.figures import arms_csv, exported_experiments, itemsets_csv, rules_csv
from surveys.export.file_notes import FileKind, file_notes
from surveys.export.labelled_files import labelled_file
from surveys.export.laws import laws_of
from surveys.export.reproduction import reproduction_script, reproduction_settings
from surveys.export.rows import Released, released, rows_schema, tables
from surveys.export.signed_file import sign_archive
from surveys.export.variables import variables_of
from surveys.models import Run
from surveys.models.staff import audit_event_record
from surveys.policy import LEAST_PROTECTED
from surveys.questionnaire.labels import about_texts, labels_of
from surveys.rows.releasable_rows import packed_rows, releasable_design
from surveys.rows.snapshot import batches_of, snapshot_statement

MOST_BYTES: Final = 1 << 30
"""Largest snapshot that is taken into memory, in bytes of packed rows."""


def data_export(
    run: Run,
    out: IO[bytes],
    *,
    by: User | None,
    now: datetime,
    kind: FileKind = "zip",
    language: str = "en",
) -> None:
    """Write the ZIP file of a run, or its rows alone for one program.

    Parameters
    ----------
    run : Run
        A finished one; its very snapshot is exported.
    out : binary file
        Can be written, read and sought.
    by : User or None
        Who takes the data; None for the command line.
    now : datetime
    kind : {"zip", "sav", "dta", "xml"}
        What is written: everything, the rows alone for SPSS or for Stata, or the codebook for archives.
    language : str
        One of the survey's, for the labels of SPSS and Stata; the other files have all of them.

    Raises
    ------
    SurveyError
        ``not_finished``; ``too_few`` protected answers; ``too_large`` for this way.
        The batches are not those of the run any more.
    OSError
        `out` cannot be read: what was written there is signed.

    Notes
    -----
    The packed rows of the snapshot are in memory at once, some ten bytes each, because all of them are put in
    order; everything else goes through in chunks.
    """
    design = releasable_design(run.version)
    _check(run)
    rows = b"".join(packed_rows(run.version, batches_of(run)))
    exported = released(rows, design)
    del rows
    # Files are in English: their reader need not be who asked for them. Labels come in every language.
    with override("en"):
        if kind == "zip":
            _write(run, design, exported, out, now)
        elif kind == "xml":
            out.write(_ddi(run, design, exported, now).encode())
        else:
            _write_labelled(run, design, exported, out, kind, language)
    audit_event_record(
        actor=by.get_username() if by else "command line",
        action="data_export",
        target=f"{run.survey.slug} run {run.pk}",
        detail={"snapshot": run.snapshot_digest, "groups": exported.with_group, "file": kind},
    )


def _check(run: Run) -> None:
    if run.job.state != run.job.State.FINISHED:
        raise SurveyError("not_finished", run.job.state, run=run.pk)
    if not shown_of(run).results:
        raise SurveyError("too_few.file", LEAST_PROTECTED, least=LEAST_PROTECTED)
    size = (run.n or 0) * Layout(run.version.to_design()).n_bytes
    if size > MOST_BYTES:
        raise SurveyError("too_large.file", size, size=size >> 20, most=MOST_BYTES >> 20)


def _write(run: Run, design: Design, exported: Released, out: IO[bytes], now: datetime) -> None:
    entries = entries_of(run.version, design, with_group=exported.with_group)
    variables = variables_of(run.version, design, with_group=exported.with_group, language="en")
    languages = run.version.languages
    labels = labels_of(run.version, design)
    experiments = exported_experiments(run, exported)
    settings_of_run = reproduction_settings(run, design, exported)
    title = run.survey.title_text
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr("README.md", _readme(run, design, exported, has_arms=bool(experiments)))
        _rows(archive, exported, design)
        archive.writestr("design.json", json.dumps(design.to_json(), indent=2))
        archive.writestr("codebook.csv", codebook_csv(entries, languages, variables))
        archive.writestr("codebook.xml", _ddi(run, design, exported, now))
        archive.writestr("codebook.html", codebook_page(entries, languages, variables, title=title))
        _lines(archive, "run/itemsets.csv", itemsets_csv(run, labels))
        _lines(archive, "run/rules.csv", rules_csv(run, labels))
        archive.writestr("run/settings.json", json.dumps(settings_of_run, indent=1))
        archive.writestr("reproduce.py", reproduction_script())
        if experiments:
            _lines(archive, "run/arms.csv", arms_csv(experiments))
    sign_archive(out, snapshot_statement(run) | {"rows": len(exported.packed)})


def _ddi(run: Run, design: Design, exported: Released, now: datetime) -> str:
    return ddi_codebook(
        run,
        design,
        entries_of(run.version, design, with_group=exported.with_group),
        variables_of(run.version, design, with_group=exported.with_group, language="en"),
        rows=len(exported.packed),
        now=now,
    )


def _write_labelled(
    run: Run, design: Design, exported: Released, out: IO[bytes], kind: FileKind, language: str
) -> None:
    variables = variables_of(run.version, design, with_group=exported.with_group, language=language)
    notes = file_notes(run, design, variables)
    with _directory() as name:
        path = Path(name) / f"rows.{kind}"
        labelled_file(path, kind, coded_rows(exported, design), variables, notes)
        with path.open("rb") as file:
            shutil.copyfileobj(file, out)


def _directory() -> TemporaryDirectory[str]:
    """Return a directory that goes when its files are copied: some writers seek or ask for their place."""
    return TemporaryDirectory(prefix="sottovoce-export-", dir=settings.SOTTOVOCE_HOME)


def _rows(archive: zipfile.ZipFile, exported: Released, design: Design) -> None:
    schema = rows_schema(design, with_group=exported.with_group)
    options = pa_csv.WriteOptions(quoting_style="needed")
    with _directory() as name:
        lines, columns = Path(name) / "rows.csv", Path(name) / "rows.parquet"
        with (
            pa_csv.CSVWriter(str(lines), schema, write_options=options) as as_csv,
            pa_parquet.ParquetWriter(str(columns), schema, compression="zstd") as as_parquet,
        ):
            for table in tables(exported, design):
                as_csv.write_table(table)
                as_parquet.write_table(table)
        archive.write(lines, "rows.csv")
        archive.write(columns, "rows.parquet", compress_type=zipfile.ZIP_STORED)


def _readme(run: Run, design: Design, exported: Released, *, has_arms: bool) -> str:
    return render_to_string(
        "export/readme.md",
        {
            "run": run,
            "survey": run.survey,
            "about": about_texts(run.version, "en"),
            "rows": len(exported.packed),
            "found": exported,
            "served": run.version.holds_undisguised,
            "columns": rows_schema(design, with_group=exported.with_group).names,
            "design": design,
            "has_arms": has_arms,
            "all_rows": counts_all_rows(run),
            "blocks": list(laws_of(design)),
            "opened": [block for block in design.blocks if not block.protected],
        },
    )


def _lines(archive: zipfile.ZipFile, name: str, lines: Iterable[str]) -> None:
    with archive.open(name, "w") as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as file:
        for line in lines:
            file.write(line)
