"""The WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

application = get_wsgi_application()

from surveys.jobs.workers import clear_periodically  # noqa: E402 - needs Django set up
from surveys.server.database import refuse_newer_database  # noqa: E402 - likewise

refuse_newer_database()
clear_periodically()
