"""Publish a release: read, check, group, verify, compare with earlier releases, write."""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from anonymisation.microdata.attackers import Attacker, attacker_audit, attacker_check, attacker_read
from anonymisation.microdata.background import Background
from anonymisation.microdata.build import Build
from anonymisation.microdata.checks import totals_check
from anonymisation.microdata.citation import FORMATS, citation_cff, datacite
from anonymisation.microdata.column_hierarchies import hierarchies_read
from anonymisation.microdata.config import ReleaseConfig
from anonymisation.microdata.construction import ReportProgress, release_make
from anonymisation.microdata.data_files import labelled_bytes, parquet_bytes
from anonymisation.microdata.description import Description
from anonymisation.microdata.files import DEPOSIT, codebook_of, csv_bytes, directory_publish, manifest_of
from anonymisation.microdata.ledgers import KEYED, Ledger, earlier_check, ledger_load, ledgers_check
from anonymisation.microdata.methods_text import methods_text
from anonymisation.microdata.record_order import shuffled_order
from anonymisation.microdata.report import report_html
from anonymisation.microdata.text_files import text_of_file
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.sdc.bayes_beliefs import BeliefAudit
from privacy.sdc.classes import Classes
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.panels import panel_of
from privacy.sdc.record_owners import person_columns, person_of, repeated_columns
from privacy.sdc.table import Table
from privacy.sdc.unit import SURVEY, Counting, counting_of, size_text
from privacy.tables.column_names import name_columns
from privacy.tables.columns import ReadTable
from privacy.tables.date_spans import SPANS
from privacy.tables.dates import is_ambiguous
from privacy.tables.decisions import Decisions
from privacy.tables.reader import Reading, as_read, read_decisions
from privacy.tables.row_numbers import numbers_rows
from surveys.errors.error import SurveyError
from surveys.formats.page_pictures import files_of
from surveys.imports.files.uploaded_tables import table_open

_MANIFEST: Final = f"{DEPOSIT}/manifest.json"


@dataclass(frozen=True, kw_only=True, eq=False)
class PreparedRelease:
    """A verified release with its files."""

    result: Build
    files: Mapping[str, bytes]
    ledger: Ledger | None
    audits: Sequence[tuple[Attacker, BeliefAudit]]
    decisions: Decisions = field(default_factory=Decisions)
    """What was decided when the table was read."""
    old: int = 0
    """Number of earlier releases that were compared and counted records without asking whose they are."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the publisher on what is counted; they are not part of the release."""
        counting = self.result.counting
        if counting is None:
            return ()
        # With people, the notes of the release state their number.
        stated = () if self.result.people is not None else (counting.sentence,)
        return (*stated, *counting.notes(), *((old_ledgers(self.old),) if self.old else ()))


def old_ledgers(count: int) -> str:
    """Return a note on earlier releases that counted records without asking whose they are."""
    return (
        f"{count} of the earlier releases counted records, not people: made before the publisher was asked "
        "which records belong to one person. If people had several records in it, comparing it with this one "
        "protects records only."
    )


def release_prepare(
    table: Table,
    respondents: Sequence[str] | None,
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    *,
    day: str,
    background: Background,
    before: Sequence[Ledger] = (),
    attackers: Sequence[Attacker] = (),
    previous_class: Whole | None = None,
    counting: Counting,
    totals: Sequence[Path] = (),
    progress: ReportProgress = lambda stage, done, total: None,
) -> PreparedRelease:
    """Make a release of a table, and compare it with earlier releases.

    Raises
    ------
    PrivacyError
        The configuration or the result is invalid.
    """
    for attacker in attackers:
        attacker_check(attacker, table)
    people = None if counting.people is None else counting.people.of(table)
    if people is not None and before:
        raise SurveyError("people.earlier", len(table) - int(people.max()) - 1)
    new = release_make(
        table, hierarchies, config, previous_class=previous_class, people=people, progress=progress
    )
    new = replace(new, counting=counting)
    progress("checking", 0, 1)
    audits = _audits(new, attackers)
    order = shuffled_order(len(new.table))
    # A ledger needs one record per person, to match records of earlier and later releases.
    ledger = None if respondents is None or people is not None else _ledger(new, respondents, before)
    for path in totals:
        totals_check(new.table, path, k=config.k, l_of=config.l_of, people=people)
    progress("writing", 0, 1)
    files = {
        f"{DEPOSIT}/{name}": body for name, body in _deposit(new, order, totals, background, day=day).items()
    }
    files |= _report(new, audits)
    old = 0 if counting.why == SURVEY else sum(not each.counted for each in before)
    return PreparedRelease(result=new, files=files, ledger=ledger, audits=audits, old=old)


def release_publish(
    source: Path | tuple[list[str], list[list[str]], list[str]],
    config: ReleaseConfig,
    out: Path,
    *,
    day: str,
    background: Background | None,
    description: Description | None = None,
    ledger: Path | None,
    earlier: Sequence[Path],
    extend: Path | None,
    coarsen: Path | None = None,
    totals: Sequence[Path],
    progress: ReportProgress,
    sheet: str = "",
) -> PreparedRelease | None:
    """Make a release of a CSV file, or of (header, rows, respondents), and write it completely or not at all.

    Without a background, the title is the name of the file or of the output directory.

    Returns
    -------
    PreparedRelease or None
        None if an earlier process was killed after publishing the files; then only its ledger is put in
        place.

    Raises
    ------
    PrivacyError
        The input, the configuration or the result is invalid; then nothing is written.
    """
    if out.exists():
        if ledger is None or not _restore_ledger(out, ledger):
            raise SurveyError("out.exists", str(out), out=out)
        return None
    progress("reading", 0, 1)
    read, table, respondents, counting, config = _source(source, config, sheet)
    hierarchies = hierarchies_read(table, config)
    if ledger is not None and ledger.exists():
        raise SurveyError("ledger.exists", str(ledger), ledger=ledger)
    base_path = extend or coarsen
    config = replace(config, coarsen=coarsen is not None)
    if (ledger or earlier or base_path) and respondents is None:
        raise SurveyError("respondent.missing")
    if (ledger or earlier or base_path) and respondents and counting.people is not None:
        most_common = int(np.bincount(counting.people.number).argmax())
        first = int((counting.people.number == most_common).argmax())
        raise SurveyError("respondent.twice", respondents[first])
    before = [ledger_load(path) for path in (*earlier, *filter(None, [base_path]))]
    ledgers_check(before, respondents)
    previous_class = None
    if base_path is not None and respondents is not None:
        owners = [respondents[number] for number in table.source_rows.tolist()]
        previous_class = np.array(before[-1].previous_class(owners), dtype=np.int64)
    result = release_prepare(
        table,
        respondents,
        hierarchies,
        config,
        day=day,
        background=replace(
            background or Background(title=source.stem if isinstance(source, Path) else out.name),
            description=description,
        ).with_labels(read),
        before=before,
        attackers=[
            attacker_read(name, text_of_file(path, "beliefs.file"))
            for name, paths in config.beliefs.items()
            for path in paths
        ],
        previous_class=previous_class,
        counting=counting,
        totals=totals,
        progress=progress,
    )
    _write(result, out, ledger)
    progress("done", 1, 1)
    return replace(result, decisions=read.decisions)


def _write(bundle: PreparedRelease, out: Path, ledger: Path | None) -> None:
    """Publish the files, then the ledger, so that no ledger describes files that were never published.

    The ledger is first written to a draft. If the process is killed between the two steps, the next
    process finds the draft by the digest of the manifest.
    """
    draft = None
    if bundle.ledger is not None and ledger is not None:
        for left_over in ledger.parent.glob(f"{glob.escape(_draft_prefix(out, ledger))}{'[0-9a-f]' * 16}"):
            left_over.unlink()
        draft = _ledger_draft(out, ledger, bundle.files[_MANIFEST])
        try:
            bundle.ledger.save(draft)
        except OSError as error:
            raise _ledger_error(ledger, error) from error
    try:
        directory_publish(out, bundle.files)
    except BaseException:
        # A rename can succeed and still report an error.
        if draft is not None and not out.exists():
            draft.unlink(missing_ok=True)
        raise
    if draft is not None and ledger is not None:
        _ledger_publish(draft, ledger)


def _draft_prefix(out: Path, ledger: Path) -> str:
    return f".{ledger.name}-{out.name}-"


def _ledger_draft(out: Path, ledger: Path, manifest: bytes) -> Path:
    """Return the path of a ledger's draft, used until the release is published."""
    return ledger.with_name(_draft_prefix(out, ledger) + hashlib.sha256(manifest).hexdigest()[:16])


def _ledger_publish(draft: Path, ledger: Path) -> None:
    try:
        os.replace(draft, ledger)
    except OSError as error:
        raise _ledger_error(ledger, error) from error


def _ledger_error(ledger: Path, error: OSError) -> SurveyError:
    return SurveyError("ledger.write", str(ledger), path=ledger, error=error.strerror)


def _restore_ledger(out: Path, ledger: Path) -> bool:
    """Put the ledger of a published release in place, if a process was killed before it could."""
    manifest = out / _MANIFEST
    if ledger.exists() or not manifest.is_file():
        return False
    draft = _ledger_draft(out, ledger, manifest.read_bytes())
    if draft.is_file():
        _ledger_publish(draft, ledger)
    return ledger.exists()


def _audits(result: Build, attackers: Sequence[Attacker]) -> list[tuple[Attacker, BeliefAudit]]:
    """Return the effect of a release on the beliefs of each attacker."""
    read, classes = result.source.take(result.rows), result.classes
    # Classes count published values, even if an algorithm changed them.
    columns = (
        result.table.column(column.name) if column.role == "sensitive" else column for column in read.columns
    )
    source = replace(read, columns=tuple(columns))
    audits = []
    for attacker in attackers:
        people, groups = source, classes
        if result.owners is not None:
            # A person counts once for each value, even if several records have it.
            indices = distinct_rows([result.owners, source.column(attacker.sensitive).codes])[0]
            people, groups = source.take(indices), Classes.from_numbers(classes.number[indices])
        requirement = result.config.requirement_of(attacker.sensitive)
        audits.append((attacker, attacker_audit(attacker, people, groups, requirement)))
    return audits


def _ledger(result: Build, respondents: Sequence[str], before: Sequence[Ledger]) -> Ledger:
    """Write the ledger, and refuse a release that reveals too much together with an earlier one."""
    config = result.config
    ledger = Ledger.of(
        result.table,
        [respondents[number] for number in result.table.source_rows.tolist()],
        k=config.k,
        l_value=config.l_value if result.table.sensitive else 1,
        salt=before[0].salt if before else None,
        l_of={name: config.l_of(name) for name in config.own},
        counted="" if result.counting is None else result.counting.why,
        # Digests can only be compared if they are all made in the same way.
        spelling=KEYED if all(each.spelling == KEYED for each in before) else "",
    )
    for earlier in before:
        if earlier.salt != ledger.salt:
            raise SurveyError("ledger.salts")
        earlier_check(earlier, ledger)
    return ledger


def _source(
    source: Path | tuple[list[str], list[list[str]], list[str]], config: ReleaseConfig, sheet: str
) -> tuple[ReadTable, Table, list[str] | None, Counting, ReleaseConfig]:
    """Read a table; return it unchanged and as configured, its respondents, and what is counted.

    The returned configuration includes proposed texts for "missing" in columns that declare none.
    """
    if not isinstance(source, Path):
        header, rows, respondents = source
        read = ReadTable.of_rows(header, rows)
        if config.respondent or config.people:
            raise SurveyError("people.survey")
        config = config.with_missing(_proposed_missing(read, config))
        table = Table.from_codes(header, read.codes, config.rules)
        return read, table, respondents, Counting(why=SURVEY), config
    read = name_columns(table_open(source, sheet=sheet))
    plan_names = {rule.name for rule in config.rules}
    columns = (column for column in read.columns if column.name in plan_names or not numbers_rows(column))
    read = replace(read, columns=tuple(columns))
    names = person_columns(config.respondent, read.header)
    for name in names:
        if name not in read.header:
            raise PrivacyError("unknown_column.name", name, names=", ".join(read.header))
    left_out = {rule.name for rule in config.rules if rule.role == "identifier"}
    if names and not left_out & set(names):
        raise SurveyError("people.published", " + ".join(names))
    found = repeated_columns(column for column in read.columns if column.name in left_out)
    counting = counting_of(read, found, statement=config.people, columns=names, panel=panel_of(read))
    readings = _readings(read, config)
    config = config.with_missing(
        {name: each.missing for name, each in readings.items() if name not in config.missing_stated}
    )
    table = Table.from_codes(read.header, as_read(read, readings, empty=False).codes, config.rules)
    return (
        replace(read, decisions=read_decisions(read, readings)),
        table,
        person_of([read.column(name) for name in names]) if names else None,
        counting,
        config,
    )


def _readings(read: ReadTable, config: ReleaseConfig) -> dict[str, Reading]:
    """Read published columns as configured; refuse ambiguous dates unless `month_first` is set."""
    readings = {}
    rules = {rule.name: rule for rule in config.rules}
    for column in read.columns:
        rule, kind = rules.get(column.name), config.kinds.get(column.name, "")
        if rule is None or rule.role in ("identifier", "disguised"):
            continue
        month_first = config.month_first.get(column.name)
        reading = Reading.of(
            column,
            kind=rule.kind if rule.kind == "numeric" and kind not in SPANS else kind or "categorical",
            missing=rule.missing_texts if column.name in config.missing_stated else None,
            month_first=bool(month_first),
            as_written=column.name in config.as_written,
        )
        texts = [text for text in column.values if text not in reading.missing]
        if kind in ("month", "quarter") and month_first is None and (text := is_ambiguous(texts)):
            raise SurveyError("config.month_first", text, name=column.name)
        readings[column.name] = reading
    return readings


def _proposed_missing(read: ReadTable, config: ReleaseConfig) -> dict[str, tuple[str, ...]]:
    """Propose texts for "missing" in the columns for which the plan states none."""
    silent = {
        rule.name
        for rule in config.rules
        if rule.role not in ("identifier", "disguised") and rule.name not in config.missing_stated
    }
    return {column.name: Reading.of(column).missing for column in read.columns if column.name in silent}


def _deposit(
    result: Build, order: list[int], totals: Sequence[Path], background: Background, *, day: str
) -> dict[str, bytes]:
    """Write the files for the archive."""
    methods = methods_text(result, background.notes)
    files = {
        "data.csv": csv_bytes(result.table, order),
        **({"data.parquet": parquet_bytes(result.table, order)} if find_spec("pyarrow") else {}),
        **dict(labelled_bytes(result, background, order, tuple(filter(None, methods.splitlines())))),
        "codebook.json": _json(codebook_of(result, background)),
        "methods.txt": methods.encode(),
    }
    if background.description is not None:
        files |= _citations(result, background.description, day, [name for name in files if "data." in name])
    files["manifest.json"] = _json(
        manifest_of(result, dict(files), day, totals=[path.read_bytes() for path in totals])
    )
    return files


def _citations(result: Build, description: Description, day: str, data: Sequence[str]) -> dict[str, bytes]:
    """Write the metadata for catalogues and the citation."""
    formats = [FORMATS[name.rpartition(".")[2]] for name in data]
    size = size_text(len(result.table), result.published_people)
    return {
        "datacite.json": _json(datacite(description, day=day, size=size, formats=formats)),
        "CITATION.cff": citation_cff(description, day=day).encode(),
    }


def _report(result: Build, audits: Sequence[tuple[Attacker, BeliefAudit]]) -> dict[str, bytes]:
    """Write the publisher's report."""
    report = report_html(result, audits)
    style = resources.files("surveys").joinpath("static/surveys/css/report.css")
    return {"report.html": report.encode("utf-8"), "report.css": style.read_bytes(), **files_of(report)}


def _json(document: Mapping[str, Any]) -> bytes:
    return (json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")
