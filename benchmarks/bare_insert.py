"""The baseline for submissions: a bare Django view that inserts one row.

It has no checks, runs no second statement, and uses the same database settings. With BARE_MIDDLEWARE=1 it
runs behind the middleware of Sottovoce's pages, otherwise behind none. Serve it like Sottovoce, with
``granian --interface asginl benchmarks.bare_insert:application``.
"""

from __future__ import annotations

import json
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from surveys import settings as ours

if os.environ.get("BARE_MIDDLEWARE") == "1":
    shared = {name: getattr(ours, name) for name in dir(ours) if name.isupper()}
    shared["MIDDLEWARE"] = [name for name in ours.MIDDLEWARE if not name.endswith(".SubmissionsFirst")]
else:
    shared = {"SECRET_KEY": ours.SECRET_KEY, "DATABASES": ours.DATABASES, "ALLOWED_HOSTS": ours.ALLOWED_HOSTS}
    shared |= {"INSTALLED_APPS": [], "MIDDLEWARE": [], "USE_TZ": True}
settings.configure(
    **{**shared, "ROOT_URLCONF": __name__, "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField"}
)
# Imported here because the module translates error messages, which needs configured settings.
from surveys.server.whole_requests import Application  # noqa: E402

application = Application(get_wsgi_application(), threads=4, rank_of=lambda _environ: ())


class Row(models.Model):
    """One received text."""

    text = models.TextField()

    class Meta:
        app_label = "bare"

    def __str__(self) -> str:
        return self.text


@csrf_exempt
def insert(request: HttpRequest) -> HttpResponse:
    """Insert the submitted body."""
    Row.objects.create(text=json.loads(request.body)["body"])
    return JsonResponse({"status": "received"})


urlpatterns = [path("api/submissions", insert)]

if Row._meta.db_table not in connection.introspection.table_names():
    with connection.schema_editor() as editor:
        editor.create_model(Row)
