"""The WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

application = get_wsgi_application()

from surveys.jobs.workers import clear_from_time_to_time  # noqa: E402 - Django stands now, and not before
from surveys.server.database import refuse_newer_database  # noqa: E402 - the same

refuse_newer_database()
clear_from_time_to_time()
