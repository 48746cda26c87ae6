"""Prepare releases: start one, store its roles, bounds, beliefs and weights, request it, cancel it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction

from anonymisation.microdata.attackers import Attacker, attacker_check, attacker_read
from anonymisation.microdata.expert_matrix import ExpertMatrix, matrix_of, matrix_read, matrix_text
from anonymisation.microdata.ledgers import ledger_read, ledgers_check
from anonymisation.microdata.survey_table import survey_answers
from anonymisation.models import JOB_KIND, Release, ReleaseTable
from anonymisation.releases.column_profile import profile_of
from anonymisation.releases.columns import as_chosen
from anonymisation.releases.determining_columns import determining_columns, sample_of
from anonymisation.releases.plan import plan_check, release_plan, with_role
from anonymisation.releases.problems import refuse_all
from anonymisation.releases.release_events import release_log
from anonymisation.releases.same_people import (
    identifying_column,
    people_digest,
    releases_of_same_people,
    respondents_of,
)
from anonymisation.releases.stored_table import equal_records, one_column_tables, stored_columns, stored_table
from anonymisation.releases.typed_texts import DraftTexts, texts_of, texts_save
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.sdc.generalisation import Space
from privacy.sdc.proposals import propose, proposed_panel, repeats_of
from privacy.sdc.record_owners import PAIRED, Repeated, person_of
from privacy.sdc.unit import ALIKE, SURVEY, Counting, counting_of
from privacy.sdc.utility_matrix import utility_matrix
from privacy.tables.columns import ReadTable
from surveys.errors.error import SurveyError
from surveys.jobs import lease, queue
from surveys.models import Job, Survey


@dataclass(frozen=True, kw_only=True, eq=False)
class OpenedDraft:
    """An unpublished table, read as the user chose, with the texts typed about it.

    Parameters
    ----------
    table : ReadTable
        The table with all columns, or with the requested ones.
    inputs : DraftTexts
    respondents : list of str or None
        Respondent of each record, if known.
    record_numbers : int64 array or None
        For an uploaded table, numbers that are the same for equal records.
    people_table : ReadTable
        Columns as they were read: those that identify respondents, or those that may.
    """

    table: ReadTable
    inputs: DraftTexts
    respondents: list[str] | None
    record_numbers: Whole | None
    people_table: ReadTable

    def counting(self, columns: Sequence[Mapping[str, Any]]) -> Counting:
        """Return whether the release of a table counts people or records.

        Raises
        ------
        SurveyError
            The errors of `counting_of`.
        """
        if self.record_numbers is None:
            return Counting(why=SURVEY)
        return counting_of(
            self.people_table,
            _repeating(columns),
            record_numbers=self.record_numbers,
            agreements=[column["agreement"] for column in columns],
            statement=self.inputs.people,
            columns=self.inputs.respondent,
            panel=proposed_panel(columns),
        )


def table_open(release: Release, names: Collection[str] | None = None) -> OpenedDraft:
    """Return the table of an unfinished release, with all published columns or only the named ones.

    Columns that may say which records are of one person are always read too, even if they are left out.

    Raises
    ------
    SurveyError
        ``release.gone``: the records were deleted; ``release.sealed``.
    """
    texts, respondents, record_numbers = texts_of(release), None, None
    if release.survey is None:
        for column in release.columns:
            # Drafts of an earlier program lack the counts.
            if "repeats" not in column:
                column |= {"repeats": repeats_of(next(stored_columns(release, [column["name"]])))}
        if names is None:
            names = [column["name"] for column in release.columns if column["role"] != "identifier"]
        read = stored_table(release, {*names, *_identifying(release), *texts.respondent})
        # Only a question needs the columns that may identify people.
        asked = () if texts.respondent or texts.people else _repeating(release.columns)[:PAIRED]
        people_table = stored_table(release, {*texts.respondent, *(each.columns[0] for each in asked)})
        record_numbers = equal_records(release)
        if texts.respondent:
            respondents = respondents_of(texts.respondent, release.columns, read)
    else:
        read, respondents = _survey_table(release.survey)
        people_table = read
    return OpenedDraft(
        table=as_chosen(read, release.columns),
        inputs=texts,
        respondents=respondents,
        record_numbers=record_numbers,
        people_table=people_table,
    )


def counts_people(release: Release) -> bool:
    """Return whether an unfinished release counts people, as its publisher decided."""
    inputs = texts_of(release)
    # Without either of them, people are never counted, and the table need not be read.
    if not (inputs.respondent or inputs.people == ALIKE):
        return False
    return table_open(release, ()).counting(release.columns).people is not None


def _repeating(columns: Sequence[Mapping[str, Any]]) -> list[Repeated]:
    """Return the columns that are left out and repeat, those with the most values first."""
    found = [
        Repeated(columns=(column["name"],), values=values, records=records, most=most)
        for column in with_role(columns, "identifier")
        for values, records, most in column["repeats"]
    ]
    return sorted(found, key=lambda each: -each.values)


def _identifying(release: Release) -> list[str]:
    """Return the columns that are left out of the release and can distinguish people."""
    left_out = with_role(release.columns, "identifier")
    return [column["name"] for column in left_out if column["may_identify"]]


def _survey_table(survey: Survey) -> tuple[ReadTable, list[str]]:
    _design, header, rows, respondents = survey_answers(survey.slug)
    return ReadTable.of_rows(header, rows), respondents


def _reading_changes(column: Mapping[str, Any], choice: Mapping[str, Any]) -> bool:
    missing = choice.get("missing_texts", column["missing_texts"])
    month_first = choice.get("month_first", column["month_first"])
    as_written = column.get("as_written", True)
    return (
        set(missing) != set(column["missing_texts"])
        or month_first != column["month_first"]
        or choice.get("as_written", as_written) != as_written
    )


def _chosen_column(release: Release, column: Mapping[str, Any], choice: Mapping[str, Any]) -> dict[str, Any]:
    """Return a column with a changed reading, with new counts."""
    missing = [text for text in column.get("questions", {}) if text in choice["missing_texts"]]
    name = column["name"]
    read = stored_table(release, [name]) if release.survey is None else _survey_table(release.survey)[0]
    proposal = propose(
        read.column(name),
        missing,
        month_first=choice.get("month_first", False),
        as_written=choice.get("as_written", True),
    )
    proposal |= {"panel": column["panel"]} if "panel" in column else {}
    if release.survey is None:
        profile = texts_of(release).profile | {name: profile_of(read.column(name), proposal)}
        texts_save(release, profile=profile)
    return proposal


def columns_save(
    release: Release,
    choices: Sequence[Mapping[str, Any]],
    *,
    by: User,
    respondent: Sequence[str] = (),
    people: str = "",
    ledgers: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Save the chosen roles. A column cannot get a role in which it may not be published.

    Parameters
    ----------
    release : Release
    choices : sequence of mapping
        Role, kind and policy of each column, which doubtful texts mean "missing", and whether the
        month comes first in ambiguous dates.
    by : User
    respondent : sequence of str
        Columns of an uploaded table that together identify respondents; empty for none.
    people : str
        Statement about the people of an uploaded table, as for `counting_of`.
    ledgers : sequence of mapping
        Ledgers of earlier releases of the same people. If empty, those given before are kept as long as a
        column identifies respondents.

    Raises
    ------
    SurveyError
        ``release.role``, ``release.no_quasi``, ``release.running`` or ``release.finished``; and the errors
        of `respondents_of`, `counting_of` and `ledgers_check`.
    """
    with transaction.atomic():
        draft = _editable(release)
        columns = []
        for column, choice in zip(draft.columns, choices, strict=True):
            if _reading_changes(column, choice):
                column = _chosen_column(draft, column, choice)
            if choice["role"] not in column["roles"]:
                raise SurveyError("release.role", column["name"])
            kind = choice["kind"] if choice["kind"] in column["kinds"] else column["kind"]
            columns.append({**column, "role": choice["role"], "kind": kind, "policy": choice["policy"]})
        if not any(column["role"] == "quasi_identifier" for column in columns):
            raise SurveyError("release.no_quasi")
        draft.columns = columns
        if draft.survey is None:
            _keep_respondents(draft, respondent, people, ledgers)
            table_open(draft, ()).counting(columns)
        targets_of = determining_columns(_samples(draft), columns)
        draft.columns = [{**column, "tells": targets_of.get(column["name"], [])} for column in columns]
        _people_save(draft, respondent)
        draft.save(update_fields=["columns", "people_digest"])
        roles = {column["name"]: column["role"] for column in columns}
        release_log(draft, by=by, action="release_columns", detail={"roles": roles})


def _samples(release: Release) -> dict[str, Whole]:
    """Return a sample of each published column; columns of an uploaded table are opened one at a time."""
    names = [column["name"] for column in release.columns if column["role"] != "identifier"]
    tables = (
        one_column_tables(release, names)
        if release.survey is None
        else iter([_survey_table(release.survey)[0]])
    )
    return {
        column.name: sample_of(column)
        for table in tables
        for column in as_chosen(table, release.columns).columns
    }


def trees_save(release: Release, trees: Mapping[str, str], ends: Mapping[str, str], *, by: User) -> None:
    """Save typed trees and ends with the table; they contain its values and are deleted with it."""
    with transaction.atomic():
        draft = _editable(release)
        texts_save(draft, trees=dict(trees), ends=dict(ends))
        release_log(draft, by=by, action="release_trees", detail={"columns": sorted([*trees, *ends])})


def study_save(release: Release, description: Mapping[str, str], *, by: User) -> None:
    """Save the typed description of a study; it contains no records."""
    with transaction.atomic():
        draft = _editable(release)
        draft.description = dict(description)
        draft.save(update_fields=["description"])
        release_log(draft, by=by, action="release_study", detail={"fields": sorted(draft.description)})


def matrix_save(release: Release, matrix: str, *, by: User) -> None:
    """Save an expert's matrix with the table, whose values it contains; "" removes the matrix."""
    with transaction.atomic():
        draft = _editable(release)
        texts_save(draft, matrix=matrix)
        release_log(draft, by=by, action="release_matrix", detail={"kept": bool(matrix)})


def _keep_respondents(
    release: Release, respondent: Sequence[str], statement: str, ledgers: Sequence[Mapping[str, Any]]
) -> None:
    documents = [*ledgers] or (texts_of(release).ledgers if respondent else [])
    people = None
    if respondent:
        people = respondents_of(respondent, release.columns, stored_table(release, respondent))
    ledgers_check([ledger_read(dict(ledger)) for ledger in documents], people)
    texts_save(release, respondent=list(respondent), people=statement, ledgers=documents)


def _people_save(release: Release, respondent: Sequence[str]) -> None:
    """Set the digest of the people of an uploaded table; "" if no column distinguishes them."""
    people: Sequence[str] = ()
    if release.survey is None and respondent:
        named = stored_table(release, respondent)
        people = person_of([named.column(name) for name in respondent])
    elif release.survey is None:
        left_out = stored_table(release, _identifying(release))
        name = identifying_column(left_out)
        people = left_out.column(name).values if name else ()
    release.people_digest = people_digest(people) if people else ""
    texts_save(release, as_written=people_digest(people, as_written=True) if people else "")


def bounds_save(release: Release, bounds: Mapping[str, Any], beliefs: Mapping[str, str]) -> None:
    """Save bounds, and beliefs with the table. Refused ones are kept too, so users need not retype them."""
    with transaction.atomic():
        draft = _editable(release)
        texts_save(draft, beliefs=dict(beliefs))
        draft.bounds = dict(bounds)
        draft.save(update_fields=["bounds"])


def release_request(release: Release, bounds: Mapping[str, Any], *, by: User, now: datetime) -> Job:
    """Queue the job that makes the release.

    Raises
    ------
    SurveyError
        ``release.k``, ``release.l``, ``release.rho``, ``release.no_quasi``, ``release.ends_numbers``,
        ``release.running``, ``release.finished`` or ``release.gone``; ``release.same_people``: the people of
        an uploaded table were published before, and no ledger was given.
    """
    with transaction.atomic():
        draft = _editable(release)
        draft.bounds = dict(bounds)
        texts = texts_of(draft)
        refuse_all(
            partial(plan_check, draft.columns, bounds, draft.records, texts.ends),
            *([partial(matrix_check, draft, texts.matrix, bounds)] if texts.matrix else ()),
            partial(beliefs_check, draft, bounds, texts.beliefs),
        )
        _people_save(draft, texts.respondent)
        is_compared = bounds.get("uncompared") or texts.ledgers
        if (
            not is_compared
            and (before := releases_of_same_people(draft, texts_of(draft).as_written).first()) is not None
        ):
            raise SurveyError("release.same_people", f"{before.finished_at:%Y-%m-%d}")
        previous_job = draft.job_id
        draft.job = queue.enqueue(kind=JOB_KIND, requested_by=by, now=now)
        draft.save(update_fields=["job", "bounds", "people_digest"])
        if previous_job is not None:
            Job.objects.filter(pk=previous_job).delete()
        release_log(draft, by=by, action="release_request", detail=dict(bounds))
    return draft.job


def release_cancel(release: Release, *, by: User, now: datetime) -> bool:
    """Cancel the current job and return whether there was one. The table stays until it expires."""
    if release.job_id is None:
        return False
    with transaction.atomic():
        was_running = lease.cancel(release.job_id, now=now)
        if was_running:
            release_log(release, by=by, action="release_cancel", detail={})
    return was_running


def _editable(release: Release) -> Release:
    row = Release.objects.select_for_update(of=("self",)).select_related("job").filter(pk=release.pk).first()
    if row is None or not ReleaseTable.objects.filter(release=row).exists():
        raise SurveyError("release.finished" if row is not None and row.finished_at else "release.gone")
    if row.job is not None and not row.job.is_over:
        raise SurveyError("release.running")
    return row


def attackers_of(columns: Sequence[Mapping[str, Any]], beliefs: Mapping[str, str]) -> list[Attacker]:
    """Return an attacker for each protected column with typed beliefs.

    Raises
    ------
    SurveyError
        The errors of `attacker_read`.
    """
    names = [column["name"] for column in columns if column["role"] == "sensitive"]
    return [attacker_read(name, beliefs[name]) for name in names if beliefs.get(name, "").strip()]


def beliefs_check(release: Release, bounds: Mapping[str, Any], beliefs: Mapping[str, str]) -> None:
    """Refuse beliefs that do not fit the table.

    Raises
    ------
    SurveyError
        The errors of `attacker_read` and `attacker_check`.
    """
    columns = release.columns
    attackers = attackers_of(columns, beliefs)
    if not attackers:
        return
    source = table_open(release)
    _config, table, _hierarchies = release_plan(columns, bounds, source.table, source.inputs)
    for attacker in attackers:
        attacker_check(attacker, table)


# Bounds for drafts that have none yet. Only the way numbers are grouped affects the matrix.
_DEFAULT_BOUNDS: Final = {"k": 2, "algorithm": "tight", "max_suppressed": 0, "columns": {}}


@dataclass(frozen=True, kw_only=True)
class MatrixDraft:
    """A utility matrix that is being edited.

    Parameters
    ----------
    sensitive : str
        The protected column; "" if there is none, and then everything else is empty.
    text : str
        The matrix as lines of cells, given by an expert or computed from the table with two digits.
    is_saved : bool
        Whether an expert's matrix is stored.
    misfit : PrivacyError or None
        Why the stored matrix no longer fits the table.
    """

    sensitive: str = ""
    text: str = ""
    is_saved: bool = False
    misfit: PrivacyError | None = None


def matrix_draft(release: Release) -> MatrixDraft:
    """Return the matrix of a release: the expert's if it fits, otherwise one computed from the table.

    Raises
    ------
    SurveyError
        ``release.gone``, ``release.sealed``; and errors in roles and groups of values.
    """
    if not with_role(release.columns, "sensitive"):
        return MatrixDraft()
    source = table_open(release)
    _config, table, hierarchies = release_plan(
        release.columns, _DEFAULT_BOUNDS | release.bounds, source.table, replace(source.inputs, matrix="")
    )
    column, space = table.sensitive[0], Space.of(table, hierarchies)
    names = [axis.name for axis in space.axes]
    utilities, misfit = utility_matrix(space, column).round(2), None
    if source.inputs.matrix:
        try:
            utilities = matrix_of(matrix_read(source.inputs.matrix), column, names)
        except PrivacyError as error:
            misfit = error
    rows = {
        value: [f"{utility:g}" for utility in row]
        for value, row in zip(column.values, utilities.tolist(), strict=True)
    }
    return MatrixDraft(
        sensitive=column.name,
        text=matrix_text(column.name, names, rows),
        is_saved=bool(source.inputs.matrix),
        misfit=misfit,
    )


def matrix_check(release: Release, text: str, bounds: Mapping[str, Any] | None = None) -> ExpertMatrix:
    """Refuse a matrix that does not fit the table, or that would have no effect.

    Raises
    ------
    SurveyError
        The errors of `matrix_read`, `matrix_of` and `config_read` (``config.matrix``).
    """
    source = table_open(release)
    texts = replace(source.inputs, matrix=text)
    settings = {**_DEFAULT_BOUNDS, **(release.bounds | {"weights": {}} if bounds is None else bounds)}
    config, table, hierarchies = release_plan(release.columns, settings, source.table, texts)
    if config.matrix is None or not table.sensitive:
        raise SurveyError("matrix.unprotected")
    space = Space.of(table, hierarchies)
    matrix_of(config.matrix, table.sensitive[0], [axis.name for axis in space.axes])
    return config.matrix
