"""The ASGI application that the web server runs, around the WSGI one of `surveys.wsgi`.

A WSGI server can serve `surveys.wsgi` directly, if a proxy buffers complete requests in front of it.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
import threading
from typing import Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

from surveys.wsgi import application as wsgi  # noqa: I001 - sets up Django, so it must come first

from django.conf import settings

from surveys.accounts.arrivals import rank_of
from surveys.accounts.sessions import account_of
from surveys.intake.waiting_by_network import WaitingByNetwork
from surveys.server.staff_process import IDLE_SECONDS, STAFF_IDLE_SECONDS, StaffProcess
from surveys.server.whole_requests import Application

MOST_OPEN_FILES: Final = 65_536

SECONDS_BETWEEN_THREADS: Final = 0.0002
"""How long a busy thread keeps the interpreter lock. Storing an answer acquires the lock about a hundred
times; with Python's default of 5 ms, it would wait half a second while one staff page is rendered."""
SECONDS_TO_END: Final = 5.0
"""Time for requests in progress after the parent of this process has ended."""


def end_with_parent() -> None:
    """End this process when its parent has ended, because it would keep the port."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(SECONDS_TO_END)
        os._exit(1)

    threading.Thread(target=wait, name="end with parent", daemon=True).start()


def raise_open_files() -> None:
    """Raise the limit of open files, because each connection is one, and 1024 is a common default."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = MOST_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


raise_open_files()
end_with_parent()
sys.setswitchinterval(SECONDS_BETWEEN_THREADS)
application = Application(
    wsgi,
    threads=settings.WEB_THREADS,
    rank_of=rank_of,
    staff=StaffProcess(idle_seconds=STAFF_IDLE_SECONDS),
    large=StaffProcess(idle_seconds=IDLE_SECONDS),
    account_of=account_of,
    queue=WaitingByNetwork().place_of,
)
