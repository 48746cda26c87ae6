"""Podman's systemd generator converts the Quadlet units to services, in which systemd finds no errors.

If the installed podman is too old to have the generator, as in Debian 12, ./test --soak uses Debian 13's.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.operations.test_deploy import unit

UNITS = ROOT / "deploy" / "quadlet"
INSTALLED = Path("/usr/libexec/podman/quadlet")
PARTS = {"web", "worker", "sweeper", "prepare"}

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(
        not INSTALLED.exists() and not Path("/etc/debian_version").exists(),
        reason="neither a podman with quadlet nor a Debian to take it from",
    ),
]


def generator(directory: Path) -> Path:
    """Return the installed generator, or Debian 13's from an unpacked package."""
    if INSTALLED.exists():
        return INSTALLED
    for name in ("lists/partial", "cache/archives/partial"):
        (directory / name).mkdir(parents=True)
    (directory / "status").touch()
    keys = next(Path("/usr/share/keyrings").glob("debian-archive-keyring.*"))
    # Use this machine's package mirror.
    told = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Origin: Debian", "Label: Debian"],
        capture_output=True,
        text=True,
        check=True,
    )
    mirror = told.stdout.splitlines()[0]
    (directory / "sources.list").write_text(f"deb [signed-by={keys}] {mirror} trixie main\n")
    options = {
        "Dir::Etc::sourcelist": directory / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": directory / "lists",
        "Dir::State::status": directory / "status",
        "Dir::Cache": directory / "cache",
        "APT::Sandbox::User": "root",
    }
    given = [f"--option={name}={value}" for name, value in options.items()]
    for command in ("update", "download podman"):
        subprocess.run(
            ["apt-get", "--quiet", *given, *command.split()], cwd=directory, check=True, timeout=600
        )
    (package,) = directory.glob("podman_*.deb")
    subprocess.run(["dpkg", "--extract", package, directory / "podman"], check=True)
    return directory / "podman" / INSTALLED.relative_to("/")


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the generated services."""
    directory = tmp_path_factory.mktemp("quadlet")
    made = directory / "made"
    made.mkdir()
    done = subprocess.run(
        [generator(directory), made],
        env=os.environ | {"QUADLET_UNIT_DIRS": str(UNITS)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not re.search(r"unsupported|error|warning|ignor", done.stderr, re.IGNORECASE), done.stderr
    return made


def of(made: Path, name: str) -> Mapping[str, Mapping[str, list[str]]]:
    return unit(made / f"sottovoce-{name}.service")


def run(made: Path, name: str) -> list[str]:
    """Return the command with which a service starts its container."""
    (line,) = of(made, name)["Service"]["ExecStart"]
    return shlex.split(line)


def test_each_unit_becomes_a_service(services: Path) -> None:
    kinds = {".container": "", ".volume": "-volume", ".network": "-network"}
    expected = {f"{path.stem}{kinds[path.suffix]}.service" for path in UNITS.iterdir()}
    assert {path.name for path in services.glob("*.service")} == expected
    wanted = {path.name for path in (services / "multi-user.target.wants").iterdir()}
    assert wanted == {f"{path.stem}.service" for path in UNITS.glob("*.container")}


def test_containers_are_unprivileged_and_only_the_sweeper_reaches_keys(services: Path) -> None:
    for name in PARTS:
        line = run(services, name)
        assert {"--read-only", "--security-opt=no-new-privileges"} <= set(line)
        assert line[line.index("--cap-drop") + 1] == "all"
        assert "localhost/sottovoce:latest" in line
    keys = {
        name
        for name in {*PARTS, "database", "broker"}
        if "systemd-sottovoce-keys" in " ".join(run(services, name))
    }
    assert keys == {"sweeper"}
    for name in ("database", "broker", "worker", "sweeper", "prepare"):
        line = run(services, name)
        networks = [after for word, after in pairwise(line) if word == "--network"]
        assert networks == ["systemd-sottovoce-inside"]
        assert "--publish" not in line


def test_units_wait_for_the_database_instead_of_failing(services: Path) -> None:
    """If this unit failed once, the units that require it would never start, so it waits by itself."""
    prepare = of(services, "prepare")["Service"]
    assert prepare["Type"] == ["oneshot"]
    assert "Restart" not in prepare
    assert run(services, "prepare")[-1].startswith("until sottovoce migrate; do sleep 5; done;")
    for name in PARTS - {"prepare"}:
        assert "sottovoce-prepare.service" in of(services, name)["Unit"]["Requires"]


def test_systemd_reports_no_errors_in_the_units(services: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *sorted(services.glob("sottovoce-*.service"))],
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{services}:"},
        capture_output=True,
        text=True,
    )
    # Ignore messages about a missing podman.
    said = [line for line in done.stderr.splitlines() if "is not executable" not in line]
    assert (said, done.stdout) == ([], "")
