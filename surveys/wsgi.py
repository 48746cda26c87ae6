"""The WSGI application."""

import os

from django.core.wsgi import get_wsgi_application
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

application = get_wsgi_application()

from surveys.jobs.home_files import clear_periodically  # noqa: E402 - needs Django set up
from surveys.server.refused_database import RefusedDatabaseError  # noqa: E402 - likewise
from surveys.server.state import refuse_database  # noqa: E402 - likewise

try:
    refuse_database()
except RefusedDatabaseError as error:
    # SystemExit, because a web server would print the traceback of any other exception.
    raise SystemExit(f"sottovoce: {error}") from None
finally:
    connection.close()
clear_periodically()
