"""/healthz: is the whole way open, for a machine that asks."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from surveys.celery import app
from surveys.models.beat import beat_age
from surveys.sweeper import BEAT, SECONDS_UNTIL_MISSED


def database_answers() -> bool:
    """Return whether the database answers a query."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return bool(cursor.fetchone() == (1,))
    except DatabaseError:
        return False


def broker_answers() -> bool:
    """Return whether the broker accepts a connection within two seconds."""
    try:
        with app.connection_for_write() as link:
            link.ensure_connection(max_retries=1, interval_start=0, timeout=2)
            return True
    except (OperationalError, OSError):
        return False


def sweeper_age_seconds() -> float | None:
    """Return how long ago the sweeper came round, or None if it never did or the database does not answer."""
    try:
        age = beat_age(BEAT, now=timezone.now())
    except DatabaseError:
        return None
    return None if age is None else round(age.total_seconds(), 1)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 if database, broker and sweeper are well, else 503; the body says which is not."""
    database = database_answers()
    broker = broker_answers()
    age = sweeper_age_seconds() if database else None
    sweeper = age is not None and age <= SECONDS_UNTIL_MISSED
    well = database and broker and sweeper
    return JsonResponse(
        {
            "status": "ok" if well else "failing",
            "database": "ok" if database else "no answer",
            "broker": "ok" if broker else "no answer",
            "sweeper": "ok" if sweeper else ("late" if age is not None else "never seen"),
            "sweeper_age_seconds": age,
        },
        status=200 if well else 503,
    )
