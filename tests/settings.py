"""Settings for tests, in a temporary home.

Tests never touch the state, broker or key of a running ./run, and two test runs do not affect each other.
"""

import atexit
import copy
import os
import shutil
import tempfile
from datetime import timedelta
from pathlib import Path

if "SOTTOVOCE_TEST_HOME" not in os.environ:
    # Processes that a test starts inherit the variable and so the home. Only the first process removes it.
    os.environ["SOTTOVOCE_TEST_HOME"] = tempfile.mkdtemp(prefix="sottovoce-test-")
    atexit.register(shutil.rmtree, os.environ["SOTTOVOCE_TEST_HOME"], ignore_errors=True)
if "SOTTOVOCE_TEST_WORKED_OUT" not in os.environ:
    # ./test sets a directory that its two test runs share. It is outside the home, which a developer may
    # keep: results of an older program must not be used again.
    os.environ["SOTTOVOCE_TEST_WORKED_OUT"] = tempfile.mkdtemp(prefix="sottovoce-test-worked-out-")
    atexit.register(shutil.rmtree, os.environ["SOTTOVOCE_TEST_WORKED_OUT"], ignore_errors=True)

TEST_HOME = Path(os.environ["SOTTOVOCE_TEST_HOME"])
BROKER_SOCKET = TEST_HOME / "broker.sock"

os.environ["SOTTOVOCE_HOME"] = str(TEST_HOME)
# A broker listens there only while a test uses the `broker` fixture. A test can give the processes it starts
# another address, of a proxy whose connections it can cut.
os.environ["REDIS_URL"] = os.environ.get("SOTTOVOCE_TEST_BROKER") or f"redis+socket://{BROKER_SOCKET}"
os.environ.pop("DEBUG", None)
# Playwright runs an event loop in the test's thread, where Django would refuse to use the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

from surveys.settings import *  # noqa: E402, F403 - the environment above must be there first; settings are names
from surveys.settings import DATABASES, STORAGES  # noqa: E402 - the same

# Serve static files unhashed from the sources. Tests of `collectstatic` check the hashed names.
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
# A fast hasher, because tests log in often.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Commits need not wait for the disk, because no test cuts the power (see also tests/postgresql.py).
DATABASES = copy.deepcopy(DATABASES)
if "init_command" in DATABASES["default"]["OPTIONS"]:
    DATABASES["default"]["OPTIONS"]["init_command"] += " PRAGMA synchronous=OFF;"
# Most tests have no sweeper that renews the vouch for its keys.
SOTTOVOCE_VOUCH = timedelta(seconds=float(os.environ.get("SOTTOVOCE_TEST_VOUCH", "600")))

# Messages name commands as on a server, although tests run in a checkout.
PROGRAM = "sottovoce"
START = "sottovoce dev"
