"""A chapter of a survey is closed once, and its time never changes."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from surveys.models import Chapter, Survey
from tests.fixtures.devices import published, shipped_definition

pytestmark = pytest.mark.django_db


END = datetime(2090, 1, 1, tzinfo=UTC)


@pytest.fixture
def survey() -> Survey:
    return published(shipped_definition(slug="work")).survey


def test_an_open_chapter_is_closed_once(survey: Survey) -> None:
    later = Chapter.objects.create(survey=survey, ends_at=END + timedelta(days=1))
    chapter = Chapter.objects.create(survey=survey, ends_at=END)
    assert list(survey.chapters.all()) == [chapter, later]
    assert str(chapter) == f"chapter of {survey.pk} until 2090-01-01"
    with pytest.raises(IntegrityError), transaction.atomic():
        Chapter.objects.create(survey=survey, ends_at=END)
    with pytest.raises(DatabaseError), transaction.atomic():
        Chapter.objects.filter(pk=chapter.pk).update(ends_at=END + timedelta(days=9))
    assert Chapter.objects.filter(pk=chapter.pk).update(last_batch=0) == 1
    with pytest.raises(DatabaseError), transaction.atomic():
        Chapter.objects.filter(pk=chapter.pk).update(last_batch=9)
