"""Looks: how the rows of a run compare with those of its survey now.

A run reads the rows that may be counted when it is requested. `surveys.runs.interim_or_final` decides whether
it is interim, final, or final for a chapter; pages, files and texts say what this module says.

A look states no more about arrivals than the survey's page. While a survey accepts answers, rows are counted
in whole batches, without the newest one, and rounded to tens. Shared pages, whose readers have no account,
then state no count of arrivals at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypeAlias

from django.db.models import Max, Min, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.formats.shown_counts import rounded_count, shown_count
from surveys.models import Batch, Job, Run, Survey, Version
from surveys.runs.chapter_names import chapter_day, chapter_text
from surveys.runs.chapters import ClosedChapter
from surveys.runs.interim_or_final import Standing, standings_of
from surveys.runs.snapshot import Reads, batches_read_of

INTERIM: Final = "interim"
FINAL: Final = "final"

_LOOK: Final = "_look"

_Snapshot: TypeAlias = tuple[int, str, int | None, int | None]
"""Key of a run, digest of its rows, and its first and last batch."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """How the rows of a run compare with those of its survey now.

    Attributes
    ----------
    n : int
        Number of rows of the run.
    since : int
        Rows of its design that another run could read and this one did not; rounded if `is_rounded`.
    elsewhere : int
        Rows of the survey's other designs, which need a run of their own; rounded if `is_rounded`.
    is_final : bool
        Whether no answer can join those that the run reads.
    chapter : ClosedChapter or None
        The chapter of which this is the final analysis; None if the run reads all answers.
    beyond : int
        Rows of its design in other chapters than `chapter`; rounded if `is_rounded`.
    time_zone : str
        Time zone of the survey.
    accepts : bool
        Whether answers can still arrive: the survey is not settled.
    is_rounded : bool
        Whether counts of arrivals are rounded to tens.
    number, looks : int
        Position of this run among the analysed snapshots that share rows with it, and their number. Runs on
        the same rows are one look.
    day : date
        The day (UTC) on which the run was requested.
    """

    n: int
    since: int
    elsewhere: int
    is_final: bool
    chapter: ClosedChapter | None
    beyond: int
    time_zone: str
    accepts: bool
    is_rounded: bool
    number: int
    looks: int
    day: date

    @property
    def kind(self) -> str:
        """Either `INTERIM` or `FINAL`."""
        return FINAL if self.is_final else INTERIM

    @property
    def chapter_words(self) -> str:
        """The chapter's name; empty for a run of all answers."""
        return "" if self.chapter is None else chapter_text(self.chapter, self.time_zone)

    @property
    def tag(self) -> str:
        """What a list of runs says next to a run; empty for a final run of all answers."""
        if self.chapter is not None:
            return _("chapter %(number)s") % {"number": self.chapter.number}
        words = ngettext("interim: %(n)s answer", "interim: %(n)s answers", self.n)
        return "" if self.is_final else words % {"n": shown_count(self.n)}

    def to_json(self) -> dict[str, Any]:
        """Return the look as files state it."""
        chapter = self.chapter
        return {
            "kind": self.kind,
            "chapter": None if chapter is None else chapter.number,
            "chapter_until": None if chapter is None else chapter_day(chapter, self.time_zone),
            "rows_in_other_chapters": self.beyond,
            "number": self.number,
            "looks": self.looks,
            "day": self.day.isoformat(),
            "rows": self.n,
            "rows_since": self.since,
            "rows_of_other_designs": self.elsewhere,
            "counts_are_rounded": self.is_rounded,
            "accepts_answers": self.accepts,
        }


LOOK_COLUMNS: Final = ("look", "chapter", "rows_since", "accepts_answers")
"""Columns of the CSV files of a run, with the same values in each line."""


def look_columns(run: Run) -> dict[str, object]:
    """Return the values of `LOOK_COLUMNS`."""
    look = look_of(run)
    if look is None:
        return dict.fromkeys(LOOK_COLUMNS)
    return {
        "look": look.kind,
        "chapter": None if look.chapter is None else look.chapter.number,
        "rows_since": look.since,
        "accepts_answers": look.accepts,
    }


def look_record(run: Run) -> dict[str, Any] | None:
    """Return the look of a run as JSON files state it; None if the run reports nothing."""
    look = look_of(run)
    return None if look is None else look.to_json()


def look_of(run: Run) -> Look | None:
    """Return the look of a run; None if it failed or was cancelled, and so reports nothing.

    An object keeps its look, because a page states it in many places.
    """
    if _LOOK not in run.__dict__:
        run.__dict__[_LOOK] = looks_of([run]).get(run.pk)
    look: Look | None = run.__dict__[_LOOK]
    return look


def looks_of(runs: Iterable[Run]) -> dict[int, Look]:
    """Return the looks of runs by key, with as many queries for a hundred runs as for one."""
    reporting = [run for run in runs if run.job.state not in (Job.State.FAILED, Job.State.CANCELLED)]
    if not reporting:
        return {}
    surveys = {run.survey_id: run.survey for run in reporting}
    readable = readable_rows(surveys.values(), [run.version for run in reporting])
    standings = standings_of(reporting)
    snapshots: dict[tuple[int, str], list[_Snapshot]] = {}
    finished = Run.objects.filter(survey__in=surveys, job__state=Job.State.FINISHED).order_by()
    for survey_id, design_id, pk, digest, first, last in finished.values_list(
        "survey", "design_id", "pk", "snapshot_digest", "first_batch", "last_batch"
    ):
        snapshots.setdefault((survey_id, design_id), []).append((pk, digest, first, last))
    return {
        run.pk: _look(run, standings[run.pk], readable, snapshots.get((run.survey_id, run.design_id), []))
        for run in reporting
    }


def _look(
    run: Run, standing: Standing, readable: dict[tuple[int, str], int], snapshots: list[_Snapshot]
) -> Look:
    survey, chapter = run.survey, standing.chapter
    is_rounded = not (survey.settled or survey.practice)
    # A run reads every batch of its design up to its last one, so other readable rows are newer. Only the run
    # of a chapter leaves out earlier ones, too.
    unread = max(0, readable.get((survey.pk, run.design_id), 0) - (run.n or 0))
    since, beyond = (unread, 0) if chapter is None else (0, unread)
    shared = [(pk, digest) for pk, digest, *ends in snapshots if _overlap(run, *ends)]
    elsewhere = sum(
        rows
        for (survey_id, design_id), rows in readable.items()
        if survey_id == survey.pk and design_id != run.design_id
    )
    return Look(
        n=run.n or 0,
        since=rounded_count(since) if is_rounded else since,
        elsewhere=rounded_count(elsewhere) if is_rounded else elsewhere,
        is_final=standing.is_final,
        chapter=chapter,
        beyond=rounded_count(beyond) if is_rounded else beyond,
        time_zone=survey.time_zone,
        accepts=not survey.settled,
        is_rounded=is_rounded,
        number=len({digest for pk, digest in shared if pk < run.pk} | {run.snapshot_digest}),
        looks=len({digest for _pk, digest in shared} | {run.snapshot_digest}),
        day=run.job.created_at.date(),
    )


def _overlap(run: Run, first: int | None, last: int | None) -> bool:
    """Whether a run may share rows with the batches from `first` to `last`; unknown ends may be any."""
    if None in (run.first_batch, run.last_batch, first, last):
        return True
    return run.first_batch <= last and first <= run.last_batch  # type: ignore[operator]  # no end is unknown


def readable_rows(surveys: Iterable[Survey], known: Iterable[Version] = ()) -> dict[tuple[int, str], int]:
    """Return how many rows a run may read now, by survey and design, as `groups_of` counts those of one.

    Parameters
    ----------
    surveys : iterable of Survey
    known : iterable of Version
        Versions that need not be read from the database.
    """
    of_survey = {survey.pk: survey for survey in surveys}
    batches = Batch.objects.filter(version__survey__in=of_survey).order_by()
    totals = batches.values_list("version__survey", "version__design_id").annotate(
        Sum("n"), Max("pk"), Min("version")
    )
    readable, growing = {}, []
    for survey_id, design_id, rows, newest, version_id in totals:
        readable[survey_id, design_id] = rows
        if not (of_survey[survey_id].settled or of_survey[survey_id].practice):
            growing.append(((survey_id, design_id), newest, version_id))
    last_rows = dict(
        Batch.objects.filter(pk__in=[newest for _key, newest, _version in growing]).values_list("pk", "n")
    )
    versions = {(version.survey_id, version.design_id): version for version in known}
    unknown = [version_id for key, _newest, version_id in growing if key not in versions]
    for version in Version.objects.select_related("survey").filter(pk__in=unknown):
        versions[version.survey_id, version.design_id] = version
    for key, newest, _version in growing:
        reads = batches_read_of(of_survey[key[0]], versions[key])
        readable[key] = 0 if reads is Reads.NONE else readable[key] - last_rows[newest]
    return readable
