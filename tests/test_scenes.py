"""A cached scene is written again unchanged, and only if making it anew would give the same rows."""

import re

import pytest
from django.db import connection, transaction
from django.utils import timezone, translation

from surveys.models import Beat, MixerKey, Run
from tests.fixtures import scenes
from tests.fixtures.runs import answered_version, audited_run, mined_run
from tests.fixtures.staff import member

pytestmark = [pytest.mark.django_db, pytest.mark.only("sqlite")]

A_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?")


@pytest.fixture(autouse=True)
def _begin(db: None, request: pytest.FixtureRequest) -> None:
    """Begin again, because creating the database before the first test of a process counts as a write."""
    scenes.test_begins(request.node)


def scene(slug: str, n: int = 120) -> Run:
    return audited_run(mined_run(answered_version(n, n_direct=60, slug=slug)))


def key_of_scene(slug: str, n: int = 120) -> bytes:
    """Return the name of the mixer's key, which is random whenever a scene is really made."""
    answered_version(n, n_direct=60, slug=slug)
    return bytes(MixerKey.objects.get(current=True).name)


def rows_of_all_tables() -> list[tuple[str, ...]]:
    """Return every row of every table, without times."""
    with connection.cursor() as cursor:
        return [
            (table, *(A_TIME.sub("", str(one)) for one in row))
            for table in connection.introspection.table_names(cursor)
            for row in cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1').fetchall()
        ]


def as_the_next_test(request: pytest.FixtureRequest, point: str) -> None:
    """Roll back all writes, as the end of a test does."""
    transaction.savepoint_rollback(point)
    scenes.test_begins(request.node)


def test_a_restored_scene_has_the_same_rows_with_current_times(request: pytest.FixtureRequest) -> None:
    point = transaction.savepoint()
    made, began = scene("scenes-again"), timezone.now()
    rows = rows_of_all_tables()
    as_the_next_test(request, point)
    assert not Run.objects.exists()
    again = scene("scenes-again")
    assert rows_of_all_tables() == rows
    assert (again.pk, again.job.state) == (made.pk, made.job.state)
    assert made.job.created_at < began < again.job.created_at


def test_a_scene_is_remade_for_other_arguments_or_database_contents(request: pytest.FixtureRequest) -> None:
    point = transaction.savepoint()
    first = key_of_scene("scenes-key")
    as_the_next_test(request, point)
    assert key_of_scene("scenes-key") == first
    as_the_next_test(request, point)
    assert key_of_scene("scenes-key", 130) != first
    as_the_next_test(request, point)
    Beat.objects.create(name="another", at=timezone.now())
    assert key_of_scene("scenes-key") != first
    as_the_next_test(request, point)
    member("of another name")
    assert key_of_scene("scenes-key") != first
    as_the_next_test(request, point)
    with translation.override("zh-hans"):
        assert key_of_scene("scenes-key") != first


def test_a_scene_is_remade_under_other_settings(request: pytest.FixtureRequest, settings: object) -> None:
    point = transaction.savepoint()
    first = key_of_scene("scenes-settings")
    as_the_next_test(request, point)
    settings.LOG_IN_HEADER = "X-Another"  # type: ignore[attr-defined]
    assert key_of_scene("scenes-settings") != first


def test_a_scene_is_remade_when_code_is_patched(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = transaction.savepoint()
    first = key_of_scene("scenes-patched")
    as_the_next_test(request, point)
    assert key_of_scene("scenes-patched") == first
    as_the_next_test(request, point)
    monkeypatch.setattr("surveys.intake.keys.NOTHING", None, raising=False)
    assert key_of_scene("scenes-patched") != first
