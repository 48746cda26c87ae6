"""What a survey's page shows: designs with their answers, and runs with their looks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from privacy.risk.budget import budget
from privacy.survey.design import Design
from surveys.formats.shown_counts import shown_count
from surveys.models import Job, Run, Survey, Version
from surveys.policy import LEAST_PROTECTED
from surveys.report.survey_list.survey_lines import is_rounded, with_survey
from surveys.runs.chapters import ClosedChapter, chapter_rows, closed_chapters
from surveys.runs.disclosure import Groups, groups_of
from surveys.runs.look import Look, looks_of
from surveys.runs.received_answers import received_count
from surveys.runs.shown_of_run import has_results


@dataclass(frozen=True, kw_only=True)
class DesignPart:
    """One design of a survey, with the answers that can be mined.

    Attributes
    ----------
    newest : Version
        The newest version that has the design.
    numbers : tuple of int
        Numbers of all versions that have it.
    """

    newest: Version
    numbers: tuple[int, ...]
    design: Design
    groups: Groups

    @property
    def epsilon(self) -> float:
        """Total epsilon of one respondent's protected answers."""
        return budget(self.design).epsilon

    @property
    def can_mine(self) -> bool:
        """Whether it has enough answers for a result."""
        return self.groups.n > 0 and self.groups.disclosure.results


@dataclass(frozen=True, kw_only=True)
class Unanalysed:
    """Answers to one design that no answer can join, and of which no results are shown.

    Attributes
    ----------
    part : DesignPart
    n : int
        Number of answers.
    chapter : ClosedChapter or None
        Their chapter; None for all answers of a settled survey.
    """

    part: DesignPart
    n: int
    chapter: ClosedChapter | None = None


@dataclass(frozen=True, kw_only=True)
class SurveyPage:
    """One survey, as staff see it."""

    survey: Survey
    rounded: bool
    received: str
    waits_for_close: bool
    designs: tuple[DesignPart, ...]
    runs: tuple[Run, ...]
    looks: dict[int, Look]

    @property
    def run_lines(self) -> list[tuple[Run, Look | None]]:
        """Runs with their looks; those that failed or were cancelled have none."""
        return [(run, self.looks.get(run.pk)) for run in self.runs]

    @cached_property
    def unanalysed(self) -> Unanalysed | None:
        """What to analyse next in a survey with finished runs: its newest closed chapter, or all answers."""
        chapters = closed_chapters(self.survey) if self._finished else []
        for part in self.designs:
            runs = [run for run in self._finished if run.design_id == part.newest.design_id]
            final = [self.looks[run.pk].chapter for run in runs if self.is_final(run)]
            if self.survey.settled or not part.newest.holds_undisguised:
                sized = ((chapter, chapter_rows(part.newest, chapter)) for chapter in reversed(chapters))
                chapter, n = next(
                    (
                        chapter_and_size
                        for chapter_and_size in sized
                        if chapter_and_size[1] >= LEAST_PROTECTED
                    ),
                    (None, 0),
                )
                if chapter is not None and chapter not in final:
                    return Unanalysed(part=part, n=n, chapter=chapter)
            if self.survey.settled and runs and part.can_mine and not final:
                return Unanalysed(part=part, n=part.groups.n)
        return None

    @property
    def analyse(self) -> str:
        """What the button of the form for a run says, once there are runs."""
        if self.unanalysed is None:
            return _("Analyse again")
        return _("Analyse all answers") if self.unanalysed.chapter is None else _("Analyse the chapter")

    @property
    def _finished(self) -> list[Run]:
        return [run for run in self.runs if run.job.state == Job.State.FINISHED]

    def is_final(self, run: Run) -> bool:
        """Whether a run shows results of all answers to its design, or of a chapter."""
        return has_shown_results(run) and self.looks[run.pk].is_final

    @property
    def n_finished(self) -> int:
        """Number of runs with a result."""
        return len(self._finished)

    @property
    def unreadable(self) -> list[Run]:
        """Runs whose settings or result cannot be read."""
        return [run for run in self.runs if run.unreadable]

    @property
    def can_mine(self) -> bool:
        """Whether some design has enough answers for a result."""
        return any(part.can_mine for part in self.designs)


def has_shown_results(run: Run) -> bool:
    """Whether a run has results that can be read and may be shown."""
    return not run.unreadable and has_results(run)


def survey_page(survey: Survey) -> SurveyPage:
    """Return the contents of a survey's page."""
    runs = tuple(with_survey(survey.runs.select_related("job__requested_by")))
    return SurveyPage(
        survey=survey,
        rounded=is_rounded(survey),
        received=shown_count(received_count(survey), rounded=is_rounded(survey)),
        waits_for_close=not survey.settled
        and any(versions[0].holds_undisguised for versions in _by_design(survey)),
        designs=tuple(_design_part(versions) for versions in _by_design(survey)),
        runs=runs,
        looks=looks_of(runs),
    )


def newest_versions(survey: Survey) -> list[Version]:
    """Return the newest version of each design, the newest design first."""
    return [versions[0] for versions in _by_design(survey)]


def _design_part(versions: list[Version]) -> DesignPart:
    newest = versions[0]
    return DesignPart(
        newest=newest,
        numbers=tuple(version.number for version in reversed(versions)),
        design=newest.to_design(),
        groups=groups_of(newest),
    )


def _by_design(survey: Survey) -> list[list[Version]]:
    versions_of: dict[str, list[Version]] = {}
    for version in survey.versions.select_related("survey").order_by("-number"):
        versions_of.setdefault(version.design_id, []).append(version)
    return list(versions_of.values())
