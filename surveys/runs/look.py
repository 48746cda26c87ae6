"""Looks: how the rows of a run compare with those of its survey now, and the words for it.

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
from zoneinfo import ZoneInfo

from django.db.models import Max, Min, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.errors.error import in_sentences
from surveys.formats.shown_counts import rounded_count, shown_count
from surveys.models import Batch, Job, Run, Survey, Version
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


def file_mark(run: Run) -> str:
    """Return "-interim" or "-chapter-2" for the file names of a run; some formats have no place for notes."""
    mark = title_mark(run).rstrip(". ").lower().replace(" ", "-")
    return f"-{mark}" if mark else ""


def title_mark(run: Run) -> str:
    """Return "Interim. " or "Chapter 2. " for English titles; empty for a final run of everything."""
    look = look_of(run)
    if look is not None and look.chapter is not None:
        return f"Chapter {look.chapter.number}. "
    return "Interim. " if look is not None and not look.is_final else ""


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


def look_text(look: Look | None, *, shared: bool = False) -> str:
    """Return what a page or a file says about a look; nothing for a final run of all answers to one design.

    Parameters
    ----------
    look : Look or None
        None for a run that reports nothing.
    shared : bool
        Whether readers have no account: no count of arrivals while the survey accepts answers.
    """
    if look is None:
        return ""
    hides_counts = shared and look.accepts
    sentences = []
    if look.chapter is not None:
        sentences.append(_chapter_sentence(look))
        if look.beyond and hides_counts:
            sentences.append(_("Answers in other chapters are not in this analysis."))
        elif look.beyond:
            words = ngettext(
                "%(count)s answer in another chapter is not in this analysis.",
                "%(count)s answers in other chapters are not in this analysis.",
                look.beyond,
            )
            sentences.append(words % {"count": shown_count(look.beyond, rounded=look.is_rounded)})
    if not look.is_final:
        sentences.append(_interim_sentence(look))
        if look.since and not hides_counts:
            sentences.append(_since_sentence(look))
        if look.accepts:
            sentences.append(_("The survey still accepts answers."))
    if look.elsewhere and hides_counts:
        sentences.append(_("Answers to other versions of the questionnaire are not in this analysis."))
    elif look.elsewhere:
        words = ngettext(
            "%(count)s answer to another version of the questionnaire is not in this analysis.",
            "%(count)s answers to other versions of the questionnaire are not in this analysis.",
            look.elsewhere,
        )
        sentences.append(words % {"count": shown_count(look.elsewhere, rounded=look.is_rounded)})
    return in_sentences(*sentences)


def newest_results_text(look: Look) -> str:
    """Return what a survey's page says about its newest results, unless they are final ones of everything."""
    if look.chapter is not None:
        words = _("The newest results are those of %(chapter)s.")
        return words % {"chapter": look.chapter_words}
    words = ngettext(
        "The newest results are from an interim look, with %(n)s answer.",
        "The newest results are from an interim look, with %(n)s answers.",
        look.n,
    )
    since = _since_sentence(look) if look.since else ""
    return in_sentences(words % {"n": shown_count(look.n)}, since)


def _interim_sentence(look: Look) -> str:
    words = ngettext(
        "This is interim look %(number)s (%(day)s), with %(n)s answer.",
        "This is interim look %(number)s (%(day)s), with %(n)s answers.",
        look.n,
    )
    return words % {"number": look.number, "day": look.day.isoformat(), "n": shown_count(look.n)}


def _since_sentence(look: Look) -> str:
    words = ngettext("%(since)s more has arrived since.", "%(since)s more have arrived since.", look.since)
    return words % {"since": shown_count(look.since, rounded=look.is_rounded)}


def _chapter_sentence(look: Look) -> str:
    words = ngettext(
        "This is the final analysis of %(chapter)s, with %(n)s answer.",
        "This is the final analysis of %(chapter)s, with %(n)s answers.",
        look.n,
    )
    return words % {"chapter": look.chapter_words, "n": shown_count(look.n)}


def chapter_text(chapter: ClosedChapter, time_zone: str) -> str:
    """Name a chapter: "chapter 2, until 2027-01-01"."""
    if chapter.ends_at is None:
        return _("chapter %(number)s, the last one") % {"number": chapter.number}
    return _("chapter %(number)s, until %(day)s") % {
        "number": chapter.number,
        "day": chapter_day(chapter, time_zone),
    }


def chapter_day(chapter: ClosedChapter, time_zone: str) -> str | None:
    """Return the day on which a chapter ended, in a time zone; None for the last one of a settled survey."""
    if chapter.ends_at is None:
        return None
    return chapter.ends_at.astimezone(ZoneInfo(time_zone)).date().isoformat()


def look_note(look: Look | None) -> str:
    """Return one sentence on an interim look or a chapter, without counts of arrivals; otherwise empty."""
    if look is not None and look.chapter is not None:
        return _chapter_sentence(look)
    if look is None or look.is_final:
        return ""
    accepts = _("The survey still accepts answers.") if look.accepts else ""
    return in_sentences(_interim_sentence(look), accepts)


def look_finding(look: Look | None) -> list[str]:
    """Return the first sentence of results in a paper; nothing for a final run of all answers."""
    if look is not None and look.chapter is not None:
        words = _("These figures are those of %(chapter)s, with %(n)s answers.")
        return [words % {"chapter": look.chapter_words, "n": shown_count(look.n)}]
    if look is None or look.is_final:
        return []
    words = ngettext(
        "These figures are from an interim look, with %(n)s answer.",
        "These figures are from an interim look, with %(n)s answers.",
        look.n,
    )
    return [words % {"n": shown_count(look.n)}]


def looks_sentence(look: Look | None) -> str:
    """Return how many different sets of rows were analysed and which one a run reports; empty if only one."""
    if look is None or look.looks == 1:
        return ""
    return _("This is look %(number)s of %(looks)s at the answers.") % {
        "number": look.number,
        "looks": look.looks,
    }


def paper_sentences(look: Look | None) -> list[str]:
    """Return how many people responded, at which look, and how many looks there were, for a paper."""
    if look is None:
        return []
    counts = {
        "n": shown_count(look.n),
        "since": shown_count(look.since, rounded=look.is_rounded),
        "elsewhere": shown_count(look.elsewhere, rounded=look.is_rounded),
        "number": look.number,
        "looks": look.looks,
        "day": look.day.isoformat(),
        "chapter": look.chapter_words,
        "beyond": shown_count(look.beyond, rounded=look.is_rounded),
    }
    return [sentence % counts for sentence in _paper_templates(look)]


def _paper_templates(look: Look) -> list[str]:
    if look.chapter is not None:
        sentences = _chapter_templates(look)
    elif look.is_final and look.elsewhere:
        sentences = [_("In total, %(n)s people responded to this version of the questionnaire.")]
    elif look.is_final:
        sentences = [_("In total, %(n)s people responded.")]
    else:
        sentences = [
            _(
                "The figures are those of an interim look at the answers (look %(number)s of %(looks)s, on "
                "%(day)s): %(n)s people had responded."
            )
        ]
        if look.since:
            sentences.append(_("Since then, %(since)s more have responded and are not in these figures."))
        if look.accepts:
            sentences.append(_("The survey still accepted answers when this text was written."))
    if look.is_final and look.looks > 1 and look.chapter is None:
        sentences.append(
            _(
                "We looked at the answers %(looks)s times. The figures are those of look %(number)s, which "
                "includes all answers. The others were interim."
            )
        )
    if look.elsewhere:
        sentences.append(
            _(
                "A further %(elsewhere)s responded to other versions of the questionnaire, which are not in "
                "this analysis."
            )
        )
    return sentences


def _chapter_templates(look: Look) -> list[str]:
    sentences = [
        _(
            "The survey was cut into chapters at times that were stated in advance. The figures are those of "
            "%(chapter)s: %(n)s people responded in it."
        )
    ]
    if look.beyond:
        sentences.append(_("Another %(beyond)s responded in other chapters and are not in these figures."))
    if look.accepts:
        sentences.append(_("The survey still accepted answers when this text was written."))
    if look.looks > 1:
        sentences.append(
            _(
                "We looked at these answers %(looks)s times, alone or with those of other chapters. The "
                "figures are those of look %(number)s."
            )
        )
    return sentences
