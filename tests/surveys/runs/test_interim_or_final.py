"""One function decides whether a run is interim, final, or final for a chapter."""

from datetime import timedelta

import pytest
from django.utils import timezone

from surveys.models import Chapter, Run, Version
from surveys.runs import interim_or_final
from surveys.runs.chapters import ClosedChapter, chapters_cut
from surveys.runs.interim_or_final import Standing, combines, standing_of, standings_of
from surveys.runs.ledger import entry_of
from surveys.runs.look import look_of
from tests.attack.test_open_answers import EVERYTHING, answer, survey
from tests.fixtures.devices import closed, version_of
from tests.fixtures.runs import done, find_run, mined_run, requested_run

pytestmark = pytest.mark.django_db

EVEN = (60, 60, 60, 60)


def cut(version: Version, days: int) -> None:
    """End a chapter of the survey now."""
    at = timezone.now() + timedelta(days=days)
    Chapter.objects.create(survey=version.survey, ends_at=at)
    chapters_cut(now=at)


def analysed(version: Version, chapter: int | None = None) -> Run:
    return done(requested_run(version_of(version.pk), EVERYTHING, chapter=chapter))


@pytest.mark.soak
def test_the_page_the_files_and_the_ledger_agree_in_every_state_of_a_survey() -> None:
    version = survey("states")
    answer(version, EVEN)
    answer(version, EVEN)
    runs = [analysed(version)]
    cut(version, 1)
    answer(version, EVEN)
    answer(version, EVEN)
    runs += [analysed(version), analysed(version, 1)]
    cut(version, 2)
    answer(version, EVEN)
    closed(version)
    runs += [analysed(version), analysed(version, 2), analysed(version, 3)]
    expected = [
        # One batch of 480 rows, before the first chapter ended.
        (240, False, None, False),
        # Everything that could be read in the second chapter, and the first one.
        (720, False, None, False),
        (480, True, 1, True),
        # Everything once the survey is settled: final, but only its chapters combine open answers.
        (1200, True, None, False),
        (480, True, 2, True),
        (240, True, 3, True),
    ]
    runs = [find_run(run.pk) for run in runs]
    standings = standings_of(runs)
    for run, (n, is_final, chapter, may_combine) in zip(runs, expected, strict=True):
        standing, look, entry = standing_of(run), look_of(run), entry_of(run)
        assert look is not None
        assert entry is not None
        assert standings[run.pk] == standing
        assert standing.has_chapters
        assert (run.n, standing.is_final, combines(run), entry.final) == (
            n,
            is_final,
            may_combine,
            may_combine,
        )
        assert (standing.chapter and standing.chapter.number) == chapter
        assert (look.is_final, look.chapter) == (standing.is_final, standing.chapter)


def test_a_survey_without_chapters_is_final_once_it_is_settled() -> None:
    version = survey("plain")
    answer(version, EVEN)
    answer(version, EVEN)
    before = mined_run(version, EVERYTHING, anew=True)
    assert standing_of(find_run(before.pk)) == Standing(is_final=False)
    final = mined_run(closed(version), EVERYTHING, anew=True)
    assert standing_of(find_run(final.pk)) == Standing(is_final=True)
    assert standing_of(find_run(final.pk)).is_closed_set
    assert standing_of(find_run(before.pk)) == Standing(is_final=False)


def test_a_practice_survey_combines_although_it_is_not_final() -> None:
    version = survey("practised", practice=True)
    answer(version, EVEN)
    run = find_run(mined_run(version, EVERYTHING, anew=True).pk)
    assert (standing_of(run).is_final, combines(run)) == (False, True)


def test_a_run_without_rows_is_interim() -> None:
    version = survey("damaged")
    answer(version, EVEN)
    run = mined_run(closed(version), EVERYTHING, anew=True)
    Run.objects.filter(pk=run.pk).update(first_batch=None, last_batch=None)
    assert standing_of(find_run(run.pk)) == Standing(is_final=False)


@pytest.mark.soak
def test_many_runs_need_no_more_queries_than_one(django_assert_num_queries: object) -> None:
    runs = []
    for number in range(3):
        version = survey(f"s{number}")
        answer(version, EVEN)
        answer(version, EVEN)
        cut(version, 1)
        runs.append(analysed(version, 1))
    loaded = list(Run.objects.select_related("survey").filter(pk__in=[run.pk for run in runs]))
    with django_assert_num_queries(2):  # type: ignore[operator]  # a fixture of pytest-django
        assert all(standing.chapter for standing in standings_of(loaded).values())


FIRST, SECOND = (
    ClosedChapter(number=number, after=after, last=last, ends_at=None)
    for number, after, last in ((1, 0, 4), (2, 4, 9))
)


@pytest.mark.parametrize(
    ("ends", "newest", "is_final", "chapter"),
    [
        ((2, 4), None, True, FIRST),
        ((5, 8), None, True, SECOND),
        # Only a part of a chapter, or both.
        ((5, 5), None, False, None),
        ((2, 5), None, False, None),
        ((2, 8), None, False, None),
        ((2, 8), 8, True, None),
        ((2, 5), 8, False, None),
    ],
)
def test_a_run_of_all_batches_of_its_design_in_a_chapter_is_final_for_it(
    ends: tuple[int, int], newest: int | None, is_final: bool, chapter: ClosedChapter | None
) -> None:
    run = Run(first_batch=ends[0], last_batch=ends[1])
    found = interim_or_final._standing(run, newest, [FIRST, SECOND], [2, 4, 5, 8])
    assert found == Standing(is_final=is_final, chapter=chapter, has_chapters=True)
    assert found.is_closed_set is (chapter is not None)


def test_a_chapter_without_batches_of_the_design_is_not_that_of_a_run() -> None:
    run = Run(first_batch=None, last_batch=None)
    assert interim_or_final._standing(run, None, [FIRST], []) == Standing(is_final=False, has_chapters=True)
    assert interim_or_final._standing(run, None, None, []) == Standing(is_final=False)


def test_the_last_chapter_of_each_settled_survey_ends_with_its_own_newest_batch() -> None:
    runs = []
    for slug in ("one", "two"):
        version = survey(slug)
        answer(version, EVEN)
        cut(version, 1)
        answer(version, EVEN)
        runs.append(requested_run(closed(version), EVERYTHING, chapter=2))
        assert runs[-1].last_batch == version.batches.latest("pk").pk
    standings = standings_of([find_run(run.pk) for run in runs])
    for run in runs:
        chapter = standings[run.pk].chapter
        assert chapter is not None
        assert (chapter.number, chapter.last, chapter.ends_at) == (2, run.last_batch, None)
        assert standings[run.pk].is_final
    assert standings_of([]) == {}
