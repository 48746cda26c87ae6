"""The ZIP file of a run: rows, codebook, figures, and a script that reproduces the figures."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.http import FileResponse
from django.utils.translation import override

from privacy.errors import PrivacyError
from privacy.survey.column_names import group_name
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from surveys.errors.error import SurveyError
from surveys.formats.markdown import markdown_file
from surveys.models import Run
from surveys.models.audit_event import audit_event_record
from surveys.policy import LEAST_PROTECTED
from surveys.questionnaire.about_texts import about_texts
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.labels import JOIN, Labels, labels_of
from surveys.report.export.codebook import codebook_csv, entries_of
from surveys.report.export.ddi import ddi_codebook
from surveys.report.export.disguise_laws import laws_of
from surveys.report.export.file_notes import file_notes
from surveys.report.export.labelled_files import FILE_LABEL, STORED_LABEL, FileKind, labelled_file
from surveys.report.export.r_script import R_FILE, r_script
from surveys.report.export.reproduction import reproduction_script, reproduction_settings
from surveys.report.export.rows import ExportRows, coded_rows, row_lines, rows_as_parquet, sorted_rows
from surveys.report.export.rule_columns import itemsets_as_csv, rules_as_csv
from surveys.report.export.variables import variables_of
from surveys.report.opened_run import OpenedRun
from surveys.report.results.arm_effects import ArmText, arms_of
from surveys.report.results.outcomes import COLUMNS
from surveys.report.results.related_records import (
    BASE_COLUMNS,
    RELATED_COLUMNS,
    base_records,
    related_records,
)
from surveys.report.rules.itemset_query import ItemsetQuery
from surveys.report.rules.rows_or_counts import all_itemsets
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import all_rules
from surveys.report.run_facts import english_rules, with_look
from surveys.report.sentences.forged import forged_of
from surveys.runs.draw_facts import counts_all_rows
from surveys.runs.look import look_of, look_record
from surveys.runs.look_words import file_mark, look_text, title_mark
from surveys.runs.predictions import predicted_of, predicted_records
from surveys.runs.releasable_rows import packed_rows, releasable_design
from surveys.runs.shown_of_run import shown_of
from surveys.runs.signature import snapshot_statement
from surveys.runs.signed_archive import sign_archive
from surveys.runs.snapshot import batches_of


def itemsets_csv(run: Run, labels: Labels) -> Iterator[str]:
    """Yield the lines of the CSV file of itemsets, with the columns of the page's file."""
    return itemsets_as_csv(all_itemsets(run, ItemsetQuery(sort="size")), labels, run)


def rules_csv(run: Run, labels: Labels) -> Iterator[str]:
    """Yield the lines of the CSV file of rules, with the columns of the page's file."""
    return rules_as_csv(all_rules(run, RuleQuery(sort="order")), labels, run)


def exported_experiments(run: Run, export: ExportRows) -> tuple[ArmText, ...]:
    """Return a run's results by arms, without weights, if its report and rows show them."""
    open_run = OpenedRun(run, labels_of(run.version, run.design))
    experiments = []
    for by, groups in choices_of_arms(run.design).items():
        if not export.with_group and any(group.direct is not None for group in groups):
            continue
        try:
            experiments.append(arms_of(open_run, by))
        except PrivacyError:
            # The page gives the reason.
            continue
    return tuple(experiments)


def arms_csv(run: Run, experiments: tuple[ArmText, ...]) -> Iterator[str]:
    """Yield the lines of the CSV file of results by arms."""
    return with_look(run, COLUMNS, [record for text in experiments for record in text.records()])


MOST_PACKAGE_BYTES: Final = 1 << 30
"""Largest snapshot that is loaded into memory, in bytes of packed rows."""


def data_export(
    run: Run, out: IO[bytes], *, by: User | None, now: datetime, kind: FileKind = "zip", language: str = "en"
) -> None:
    """Write the ZIP file of a run, or its rows alone for one program.

    Parameters
    ----------
    run : Run
        A finished run, whose snapshot is exported.
    out : binary file
        Must be writable, readable and seekable.
    by : User or None
        The person who exports the data; None for the command line.
    now : datetime
    kind : {"zip", "sav", "dta", "xml"}
        What to write: everything, only the rows for SPSS or Stata, or only the codebook for archives.
    language : str
        Language of the labels in SPSS and Stata, one of the survey's. Other files have all languages.

    Raises
    ------
    SurveyError
        ``not_finished``; ``too_few`` protected answers; ``too_large`` to export; ``snapshot``: the batches
        are no longer those of the run.
    OSError
        `out` cannot be read, which signing requires.

    Notes
    -----
    All packed rows of the snapshot are in memory at once, about ten bytes each, because they must be sorted.
    Everything else is written in chunks.
    """
    design = releasable_design(run.version)
    _check(run)
    rows = b"".join(packed_rows(run.version, batches_of(run)))
    exported = sorted_rows(rows, design)
    del rows
    # Files are in English, because their readers need not speak the exporter's language. Labels are in every
    # language of the survey.
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
    if size > MOST_PACKAGE_BYTES:
        raise SurveyError("too_large.file", size, size=size >> 20, most=MOST_PACKAGE_BYTES >> 20)


def _write(run: Run, design: Design, export: ExportRows, out: IO[bytes], now: datetime) -> None:
    entries = entries_of(run.version, design, with_group=export.with_group)
    variables = variables_of(run.version, design, with_group=export.with_group, language="en")
    labels = labels_of(run.version, design)
    experiments = exported_experiments(run, export)
    settings_of_run = reproduction_settings(run, design, export)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr("README.md", _readme(run, design, export, has_arms=bool(experiments)))
        _rows(archive, export, design)
        archive.writestr("design.json", json.dumps(design.to_json(), indent=2))
        archive.writestr("codebook.csv", codebook_csv(entries, run.version.languages, variables))
        archive.writestr("codebook.xml", _ddi(run, design, export, now))
        _lines(archive, "run/itemsets.csv", itemsets_csv(run, labels))
        _lines(archive, "run/rules.csv", rules_csv(run, labels))
        archive.writestr("run/settings.json", json.dumps(settings_of_run, indent=1))
        archive.writestr("reproduce.py", reproduction_script())
        archive.writestr(R_FILE, r_script())
        if predictions := predicted_records(run, labels):
            records = ({**prediction, "items": JOIN.join(prediction["items"])} for prediction in predictions)
            _lines(archive, "run/predicted.csv", with_look(run, tuple(predictions[0]), records))
        if bases := base_records(run):
            _lines(archive, "run/bases.csv", with_look(run, BASE_COLUMNS, bases))
        if related := related_records(run):
            _lines(archive, "run/related.csv", with_look(run, RELATED_COLUMNS, related))
        if experiments:
            _lines(archive, "run/arms.csv", arms_csv(run, experiments))
    sign_archive(out, snapshot_statement(run) | {"rows": len(export.rows), "look": look_record(run)})


def _ddi(run: Run, design: Design, export: ExportRows, now: datetime) -> str:
    return ddi_codebook(
        run,
        design,
        entries_of(run.version, design, with_group=export.with_group),
        variables_of(run.version, design, with_group=export.with_group, language="en"),
        rows=len(export.rows),
        now=now,
    )


def _write_labelled(
    run: Run, design: Design, export: ExportRows, out: IO[bytes], kind: FileKind, language: str
) -> None:
    variables = variables_of(run.version, design, with_group=export.with_group, language=language)
    notes = file_notes(run, design, variables)
    with _directory() as name:
        path = Path(name) / f"rows.{kind}"
        title = FILE_LABEL if design.protects else STORED_LABEL
        title = title_mark(run) + title
        labelled_file(path, kind, coded_rows(export, design), variables, notes, title)
        with path.open("rb") as file:
            shutil.copyfileobj(file, out)


def _directory() -> TemporaryDirectory[str]:
    """Return a temporary directory, for libraries that need a path or must seek in their file."""
    return TemporaryDirectory(prefix="sottovoce-export-", dir=settings.SOTTOVOCE_HOME)


def _rows(archive: zipfile.ZipFile, export: ExportRows, design: Design) -> None:
    _lines(archive, "rows.csv", row_lines(export, design))
    if find_spec("pyarrow"):
        with _directory() as name:
            path = Path(name) / "rows.parquet"
            rows_as_parquet(export, design, path)
            archive.write(path, path.name, compress_type=zipfile.ZIP_STORED)


def _readme(run: Run, design: Design, export: ExportRows, *, has_arms: bool) -> str:
    return markdown_file(
        "export/readme.md",
        {
            "run": run,
            "look": look_text(look_of(run)),
            "about": about_texts(run.version, "en"),
            "rows": len(export.rows),
            "served": run.version.holds_undisguised,
            "has_parquet": find_spec("pyarrow"),
            "group": group_name(design) if export.with_group else "",
            "design": design,
            "exact_outside": any(
                question.disguise and question.disguise.exact_outside for question in design.questions
            ),
            "has_arms": has_arms,
            "has_bases": bool(base_records(run)),
            "has_related": bool(related_records(run)),
            "forged": forged_of(run),
            "has_predicted": bool(predicted_of(run)),
            "all_rows": counts_all_rows(run),
            "blocks": list(laws_of(design)),
            "rules": english_rules(run.version, design),
        },
    )


def _lines(archive: zipfile.ZipFile, name: str, lines: Iterable[str]) -> None:
    with (
        archive.open(name, "w", force_zip64=True) as raw,
        io.TextIOWrapper(raw, encoding="utf-8", newline="") as file,
    ):
        for line in lines:
            file.write(line)


TYPES: Final[dict[FileKind, str]] = {
    "zip": "application/zip",
    "sav": "application/x-spss-sav",
    "dta": "application/x-stata-dta",
    "xml": "application/xml",
}
"""Media types by file extension."""


def send_run(run: Run, kind: FileKind, *, language: str, by: User, now: datetime) -> FileResponse:
    """Write the file of a run and return a response that sends it; the log records who downloaded it.

    Raises
    ------
    PrivacyError
        As `surveys.report.export.data_package.data_export`.
    """
    # The file is sent after this function returns. The response closes it, which deletes it.
    file = TemporaryFile(prefix="sottovoce-", dir=settings.SOTTOVOCE_HOME)  # noqa: SIM115  # closed by the response
    try:
        data_export(run, file, by=by, now=now, kind=kind, language=language)
    except PrivacyError:
        file.close()
        raise
    file.seek(0)
    name = f"sottovoce-{run.survey.slug}-run-{run.pk}{file_mark(run)}.{kind}"
    return FileResponse(file, as_attachment=True, filename=name, content_type=TYPES[kind])
