"""Entries and cut points: what the database accepts once and never changes."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, models, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from surveys.models import Chapter, CutPoints, LedgerEntry, Survey
from tests.fixtures.devices import published, shipped_definition

pytestmark = pytest.mark.django_db

END = datetime(2090, 1, 1, tzinfo=UTC)


@pytest.fixture
def survey() -> Survey:
    return published(shipped_definition(slug="work")).survey


def entry(survey: Survey, **changes: Any) -> LedgerEntry:
    stated = {
        "survey": survey,
        "run_number": 1,
        "design_id": "d",
        "snapshot_digest": "s",
        "n": 120,
        "final": False,
        "decision": {"family": 6, "open": {"0": [[0, 60], [0, 60]]}, "crossed": [0, 1], "shown": "1"},
        "at": timezone.now(),
    }
    return LedgerEntry.objects.create(**(stated | changes))


def cuts(survey: Survey, **changes: Any) -> CutPoints:
    stated = {"survey": survey, "design_id": "d", "question": 2, "snapshot_digest": "s", "cuts": [0, 5]}
    return CutPoints.objects.create(**(stated | {"at": timezone.now()} | changes))


def test_a_run_has_one_entry_and_entries_are_ordered_by_run(survey: Survey) -> None:
    second, first = entry(survey, run_number=7), entry(survey, run_number=3)
    assert list(LedgerEntry.objects.all()) == [first, second]
    assert str(first) == "ledger of run 3"
    with pytest.raises(IntegrityError), transaction.atomic():
        entry(survey, run_number=7)
    stored = LedgerEntry.objects.get(run_number=3)
    assert stored.decision["open"]["0"] == [[0, 60], [0, 60]]


def test_rows_of_the_ledger_keep_their_survey_and_refuse_every_change(survey: Survey) -> None:
    chapter = Chapter.objects.create(survey=survey, ends_at=END, last_batch=4)
    rows: list[tuple[models.Model, dict[str, Any]]] = [
        (entry(survey), {"final": True}),
        (cuts(survey), {"cuts": [0]}),
        (chapter, {"last_batch": 5}),
    ]
    with pytest.raises(ProtectedError):
        survey.delete()
    for row, change in rows:
        manager = type(row)._default_manager
        with pytest.raises(DatabaseError), transaction.atomic():
            manager.filter(pk=row.pk).update(**change)
        with pytest.raises(DatabaseError), transaction.atomic():
            manager.filter(pk=row.pk)._raw_delete("default")


def test_cut_points_are_made_once_for_the_same_rows(survey: Survey) -> None:
    first = cuts(survey)
    assert str(first) == "cut points of question 2"
    assert CutPoints.objects.get().cuts == [0, 5]
    with pytest.raises(IntegrityError), transaction.atomic():
        cuts(survey, cuts=[0])
    # Rows that joined later, another question and another design have their own.
    for change in ({"snapshot_digest": "t"}, {"question": 3}, {"design_id": "e"}):
        cuts(survey, **change)
    assert CutPoints.objects.count() == 4
