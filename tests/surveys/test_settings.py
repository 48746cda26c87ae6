import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from surveys import environment, environment_services
from surveys import settings as shipped
from tests.conftest import ROOT
from tests.fixtures.processes import python


def read(tmp_path: Path, expression: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Load the shipped settings in a separate process and print one expression."""
    return python(tmp_path, "-c", f"from surveys import settings; print({expression})", **environment)


def test_defaults_are_private_local_and_without_debug(tmp_path: Path) -> None:
    done = read(tmp_path, "(settings.DEBUG, settings.ALLOWED_HOSTS, settings.DATABASES['default']['NAME'])")
    assert done.stdout.strip() == str(
        (False, ["localhost", "127.0.0.1", "[::1]"], str(tmp_path.resolve() / "sottovoce.sqlite3"))
    ), done.stderr


def test_settings_of_the_earlier_name_are_refused(tmp_path: Path) -> None:
    done = read(tmp_path, "0", SOTTO_HOME="/srv/sotto", SOTTO_APPS="", SOTTO_HTTPS="1", SOTTO_MAIL="")
    assert done.returncode == 1
    said = done.stderr.splitlines()[-1]
    assert "SOTTO_APPS, SOTTO_HOME, SOTTO_HTTPS and 1 more cannot be read" in said
    assert "rename it, for example to SOTTOVOCE_APPS" in said


def test_linear_algebra_gets_one_thread_before_numpy_loads(tmp_path: Path) -> None:
    done = read(tmp_path, "(settings.os.environ['OPENBLAS_NUM_THREADS'], 'numpy' in settings.sys.modules)")
    assert done.stdout == "('1', False)\n", done.stderr


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("Yes", True), ("off", False), ("0", False), ("", False)]
)
def test_switches_accept_the_usual_spellings(text: str, value: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", text)
    assert shipped.env_bool("DEBUG", False) is value


def test_the_secret_key_is_created_once_and_private(tmp_path: Path) -> None:
    first = shipped.secret_key(tmp_path)
    assert len(first) == 64
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert shipped.secret_key(tmp_path) == first
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_processes_starting_together_share_one_key(tmp_path: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", "from surveys import settings; print(settings.SECRET_KEY)"],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "SOTTOVOCE_HOME": str(tmp_path)},
            stdout=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    assert len({process.communicate()[0] for process in started}) == 1


@pytest.mark.parametrize("exists", [True, False])
def test_the_doctor_creates_neither_key_nor_home(exists: bool, tmp_path: Path) -> None:
    home = tmp_path / "home"
    if exists:
        home.mkdir()
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "SOTTOVOCE_HOME": str(home)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert str(home) in done.stderr
    assert "restore the backup" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.rglob("*")) == ([home] if exists else [])


def test_a_short_key_is_refused_without_being_printed(tmp_path: Path) -> None:
    done = read(tmp_path, "0", SECRET_KEY="hunter2")
    assert done.returncode != 0
    assert "SECRET_KEY has 7 characters; give at least 32" in done.stderr
    assert "hunter2" not in done.stderr


def test_a_damaged_key_file_is_refused_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("")
    with pytest.raises(
        ImproperlyConfigured, match="holds 0 characters; delete the file and a key will be made"
    ):
        shipped.secret_key(tmp_path)


def test_an_impossible_home_directory_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = read(tmp_path / "file" / "home", "0")
    assert done.returncode != 0
    assert f"SOTTOVOCE_HOME is '{tmp_path}/file/home', which cannot be made" in done.stderr


def test_the_module_docstring_lists_every_variable_it_reads() -> None:
    source = "".join(
        Path(one.__file__).read_text(encoding="utf-8") for one in (shipped, environment, environment_services)
    )
    read_names = set(re.findall(r"(?:environ\.get|env_[a-z]+)\(\s*\"([A-Z_]+)\"", source))
    documented = set(re.findall(r"^([A-Z_]+) {2,}", str(shipped.__doc__), re.MULTILINE))
    assert documented == read_names


@pytest.mark.parametrize(("text", "value"), [("", (3, 6)), ("2.5,7", (2.5, 7)), (" 2 , 4 ", (2, 4))])
def test_a_pair_must_be_two_positive_numbers(
    text: str, value: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOTTOVOCE_ODDS", text)
    assert environment.env_pair("SOTTOVOCE_ODDS", (3, 6)) == value


def test_count_settings_are_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOTTOVOCE_SPREAD", "100,50")
    assert environment.env_counts("SOTTOVOCE_SPREAD", (10, 20)) == (100, 50)


ISSUER, NO_PAIR = "write the provider's issuer, such as", "SOTTOVOCE_ODDS"
HEADER, MAIL = "write a header's name, such as X-Remote-User", "SOTTOVOCE_MAIL cannot be read"
DATABASE = "DATABASE_URL cannot be read; write sqlite:////path/file.sqlite3 or postgres"
BROKER, ORIGINS = "REDIS_URL cannot be read; write redis://", "write whole origins"


def each(texts: str, said: str) -> dict[str, str]:
    return dict.fromkeys(texts.split(), said)


REFUSED: dict[str, tuple[Callable[[], object], dict[str, str]]] = {
    "DEBUG": (lambda: environment.env_bool("DEBUG", False), {"maybe": "DEBUG is 'maybe'; write 1 or 0."}),
    "DATABASE_URL": (
        lambda: environment_services.database(Path()),
        each("oracel://a:secret@host/name mysql://a:secret@host/name sqlite:// sqlite:///", DATABASE),
    ),
    "REDIS_URL": (
        lambda: environment_services.broker_url(Path()),
        each("amqp://a:secret@h secret@h redis://h:no redis://h/no redis://[::1 redis+socket://", BROKER),
    ),
    "SOTTOVOCE_HOME": (
        shipped.home_directory,
        each("~nosuch/x", "this user is unknown; write the whole path"),
    ),
    "SOTTOVOCE_APPS": (
        lambda: environment.applications(installed=[]),
        each("nothing surveys.nothing surveys a:b . tests.fixtures", "SOTTOVOCE_APPS has"),
    ),
    "SOTTOVOCE_CLIENT_ORIGINS": (
        lambda: environment.env_origins("SOTTOVOCE_CLIENT_ORIGINS"),
        each("a.org https://a.org/ https://a.org/s https://a.org:443 https://A.org http://a.org", ORIGINS)
        | each("https://*.org * null file:// https://a.org,http://b.org http://localhost.a.org", ORIGINS),
    ),
    "ALLOWED_HOSTS": (
        lambda: environment.env_hosts("ALLOWED_HOSTS", []),
        each("https://a.org a.org:443 a.org/ a!b .", "ALLOWED_HOSTS has"),
    ),
    "SOTTOVOCE_FRAME_HOSTS": (
        lambda: environment.env_origins("SOTTOVOCE_FRAME_HOSTS", plain=True),
        each("a.org * https://a.org/b", "SOTTOVOCE_FRAME_HOSTS has"),
    ),
    "SOTTOVOCE_OPENID": (
        environment_services.openid_provider,
        each("login.example.org http://login.example.org https:// ftp://a", ISSUER)
        | {"https://login.example.org": "write what the provider calls this server"},
    ),
    "SOTTOVOCE_LOG_IN_HEADER": (
        environment_services.log_in_header,
        dict.fromkeys(["X_Remote_User", "Remote User", "1", "X-" + "a" * 80], HEADER),
    ),
    "SOTTOVOCE_MAIL": (environment_services.mail_server, each("mail http://a smtp:// smtp://a:x", MAIL)),
    "SOTTOVOCE_ODDS": (
        lambda: environment.env_pair("SOTTOVOCE_ODDS", (3, 6)),
        each("3 banana 1,2,3 0,6 3,x -1,2 3,1e9 6,3", NO_PAIR),
    ),
    "SOTTOVOCE_COUNTS": (
        lambda: environment.env_counts("SOTTOVOCE_COUNTS", (10_000_000, 6)),
        each("banana 1,2,3 0,6 3,x -1,2 3,1e9", "SOTTOVOCE_COUNTS")
        | {"2.5,50": "whole number", "3": "such as 10000000,6."},
    ),
}
"""Functions that read a variable, with values that they refuse and a part of the message."""


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [(name, value, said) for name, (_read, values) in REFUSED.items() for value, said in values.items()],
)
def test_invalid_values_are_refused_without_printing_passwords(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured) as refused:
        REFUSED[name][0]()
    assert said in str(refused.value)
    assert "secret" not in str(refused.value)
