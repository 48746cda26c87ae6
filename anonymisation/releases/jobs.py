"""Jobs for releases: create a release with its files and findings, and read a large file from its parts."""

from __future__ import annotations

import io
import itertools
import json
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from pathlib import PurePath
from typing import Any, Final

import numpy as np
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import override

from anonymisation.microdata.checks import Ledger, ledger_read
from anonymisation.microdata.description import description_read
from anonymisation.microdata.files import DEPOSIT, Background, Build, Wording
from anonymisation.microdata.publication import release_prepare
from anonymisation.microdata.report import lattice_document
from anonymisation.models import READ_KIND, Release, ReleasePart, ReleaseTable
from anonymisation.releases.columns import releases_of_same_people
from anonymisation.releases.drafts import (
    FILES,
    LEDGER,
    REPORT,
    attackers_of,
    release_begin,
    table_open,
    table_store,
)
from anonymisation.releases.plan import plan_document, release_plan
from anonymisation.releases.release_events import release_log
from anonymisation.releases.storage import bytes_open, bytes_seal, document_open, document_seal
from privacy.sdc.attacks import background_knowledge, homogeneous, link
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.privacy_models import leakage
from privacy.sdc.reidentification_risk import risk
from privacy.sdc.table import Column, Table
from privacy.survey.design import Design
from privacy.tables.columns import ReadTable
from privacy.tables.header import name_columns
from privacy.tables.packed_file import MOST_CELLS_OF_A_FILE, is_packed
from surveys.errors.error import SurveyError
from surveys.imports.table_reading import LARGEST_FILE, MOST_ANSWER_OF_A_FILE, table_read, text_table
from surveys.jobs import lease
from surveys.jobs.bounds import memory_megabytes
from surveys.jobs.lease import Report
from surveys.models import Survey, Version
from surveys.report.export.codebook import Entry, entries_of
from surveys.report.export.disguise_laws import law_text
from surveys.report.export.file_notes import WARNING, list_notes
from surveys.report.export.row_columns import columns_of as answer_columns
from surveys.runs.disclosure import rounded_count
from surveys.runs.snapshot import batches_open_to_mining

MOST_PEOPLE: Final = 1000
"""Largest number of people that the linking attack targets; in a larger table, the most exposed ones."""


def findings_of(result: Build) -> dict[str, Any]:
    """Measure a release, and attack it using its own records as the attacker's knowledge.

    Parameters
    ----------
    result : Build

    Returns
    -------
    dict
        ``risk`` before and after, ``bounds`` required and reached, ``loss``, ``leaks`` and ``attacks``.
    """
    before = Classes.of_columns(result.source.quasi_identifiers)
    after = result.classes
    return {
        "records": len(result.table),
        **({} if result.people is None else {"people": result.published_people}),
        **({} if result.counting is None else {"counted": result.counting.document}),
        "suppressed": result.loss.suppressed,
        "dropped": result.source.dropped,
        "changed": result.changed,
        "classes": after.count,
        "bounds": [
            {"column": bound.sensitive, "model": bound.model, "asked": bound.asked, "reached": bound.reached}
            for bound in result.verdicts
        ],
        "risk": {"before": _risk(result, before), "after": _risk(result, after)},
        "loss": {
            "ncp": result.loss.ncp,
            "ilp_share": result.loss.ilp_share,
            "own_share": None
            if result.own_ilp is None
            else result.own_ilp / (len(result.table) + result.loss.suppressed),
            "weights": result.weights,
            **({"expert": result.source.sensitive[0].name} if result.config.matrix is not None else {}),
            "columns": dict(result.loss.by_column),
            "errors": {error.name: asdict(error) for error in result.errors},
        },
        "leaks": [_leaks(result, column.name) for column in result.table.sensitive],
        "attacks": _attacks(result, before),
        "multi_attribute": result.config.multi_attribute and len(result.table.sensitive) > 1,
        "lattice": lattice_document(result.tradeoff),
    }


def _risk(release: Build, classes: Classes) -> dict[str, Any]:
    sizes = classes.crowds(release.people if len(classes.number) == len(release.source) else release.owners)
    result = risk(sizes)
    return {
        "smallest": int(sizes.min()),
        "alone": result.sample_uniques,
        "highest": result.prosecutor_highest,
        "mean": result.prosecutor_mean,
        "at_risk": result.at_risk,
    }


def _leaks(result: Build, name: str) -> dict[str, Any]:
    """Return the bits that a class reveals about a sensitive value, before and after."""
    column = result.table.column(name)
    raw = leakage(ClassMatrix.of(result.classes_before, column, result.owners))
    now = leakage(ClassMatrix.of(result.classes, column, result.owners))
    return {
        "column": name,
        "entropy": now.entropy,
        "before": raw.mutual_information,
        "after": now.mutual_information,
    }


def _attacks(result: Build, before: Classes) -> dict[str, Any]:
    """Link the people of the table with the release, and count what the classes disclose."""
    # The most exposed people come first: those who were alone in their class, or with the fewest others.
    crowd = before.crowds(result.people)[before.number]
    rows = np.argsort(crowd, kind="stable")
    if result.people is not None:
        # Keep the most exposed record of each person.
        rows = rows[np.sort(np.unique(result.people[rows], return_index=True)[1])]
    rows = rows[:MOST_PEOPLE]
    targets = result.source.take(np.asarray(rows, dtype=np.int64))
    people = {column.name: column.texts for column in targets.quasi_identifiers}
    # Attack each sensitive column separately.
    results = []
    for column in result.table.sensitive or (None,):
        other_columns = tuple(
            other for other in result.table.columns if other.role != "sensitive" or other is column
        )
        results.append(_link_people(result, column, other_columns, people))
    # The attacker also knows a person's other protected values; results are averaged over everyone.
    sensitive = result.table.sensitive
    knowing = [
        {
            "column": column.name,
            "people": result.published_people or len(result.table),
            "disclosed": result.certain_of(column, [other for other in sensitive if other is not column]),
        }
        for column in sensitive
        if len(sensitive) > 1
    ]
    return {
        "alone_before": int((crowd[rows] == 1).sum()),
        "linked": results,
        "knowing": knowing,
        "read_off": [_disclosure(result, column.name) for column in result.table.sensitive],
    }


def _link_people(
    result: Build, column: Column | None, columns: tuple[Column, ...], people: Mapping[str, list[str]]
) -> dict[str, Any]:
    """Look people up by the quasi-identifiers among `columns`, to learn their value of `column`."""
    table = Table(columns=columns, source_rows=result.table.source_rows)
    links = link(table, people, result.domains, owners=result.owners)
    candidates = [link.candidates for link in links if link.candidates]
    return {
        "column": "" if column is None else column.name,
        "people": len(links),
        "identified": sum(link.identified for link in links),
        "disclosed": sum(link.disclosed for link in links),
        "fewest": min(candidates, default=0),
    }


def _disclosure(result: Build, name: str) -> dict[str, Any]:
    column = result.table.column(name)
    matrix = ClassMatrix.of(result.classes, column, result.owners)
    certain, certain_after_one = background_knowledge(matrix, most_exclusions=1).certainty
    return {
        "column": name,
        "one_value_records": sum(cls.size for cls in homogeneous(matrix, column.real)),
        "certain": certain,
        "certain_after_one": certain_after_one,
    }


# The codebook has digits for yes/no columns, but tables of answers have words.
_WORDS: Final = {"1": "yes", "0": "no"}


def release_background(release: Release) -> Background:
    """Return the background of a release's table."""
    published = {column["name"] for column in release.columns if column["role"] != "identifier"}
    background = (
        Background(title=PurePath(release.name).stem)
        if release.survey is None
        else survey_background(release.survey, published)
    )
    return replace(background, description=description_read(release.description))


def survey_background(survey: Survey, published: Collection[str]) -> Background:
    """Return the title of a survey, the wording of its columns, and how the published ones were disguised."""
    version = survey.versions.latest("number")
    design = Design.from_json(version.design)
    # Files are in English, as readers may not share the requester's language. Questions are in all languages.
    with override("en"):
        entries = entries_of(version, design, with_group=False)
        notes = tuple(_notes(version, design, published))
    return Background(
        title=next(iter(survey.title.values())),
        notes=notes,
        columns={
            column: _wording(list(lines))
            for column, lines in itertools.groupby(entries, key=lambda entry: entry.column)
        },
    )


def _notes(version: Version, design: Design, published: Collection[str]) -> Iterator[str]:
    """Yield notes on how to read the published columns of protected questions, and on missing rows."""
    columns = {
        block: [name for question in block.questions for name in question.columns if name in published]
        for block in design.blocks
        if block.protected
    }
    if any(columns.values()):
        yield WARNING
    for block, names in columns.items():
        if names:
            yield f"{', '.join(names)}: {law_text(block.in_group(direct=False) or block)}"
    yield from list_notes(
        answer_columns(design, version.wording, with_group=False), {name: name for name in published}
    )
    direct = batches_open_to_mining(version).aggregate(Sum("n_direct"))["n_direct__sum"]
    if left_out := rounded_count(direct or 0):
        how = "with light disguise" if design.has_two_strengths else "directly"
        yield f"About {left_out} people answered {how}. Their rows were left out."


def _wording(lines: list[Entry]) -> Wording:
    first = lines[0]
    asked = first.source.question
    is_binary = asked is not None and asked.is_binary
    answers = {_WORDS[line.value] if is_binary else line.value: line.meaning for line in lines}
    if asked is not None and asked.is_several:
        answers["no"] = {"": "not chosen"}
    shares = {value: line.unrelated_share for value, line in zip(answers, lines, strict=False)}
    if asked is not None and asked.is_several and first.unrelated_share is not None:
        shares["no"] = 1 - first.unrelated_share
    disguise: dict[str, object] = {"truth_probability": first.truth_probability, "random_shares": shares}
    block = first.source.block
    if block is not None and block.is_scale:
        disguise = {
            "values": first.meaning["en"],
            "disguise": law_text(block.in_group(direct=False) or block),
        }
    is_disguised = first.stored_as == "disguised"
    return Wording(
        question=first.question,
        answers=answers,
        disguise=disguise if is_disguised else {},
        listed={"key": first.source.stem["key"], "text": dict(first.source.stem["text"])}
        if first.source.stem
        else {},
        line=dict(first.source.line),
    )


def release_job(job_id: int, report: Report) -> Callable[[], None]:
    """Create a release, and return the function that stores it and deletes its records.

    Raises
    ------
    PrivacyError
        The requested bounds cannot be kept, or the release would break an earlier release of the survey.
    """
    report("reading", 0, 0)
    release = Release.objects.select_related("survey", "owner").filter(job=job_id).first()
    if release is None:
        # The release was deleted in the meantime.
        return lambda: None
    source = table_open(release)
    texts = source.inputs
    ledgers = list(map(ledger_read, texts.ledgers))
    config, table, hierarchies = release_plan(release.columns, release.bounds, source.table, texts)
    earlier = earlier_ledgers(release)
    result = release_prepare(
        table,
        source.respondents,
        hierarchies,
        config,
        day=timezone.now().date().isoformat(),
        background=release_background(release).with_labels(source.table),
        before=[*earlier.values(), *ledgers],
        counting=source.counting(release.columns),
        attackers=attackers_of(release.columns, texts.beliefs),
        progress=report,
    )
    report("attacking", 0, 0)
    findings = findings_of(result.result) | {
        "methods": result.files[f"{DEPOSIT}/methods.txt"].decode(),
        "earlier": len(earlier) + len(ledgers),
        "earlier_in_records": result.old,
        "published_before": None
        if ledgers or (before := releases_of_same_people(release, texts.as_written).first()) is None
        else f"{before.finished_at:%Y-%m-%d}",
        "beliefs": [
            {"column": attacker.sensitive, "known": attacker.known, **asdict(audit)}
            for attacker, audit in result.audits
        ],
    }
    folder = f"{DEPOSIT}/"
    owner_files = {name: body for name, body in result.files.items() if not name.startswith(folder)}
    deposit = {
        name.removeprefix(folder): body for name, body in result.files.items() if name not in owner_files
    }
    plan = plan_document(release.columns, release.bounds, source.table, texts, config, release.description)
    owner_files["plan.json"] = json.dumps(plan, indent=1, ensure_ascii=False).encode()
    ledger = None if result.ledger is None else result.ledger.document()
    if release.survey is None and ledger is not None:
        # Publishers keep the ledger of an uploaded table; that of a survey's release stays in the database.
        owner_files["ledger.json"] = json.dumps(ledger).encode()
        findings["ledger"], ledger = True, None
    return partial(_store, release.pk, findings, deposit, owner_files, ledger, frozenset(earlier))


def earlier_ledgers(release: Release) -> dict[int, Ledger]:
    """Return the ledgers of all earlier releases of the survey, by release number."""
    if release.survey is None:
        return {}
    releases = Release.objects.filter(survey=release.survey, ledger__isnull=False).order_by("pk")
    return {
        earlier.pk: ledger_read(
            document_open(bytes(earlier.ledger or b""), release_id=earlier.pk, kind=LEDGER)
        )
        for earlier in releases
    }


def _store(
    release_id: int,
    findings: Mapping[str, Any],
    public: Mapping[str, bytes],
    owner_files: Mapping[str, bytes],
    ledger: dict[str, Any] | None,
    others_compared: frozenset[int],
) -> None:
    release = (
        Release.objects.select_for_update(of=("self",)).select_related("survey", "owner").get(pk=release_id)
    )
    if release.survey is not None:
        other_releases = Release.objects.filter(survey=release.survey, ledger__isnull=False)
        if frozenset(other_releases.values_list("pk", flat=True)) != others_compared:
            raise SurveyError("release.meanwhile")
    release.result = json.loads(json.dumps(findings, default=str))
    release.finished_at = timezone.now()
    release.files = bytes_seal(_zip_files(public), release_id=release_id, kind=FILES)
    release.report = bytes_seal(_zip_files(owner_files), release_id=release_id, kind=REPORT)
    if ledger is not None:
        release.ledger = document_seal(ledger, release_id=release_id, kind=LEDGER)
    release.save()
    # Delete the records as soon as the release is finished, as promised at the upload.
    ReleaseTable.objects.filter(release=release).delete()
    release_log(
        release,
        by=release.owner,
        action="release_finish",
        detail={"records": findings["records"], "compared": len(others_compared)},
    )


def _zip_files(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            # `ZipInfo` dates every file 1980, so the archive does not reveal the server's clock.
            archive.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


MOST_PACKED: Final = 50_000_000
"""Largest size in bytes of a file that must be unpacked, because its reader holds all of it in memory."""
_PART: Final = "part"


def part_store(
    release: Release | None, *, owner: User, name: str, number: int, raw: bytes, is_last: bool, now: datetime
) -> Release:
    """Store a sealed part of a file, and queue the reading of the file after its last part.

    A part that is sent again replaces the earlier one.

    Parameters
    ----------
    release : Release or None
        None for the first part.
    owner, name, now
        Owner and name of the file, and the current time.
    number : int
        Number of the part, from 0.
    raw : bytes
    is_last : bool

    Raises
    ------
    SurveyError
        ``release.many``; ``table_file.large``; ``release.parts``: a part is missing; ``release.running``.
    """
    with transaction.atomic():
        draft = release or release_begin(owner=owner, name=name[:120], columns=[], records=0, now=now)
        if draft.columns or draft.job_id is not None:
            raise SurveyError("release.running")
        ciphertext = bytes_seal(raw, release_id=draft.pk, kind=f"{_PART} {number}")
        about = {"size": len(raw), "sealed": ciphertext}
        ReleasePart.objects.update_or_create(table_id=draft.pk, number=number, defaults=about)
        size = _size(draft)
        most = MOST_PACKED if is_packed(draft.name) else LARGEST_FILE
        if size > most:
            raise SurveyError("table_file.large", size, most=f"{most / 1e6:g}")
        if is_last:
            if ReleasePart.objects.filter(table=draft.pk).count() != number + 1:
                raise SurveyError("release.parts", number + 1)
            draft.job = lease.enqueue(kind=READ_KIND, requested_by=owner, now=now)
            draft.save(update_fields=["job"])
            release_log(draft, by=owner, action="release_sent", detail={"bytes": size})
    return draft


def _size(release: Release) -> int:
    return int(ReleasePart.objects.filter(table=release.pk).aggregate(Sum("size"))["size__sum"] or 0)


def parts_read(job_id: int, report: Report) -> Callable[[], None]:
    """Read the table of a release from its parts; return the function that replaces parts by columns.

    Raises
    ------
    SurveyError
        The errors of `text_table` and `table_read`; ``table_file.memory``: the file needs more memory than a
        run may use.
    """
    release = Release.objects.filter(job=job_id).first()
    if release is None:
        # The release was deleted in the meantime.
        return lambda: None
    size, before = _size(release), memory_megabytes()
    report("receiving", 0, size)
    file = _PartsFile(release)

    def watch() -> None:
        report("receiving", file.tell(), size)
        if (growth := memory_megabytes() - before) > settings.RUN_MEGABYTES:
            raise SurveyError("table_file.memory", round(growth), most=settings.RUN_MEGABYTES)

    if is_packed(release.name):
        table = table_read(
            release.name,
            file.read(),
            most_bytes=MOST_PACKED,
            most_cells=MOST_CELLS_OF_A_FILE,
            most_answer=MOST_ANSWER_OF_A_FILE,
        )
        watch()
    else:
        stream = io.BufferedReader(file, 1 << 20)
        table = text_table(stream, most_cells=MOST_CELLS_OF_A_FILE, watch=watch)
    result = name_columns(table)
    return lambda: _store_table(release, result)


def _store_table(release: Release, table: ReadTable) -> None:
    table_store(release, table)
    ReleasePart.objects.filter(table=release.pk).delete()


class _PartsFile(io.RawIOBase):
    """The parts of a release's file as one seekable file; only one part is open at a time."""

    def __init__(self, release: Release) -> None:
        self._release = release
        sizes = ReleasePart.objects.filter(table=release.pk).order_by("number").values_list("size", flat=True)
        self._ends = np.cumsum([*sizes]).tolist()
        self._at = 0
        self._open: tuple[int, bytes] = (-1, b"")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._ends[-1]}[whence]
        self._at = start + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        if self._at >= self._ends[-1]:
            return 0
        number = int(np.searchsorted(self._ends, self._at, side="right"))
        if self._open[0] != number:
            ciphertext = ReleasePart.objects.values_list("sealed", flat=True).get(
                table=self._release.pk, number=number
            )
            kind = f"{_PART} {number}"
            self._open = number, bytes_open(ciphertext, release_id=self._release.pk, kind=kind)
        part = self._open[1]
        begin = self._at - (self._ends[number] - len(part))
        piece = part[begin : begin + len(buffer)]
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)
