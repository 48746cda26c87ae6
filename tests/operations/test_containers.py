"""The image and compose.yaml of deploy/container: build, start as documented, and run the demonstration.

Everything is built from Debian's packages, so these tests run in ./test --soak, as root on Debian, without an
image registry. debootstrap makes the base image; PostgreSQL, Valkey and Caddy on it replace the three public
images. Our entry script for PostgreSQL handles the variables at its first start as the public image does.
"""

import contextlib
import json
import os
import re
import resource
import shutil
import ssl
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.proxies import free_port
from tests.conftest import ROOT, wait_until
from tests.operations.test_deploy import compose

BASE = "localhost/debian:13"
NEEDED = ("debootstrap", "podman", "podman-compose", "runc", "iptables")
NETWORK = ("aardvark-dns", "netavark")
KEY = "/var/lib/sottovoce-keys/"
MOST_MEGABYTES = 1000
"""Limit for the program with its packages, without Debian's own files."""
FOLDER = ROOT / "deploy" / "container"
# Certificates that this machine trusts in addition to Debian's, such as that of an institution's proxy.
TRUSTED = Path("/usr/local/share/ca-certificates")

FIRST_START = """#!/bin/sh
set -eu
data=/var/lib/postgresql/data
bin=$(echo /usr/lib/postgresql/*/bin)
as() { runuser -u postgres -- "$bin/$@"; }
if [ ! -s "$data/PG_VERSION" ]; then
    install --directory --owner postgres --mode 0700 "$data"
    install --owner postgres --mode 0600 /dev/null /tmp/word
    printf %s "$POSTGRES_PASSWORD" >/tmp/word
    as initdb --pgdata "$data" --username "$POSTGRES_USER" --pwfile /tmp/word \\
        --encoding UTF8 --locale C.UTF-8 --auth-host scram-sha-256 --auth-local trust
    printf "listen_addresses = '*'\\n" >>"$data/postgresql.conf"
    printf 'host all all all scram-sha-256\\n' >>"$data/pg_hba.conf"
    as pg_ctl --pgdata "$data" --wait -o "-c listen_addresses=" start
    as createdb --username "$POSTGRES_USER" "$POSTGRES_DB"
    as pg_ctl --pgdata "$data" --wait stop
fi
shift
exec runuser -u postgres -- "$bin/postgres" -D "$data" "$@"
"""

INSTALL = "RUN apt-get update && apt-get install --yes --no-install-recommends"
STAND_INS = {
    "database": [
        "RUN mkdir /etc/postgresql-common",
        "RUN echo create_main_cluster = false >/etc/postgresql-common/createcluster.conf",
        f"{INSTALL} postgresql",
        "RUN install --directory --owner postgres /run/postgresql",
        "COPY --chmod=0755 first-start /first-start",
        'ENTRYPOINT ["/first-start"]',
    ],
    "broker": [f"{INSTALL} valkey-server", "WORKDIR /data"],
    "proxy": [
        f"{INSTALL} caddy",
        "ENV XDG_DATA_HOME=/data",
        'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile"]',
    ],
}

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(os.geteuid() != 0, reason="debootstrap and a network of containers need root"),
    pytest.mark.skipif(
        not Path("/etc/debian_version").exists(), reason="the base is made of Debian's packages"
    ),
]


class Containers:
    """Podman with its own storage, separate from other containers on this machine."""

    def __init__(self, directory: Path) -> None:
        # Podman's default limits may exceed those that this process can set.
        limits = {
            "nofile": resource.getrlimit(resource.RLIMIT_NOFILE)[1],
            "nproc": resource.getrlimit(resource.RLIMIT_NPROC)[1],
        }
        given = json.dumps([f"{name}={min(most, 16_384)}" for name, most in limits.items() if most > 0])
        (directory / "containers.conf").write_text(
            f'[containers]\ndefault_ulimits = {given}\n[engine]\nruntime = "runc"\n'
            '[network]\nnetwork_backend = "netavark"\n',
            encoding="utf-8",
        )
        (directory / "storage.conf").write_text(
            f'[storage]\ndriver = "overlay"\ngraphroot = "{directory}/images"\nrunroot = "{directory}/run"\n',
            encoding="utf-8",
        )
        self.environment = os.environ | {
            "CONTAINERS_CONF": str(directory / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(directory / "storage.conf"),
        }

    def run(self, *command: str | Path, cwd: Path = ROOT, check: bool = True) -> str:
        done = subprocess.run(
            list(map(str, command)),
            cwd=cwd,
            env=self.environment,
            text=True,
            capture_output=True,
            timeout=3600,
        )
        assert not check or done.returncode == 0, f"{command}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout + done.stderr

    def build(self, tag: str, folder: Path, *more: str) -> None:
        self.run(
            *("podman", "build", "--network", "host", "--isolation", "chroot"),
            *("--build-arg", f"BASE={BASE}", "--tag", tag, *more, folder),
        )


@pytest.fixture(scope="module")
def containers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Containers]:
    """Build the image of the checkout, and the other images."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    missing += [name for name in NETWORK if not Path("/usr/lib/podman", name).exists()]
    assert not missing, f"apt-get install {' '.join(missing)}; ./test --soak does"
    directory = tmp_path_factory.mktemp("containers")
    made = Containers(directory)
    base = directory / "base"
    made.run("debootstrap", "--variant=minbase", "trixie", base)
    if TRUSTED.is_dir():
        shutil.copytree(TRUSTED, base / TRUSTED.relative_to("/"), dirs_exist_ok=True)
    made.run("tar", "--create", "--file", directory / "base.tar", "--directory", base, ".")
    made.run("podman", "import", directory / "base.tar", BASE)
    try:
        made.build("localhost/sottovoce:latest", ROOT, "--file", str(FOLDER / "Containerfile"))
        for part, lines in STAND_INS.items():
            folder = directory / part
            folder.mkdir()
            (folder / "first-start").write_text(FIRST_START, encoding="utf-8")
            (folder / "Containerfile").write_text("\n".join([f"FROM {BASE}", *lines, ""]), encoding="utf-8")
            made.build(compose()["services"][part]["image"], folder)
        yield made
    finally:
        made.run("podman", "rm", "--force", "--all", check=False)
        made.run("podman", "volume", "rm", "--force", "--all", check=False)
        made.run("podman", "rmi", "--force", "--all", check=False)


@pytest.fixture
def started(containers: Containers, tmp_path: Path) -> Iterator[tuple[Containers, Path]]:
    """Run the documented commands in a folder with compose.yaml and the three values."""
    folder = tmp_path / "sottovoce-tried"
    shutil.copytree(FOLDER, folder)
    (folder / ".env").write_text(
        "SOTTOVOCE_NAME=localhost\nDATABASE_PASSWORD=of-the-database\nBROKER_PASSWORD=of-the-broker\n",
        "utf-8",
    )
    try:
        for command in commands()[:3]:
            containers.run(*command, cwd=folder)
        yield containers, folder
    finally:
        containers.run("podman-compose", "down", "--volumes", cwd=folder, check=False)


def commands() -> list[list[str]]:
    """Read the commands for deploy/container from the page."""
    page = (ROOT / "docs/operators.md").read_text(encoding="utf-8")
    return [line.split() for line in re.findall(r"^    (podman-compose .*)$", page, re.MULTILINE)]


def test_the_image_contains_only_what_it_needs_to_run(containers: Containers) -> None:
    inside = ("podman", "run", "--rm", "--network", "none", "localhost/sottovoce:latest", "sh", "-c")
    look = "find /opt/sottovoce -type d -name tests; ls /opt/sottovoce/bin | grep ^pip; true"
    assert containers.run(*inside, look) == ""
    megabytes = containers.run(*inside, "du --summarize --block-size=1000000 /opt/sottovoce")
    assert int(megabytes.split()[0]) <= MOST_MEGABYTES


def test_the_documented_one_line_command_starts_the_demo(containers: Containers) -> None:
    page = (ROOT / "docs/operators.md").read_text(encoding="utf-8")
    (typed,) = re.findall(r"^    (podman run --rm .*)$", page, re.MULTILINE)
    port = free_port()
    assert "127.0.0.1:8000:" in typed
    command = ["--name", "tried", *typed.replace("127.0.0.1:8000:", f"127.0.0.1:{port}:").split()[2:]]
    running = subprocess.Popen(
        ["podman", "run", *command],
        env=containers.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert running.stdout is not None
    try:
        said: list[str] = []
        for line in running.stdout:
            said.append(line)
            if "Ctrl-C stops everything" in line:
                break
        everything = "".join(said)
        assert "Sottovoce is at http://localhost:8000/" in everything
        assert "could not be prepared" not in everything, everything
        assert re.search(r"report \S*/en/staff/runs/1/results/", everything), everything
        first = urllib.request.urlopen(f"http://127.0.0.1:{port}/en/").read().decode()
        assert "Sottovoce" in first
    finally:
        containers.run("podman", "rm", "--force", "--time", "10", "tried", check=False)
        running.wait()


def test_the_documented_commands_start_sottovoce_and_the_demo_survey(
    started: tuple[Containers, Path],
) -> None:
    containers, folder = started
    typed = [[word.replace("survey.example.org", "localhost") for word in command] for command in commands()]
    administrator, doctor, backup = typed[3:]
    assert "Set the password" in containers.run(*administrator, cwd=folder)

    authority = ssl.create_default_context(cadata=wait_until(lambda: _authority(containers, folder)))
    assert wait_until(lambda: _status("https://localhost/live", authority)) == 200
    first = urllib.request.urlopen("https://localhost/en/", context=authority).read().decode()
    style = re.search(r'href="(/static/[^"]+\.css)"', first)
    assert style is not None
    assert _status(f"https://localhost{style[1]}", authority) == 200
    assert _status("https://localhost/ready", authority) == 403

    # The report needs worker, sweeper, broker and database.
    exec_in = ["podman-compose", "exec", "-T"]
    assert "demo: report /en/staff/runs/1/results/" in containers.run(
        *exec_in, "web", "sottovoce", "demo", cwd=folder
    )
    said = containers.run(*doctor, cwd=folder)
    assert re.search(r"\d+ OK, \d warnings, 0 errors", said), said
    assert "backed up to /backup/" in containers.run(*backup, cwd=folder)
    for part in ("web", "worker", "sweeper"):
        assert "uid=10001(sottovoce)" in containers.run(*exec_in, part, "id", cwd=folder)
        refused = containers.run(*exec_in, part, "touch", "/opt/sottovoce/planted", cwd=folder, check=False)
        assert "Read-only file system" in refused
    keys = {
        part: containers.run(
            *exec_in, part, "find", "/var/lib/sottovoce-keys", "-type", "f", cwd=folder
        ).count(KEY)
        for part in ("web", "worker", "sweeper")
    }
    assert (keys["web"], keys["worker"]) == (0, 0)
    assert keys["sweeper"] > 0


def _authority(containers: Containers, folder: Path) -> str:
    """Return the certificate of the proxy's local authority."""
    root = "/data/caddy/pki/authorities/local/root.crt"
    said = containers.run("podman-compose", "exec", "-T", "proxy", "cat", root, cwd=folder, check=False)
    found = re.search(r"-----BEGIN CERTIFICATE-----.*-----END CERTIFICATE-----", said, re.DOTALL)
    return found[0] if found else ""


def _status(address: str, authority: ssl.SSLContext) -> Any:
    with contextlib.suppress(urllib.error.URLError, ConnectionError):
        try:
            return urllib.request.urlopen(address, context=authority).status
        except urllib.error.HTTPError as error:
            return error.code
    return None
