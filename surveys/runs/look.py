"""Looks: whether a run is interim or final, how many rows have come since, and the words for both.

A run reads the rows that may be counted when it is requested. It is *final* if the survey is settled and the
run has all rows of its design; every other run is *interim*. `look_of` decides this for all pages, files and
texts.

A look states no more about arrivals than the survey's page. While a survey accepts answers, rows are counted
in whole batches, without the newest one, and rounded to tens. Shared pages, whose readers have no account,
then state no count of arrivals at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db.models import Max, Min, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.errors.error import in_sentences
from surveys.models import Batch, Job, Run, Survey, Version
from surveys.runs.disclosure import rounded_count, shown_count
from surveys.runs.snapshot import Reads, batches_read_of

INTERIM: Final = "interim"
FINAL: Final = "final"


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
    accepts : bool
        Whether answers can still arrive: the survey is not settled.
    is_rounded : bool
        Whether counts of arrivals are rounded to tens.
    number, looks : int
        Position of this run among the different snapshots of its design that were analysed, and their number.
        Runs on the same rows are one look.
    day : date
        The day (UTC) on which the run was requested.
    """

    n: int
    since: int
    elsewhere: int
    accepts: bool
    is_rounded: bool
    number: int
    looks: int
    day: date

    @property
    def is_final(self) -> bool:
        """Whether the run has all rows of its design, and no more can arrive."""
        return not self.accepts and not self.since

    @property
    def kind(self) -> str:
        """Either `INTERIM` or `FINAL`."""
        return FINAL if self.is_final else INTERIM

    def to_json(self) -> dict[str, Any]:
        """Return the look as files state it."""
        return {
            "kind": self.kind,
            "number": self.number,
            "looks": self.looks,
            "day": self.day.isoformat(),
            "rows": self.n,
            "rows_since": self.since,
            "rows_of_other_designs": self.elsewhere,
            "counts_are_rounded": self.is_rounded,
            "accepts_answers": self.accepts,
        }


LOOK_COLUMNS: Final = ("look", "rows_since", "accepts_answers")
"""Columns of the CSV files of a run, with the same values in each line."""


def look_columns(run: Run) -> dict[str, object]:
    """Return the values of `LOOK_COLUMNS`."""
    look = look_of(run)
    if look is None:
        return dict.fromkeys(LOOK_COLUMNS)
    return {"look": look.kind, "rows_since": look.since, "accepts_answers": look.accepts}


def look_record(run: Run) -> dict[str, Any] | None:
    """Return the look of a run as JSON files state it; None if the run reports nothing."""
    look = look_of(run)
    return None if look is None else look.to_json()


def file_mark(run: Run) -> str:
    """Return "-interim" for the file names of an interim run; some formats have no place for notes."""
    return f"-{INTERIM}" if is_interim(run) else ""


def is_interim(run: Run) -> bool:
    """Whether a run reports an interim look."""
    look = look_of(run)
    return look is not None and not look.is_final


def look_of(run: Run) -> Look | None:
    """Return the look of a run; None if it failed or was cancelled, and so reports nothing."""
    return looks_of([run]).get(run.pk)


def looks_of(runs: Iterable[Run]) -> dict[int, Look]:
    """Return the looks of runs by key, with as many queries for a hundred runs as for one."""
    reporting = [run for run in runs if run.job.state not in (Job.State.FAILED, Job.State.CANCELLED)]
    if not reporting:
        return {}
    surveys = {run.survey_id: run.survey for run in reporting}
    readable = readable_rows(surveys.values(), [run.version for run in reporting])
    snapshots: dict[tuple[int, str], list[tuple[int, str]]] = {}
    finished = Run.objects.filter(survey__in=surveys, job__state=Job.State.FINISHED).order_by()
    for survey_id, design_id, pk, digest in finished.values_list(
        "survey", "design_id", "pk", "snapshot_digest"
    ):
        snapshots.setdefault((survey_id, design_id), []).append((pk, digest))
    return {
        run.pk: _look(run, readable, snapshots.get((run.survey_id, run.design_id), [])) for run in reporting
    }


def _look(run: Run, readable: dict[tuple[int, str], int], snapshots: list[tuple[int, str]]) -> Look:
    survey = run.survey
    is_rounded = not (survey.settled or survey.practice)
    # A snapshot has every batch of its design up to the last one, so all other readable rows are newer.
    since = max(0, readable.get((survey.pk, run.design_id), 0) - (run.n or 0))
    elsewhere = sum(
        rows
        for (survey_id, design_id), rows in readable.items()
        if survey_id == survey.pk and design_id != run.design_id
    )
    return Look(
        n=run.n or 0,
        since=rounded_count(since) if is_rounded else since,
        elsewhere=rounded_count(elsewhere) if is_rounded else elsewhere,
        accepts=not survey.settled,
        is_rounded=is_rounded,
        number=len({digest for pk, digest in snapshots if pk < run.pk} | {run.snapshot_digest}),
        looks=len({digest for _pk, digest in snapshots} | {run.snapshot_digest}),
        day=run.job.created_at.date(),
    )


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
    """Return what a page or a file says about a look; nothing for a final run of a survey with one design.

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
    """Return what a survey's page says about its newest results, if they are from an interim look."""
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


def interim_note(look: Look | None) -> str:
    """Return one sentence on an interim look, without counts of arrivals; empty for a final run."""
    if look is None or look.is_final:
        return ""
    accepts = _("The survey still accepts answers.") if look.accepts else ""
    return in_sentences(_interim_sentence(look), accepts)


def interim_finding(look: Look | None) -> list[str]:
    """Return the first sentence of an interim run's results in a paper; nothing for a final run."""
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
    }
    return [sentence % counts for sentence in _paper_templates(look)]


def _paper_templates(look: Look) -> list[str]:
    if look.is_final and look.elsewhere:
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
            sentences.append(_("The survey still accepted answers when this text was made."))
    if look.is_final and look.looks > 1:
        sentences.append(
            _(
                "We looked at the answers %(looks)s times. The figures are those of look %(number)s, which "
                "has all answers; the others were interim."
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
