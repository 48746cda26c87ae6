"""The settings of Sottovoce, in a home of the test run's own.

Tests never touch the state, the broker or the key of a running ./run, and two test runs at once do not meet.
"""

import atexit
import copy
import os
import shutil
import tempfile
from pathlib import Path

if "SOTTOVOCE_TEST_HOME" not in os.environ:
    # Processes that a test starts inherit the variable and with it the home; only the first one removes it.
    os.environ["SOTTOVOCE_TEST_HOME"] = tempfile.mkdtemp(prefix="sottovoce-test-")
    atexit.register(shutil.rmtree, os.environ["SOTTOVOCE_TEST_HOME"], ignore_errors=True)
if "SOTTOVOCE_TEST_WORKED_OUT" not in os.environ:
    # ./test names a directory that its two test runs share. Not in the home: that may be kept, and what an
    # older program worked out would be used again.
    os.environ["SOTTOVOCE_TEST_WORKED_OUT"] = tempfile.mkdtemp(prefix="sottovoce-test-worked-out-")
    atexit.register(shutil.rmtree, os.environ["SOTTOVOCE_TEST_WORKED_OUT"], ignore_errors=True)

# The processes of a test run share the home of the first.
SHARED = Path(os.environ.setdefault("SOTTOVOCE_TEST_SHARED", os.environ["SOTTOVOCE_TEST_HOME"]))

# Where tests run in several processes, each has a home, and so a broker and a database, of its own.
_worker = os.environ.get("PYTEST_XDIST_WORKER", "")
if os.environ.get("SOTTOVOCE_TEST_HOME_OF", "") != _worker:
    os.environ["SOTTOVOCE_TEST_HOME"] = tempfile.mkdtemp(
        prefix=_worker, dir=os.environ["SOTTOVOCE_TEST_HOME"]
    )
    os.environ["SOTTOVOCE_TEST_HOME_OF"] = _worker

TEST_HOME = Path(os.environ["SOTTOVOCE_TEST_HOME"])
BROKER_SOCKET = TEST_HOME / "broker.sock"

os.environ["SOTTOVOCE_HOME"] = str(TEST_HOME)
# Something listens there only while a test uses the `broker` fixture.
# A process that a test starts may be given a way to it that the test can cut.
os.environ["REDIS_URL"] = os.environ.get("SOTTOVOCE_TEST_BROKER") or f"redis+socket://{BROKER_SOCKET}"
os.environ.pop("DEBUG", None)
# Playwright runs an event loop in the test's thread, and Django would refuse the database there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

from surveys.settings import *  # noqa: E402, F403 - the environment above must be there first; settings are names
from surveys.settings import DATABASES, STORAGES  # noqa: E402 - the same

# Plain names, straight from the sources. What hashed names need is tested where they are collected.
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
# Tests log in often; how slow a password digest is, is Django's business.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# No test cuts the power, as tests/postgresql.py says too: a commit need not wait for the disk.
DATABASES = copy.deepcopy(DATABASES)
if "init_command" in DATABASES["default"]["OPTIONS"]:
    DATABASES["default"]["OPTIONS"]["init_command"] += " PRAGMA synchronous=OFF;"
