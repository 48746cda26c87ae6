"""The least that Django does: one view that inserts one row. What submissions are compared with.

No middleware, no checks, no second statement, and the same database settings. Served by
``granian --interface wsgi benchmarks.bare_insert:application``.
"""

from __future__ import annotations

import json

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from surveys import settings as ours

settings.configure(
    SECRET_KEY=ours.SECRET_KEY,
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES=ours.DATABASES,
    INSTALLED_APPS=[],
    MIDDLEWARE=[],
    ROOT_URLCONF=__name__,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=True,
)
application = get_wsgi_application()


class Row(models.Model):
    """One received text."""

    text = models.TextField()

    class Meta:
        app_label = "bare"

    def __str__(self) -> str:
        return self.text


def insert(request: HttpRequest) -> HttpResponse:
    """Insert what was sent."""
    Row.objects.create(text=json.loads(request.body)["body"])
    return JsonResponse({"status": "received"})


urlpatterns = [path("api/submissions", insert)]

if Row._meta.db_table not in connection.introspection.table_names():
    with connection.schema_editor() as editor:
        editor.create_model(Row)
