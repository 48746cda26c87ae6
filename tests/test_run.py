"""What ./run does before Python is set up: choose a Python, report a missing one, reinstall.

It finds a fake Python, a few lines of shell that answer like a real one. A whole installation is therefore
instant and needs no network.
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from surveys.management.commands.dev import Command
from tests.conftest import ROOT

TOOLS = ["sh", "dirname", "cat", "cksum", "cmp", "rm", "mkdir", "cp", "env"]

PYTHON = r"""#!/bin/sh
case "$*" in
    *'(3, 11) <='*) exit ${OUT_OF_RANGE:-0} ;;
    *ensurepip.version*) exit ${NO_ENSUREPIP:-0} ;;
    *-venv*) echo python3.11-venv ;;
    *sys.version*) echo "${VERSION:-3.11.2}" ;;
    -V) echo "Python ${VERSION:-3.11.2}" ;;
    '-m venv '*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    '-m pip '*) echo "pip $*" >>"$LOG"; exit ${NO_NETWORK:-0} ;;
    manage.py*) echo "started $*" >>"$LOG" ;;
    *) echo "unexpected: $*" >&2; exit 99 ;;
esac
"""


@dataclass
class Machine:
    """A machine with a fresh copy of Sottovoce and only the named programs."""

    home: Path
    programs: Path
    shell: str

    def has(self, name: str, script: str) -> None:
        path = self.programs / name
        path.write_text(script)
        path.chmod(0o755)

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.shell, str(self.home / "run"), *arguments],
            env={"PATH": str(self.programs), "LOG": str(self.log), **environment},
            capture_output=True,
            text=True,
        )

    @property
    def log(self) -> Path:
        return self.home / "log"

    def did(self) -> list[str]:
        """Return the calls of pip, apt and manage.py since the last time."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines


@pytest.fixture(params=["dash", "bash"])
def machine(tmp_path: Path, request: pytest.FixtureRequest) -> Machine:
    home, programs = tmp_path / "sottovoce", tmp_path / "bin"
    home.mkdir()
    programs.mkdir()
    for name in ("run", "requirements.lock"):
        shutil.copy(ROOT / name, home / name)
    for tool in TOOLS:
        (programs / tool).symlink_to(str(shutil.which(tool)))
    machine = Machine(home=home, programs=programs, shell=str(shutil.which(request.param)))
    machine.has("uname", "#!/bin/sh\necho Linux\n")
    machine.has("id", "#!/bin/sh\necho 1000\n")
    return machine


@pytest.fixture
def with_python(machine: Machine) -> Machine:
    machine.has("python3.11", PYTHON)
    return machine


def test_the_first_run_installs_and_starts_with_the_given_arguments(with_python: Machine) -> None:
    done = with_python.run("--once", "--port", "8001")
    assert done.returncode == 0, done.stderr
    pip, started = with_python.did()
    assert pip.endswith("--require-hashes --no-deps -r requirements.lock")
    assert started == "started manage.py dev --once --port 8001"
    assert "Making .venv with Python 3.11.2 (python3.11)" in done.stdout


def test_the_second_run_only_starts(with_python: Machine) -> None:
    with_python.run()
    with_python.did()
    assert with_python.run().stdout == ""
    assert with_python.did() == ["started manage.py dev"]


def test_install_prepares_without_starting(with_python: Machine) -> None:
    assert with_python.run("--install").returncode == 0
    assert [line.split()[0] for line in with_python.did()] == ["pip"]


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--port", "8001", "--help"]])
def test_help_is_printed_without_installing(with_python: Machine, arguments: list[str]) -> None:
    done = with_python.run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: ./run ")
    for option in ("--once", "--host", "--port", "--install", "SOTTOVOCE_HOME", "PYTHON"):
        assert option in done.stdout
    assert with_python.did() == []
    assert not (with_python.home / ".venv").exists()


def test_help_needs_no_python(machine: Machine) -> None:
    assert machine.run("--help").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--hepl"], "unknown argument --hepl"),
        (["--once", "demo"], "unknown argument demo"),
        (["--port"], "--port needs a value"),
    ],
)
def test_invalid_arguments_are_reported_before_installing(
    with_python: Machine, arguments: list[str], fault: str
) -> None:
    done = with_python.run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"run: {fault}\nusage: ./run ")
    assert with_python.did() == []
    assert not (with_python.home / ".venv").exists()


def test_the_help_text_matches_the_launcher_options(with_python: Machine) -> None:
    told = with_python.run("--help").stdout
    launcher = Command().create_parser("manage.py", "dev")
    for option in ("--host", "--port", "--once"):
        (action,) = [action for action in launcher._actions if option in action.option_strings]
        default = f"(default: {action.default})" if action.nargs is None else ""
        assert any(option in line and default in line for line in told.splitlines())


def test_a_failed_installation_is_removed_and_repeated(with_python: Machine) -> None:
    failed = with_python.run(NO_NETWORK="1")
    assert failed.returncode == 2
    assert "the installation failed" in failed.stderr
    assert not (with_python.home / ".venv/stamp").exists()
    (with_python.home / ".venv/left-over").touch()
    again = with_python.run()
    assert "Removing .venv" in again.stdout
    assert not (with_python.home / ".venv/left-over").exists()
    assert with_python.did()[-1] == "started manage.py dev"


def test_a_changed_lock_updates_the_installation(with_python: Machine) -> None:
    with_python.run()
    with_python.did()
    (with_python.home / "requirements.lock").write_text("django==9\n")
    done = with_python.run()
    assert "Updating .venv: requirements.lock has changed" in done.stdout
    assert "Removing" not in done.stdout
    assert [line.split()[0] for line in with_python.did()] == ["pip", "started"]


def test_packages_that_only_tests_need_are_installed_at_the_same_time(with_python: Machine) -> None:
    more = with_python.home / "more.lock"
    more.write_text("pytest==9\n")
    done = with_python.run("--install", SOTTOVOCE_MORE_PACKAGES=str(more))
    assert done.returncode == 0, done.stderr
    locks = {line.rpartition(" ")[2] for line in with_python.did()}
    assert locks == {"requirements.lock", str(more)}
    checksum = subprocess.run(["cksum"], stdin=more.open(), capture_output=True, text=True, check=True).stdout
    assert (with_python.home / ".venv/stamp-more").read_text() == checksum


def test_packages_of_tests_that_fail_to_install_are_left_to_the_test_command(with_python: Machine) -> None:
    more = with_python.home / "more.lock"
    more.write_text("pytest==9\n")
    failing = PYTHON.replace("exit ${NO_NETWORK:-0}", "case $* in *more.lock) exit 1 ;; esac")
    with_python.has("python3.11", failing)
    assert with_python.run("--install", SOTTOVOCE_MORE_PACKAGES=str(more)).returncode == 0
    assert (with_python.home / ".venv/stamp").exists()
    assert not (with_python.home / ".venv/stamp-more").exists()


def test_the_locks_of_tests_are_those_of_the_program_and_the_packages_installed_beside_it() -> None:
    """Each package comes with its version, its condition and its checksums, and comes once."""

    def packages(text: str) -> set[str]:
        return set(re.split(r"\n(?=\w)", text.strip()))

    script = (ROOT / "test").read_text()
    (function,) = re.findall(r"^packages_of_tests\(\) \{.*?^\}", script, re.MULTILINE | re.DOTALL)
    command = ["sh", "-c", f"{function}\npackages_of_tests"]
    beside = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    program, tests, fast = (
        packages((ROOT / f"requirements{kind}.lock").read_text()) for kind in ("", "-dev", "-fast")
    )
    assert packages(beside) == (tests | fast) - program
    names = [package.partition("==")[0] for package in packages(beside) | program]
    assert len(set(names)) == len(names)


def test_an_interrupted_update_resumes_even_with_the_old_lock(with_python: Machine) -> None:
    lock = with_python.home / "requirements.lock"
    with_python.run()
    before = lock.read_text()
    lock.write_text("django==9\n")
    assert with_python.run(NO_NETWORK="1").returncode == 2
    lock.write_text(before)
    with_python.did()
    assert "Updating .venv" in with_python.run().stdout
    assert [line.split()[0] for line in with_python.did()] == ["pip", "started"]


def test_another_python_version_recreates_the_venv(with_python: Machine) -> None:
    with_python.run()
    assert "Removing .venv" in with_python.run(VERSION="3.11.9").stdout


def test_a_moved_directory_recreates_the_venv(with_python: Machine, tmp_path: Path) -> None:
    with_python.run()
    moved = tmp_path / "moved"
    with_python.home.rename(moved)
    with_python.home = moved
    assert "Removing .venv" in with_python.run().stdout


def test_the_python_chosen_by_the_user_comes_first(with_python: Machine) -> None:
    chosen = with_python.programs / "my-python"
    with_python.has("my-python", PYTHON)
    assert f"({chosen})" in with_python.run(PYTHON=str(chosen)).stdout


def test_an_unsupported_chosen_python_is_refused_by_name(with_python: Machine) -> None:
    done = with_python.run(PYTHON="python2")
    assert done.returncode == 2
    assert "PYTHON is python2, which is not Python 3.11, 3.12 or 3.13" in done.stderr
    assert with_python.did() == []


def test_newer_pythons_are_preferred_unless_they_lack_venv(with_python: Machine) -> None:
    with_python.has("python3.12", PYTHON)
    assert "(python3.12)" in with_python.run("--install").stdout
    with_python.has("python3.13", PYTHON.replace("NO_ENSUREPIP:-0", "NO_ENSUREPIP:-1"))
    shutil.rmtree(with_python.home / ".venv")
    assert "(python3.12)" in with_python.run("--install").stdout


@pytest.mark.parametrize(
    ("system", "apt", "python", "command"),
    [
        ("Linux", True, "none", "type: sudo apt-get install python3 python3-venv"),
        ("Linux", True, "without venv", "type: sudo apt-get install python3.11-venv"),
        ("Linux", False, "none", "name it: PYTHON=/path/to/python3 ./run"),
        ("Darwin", False, "too old", "type: brew install python@3.13"),
    ],
)
def test_a_missing_python_error_states_the_command_to_run(
    machine: Machine, system: str, apt: bool, python: str, command: str
) -> None:
    machine.has("uname", f"#!/bin/sh\necho {system}\n")
    if apt:
        machine.has("apt-get", '#!/bin/sh\necho "apt $*" >>"$LOG"\n')
    if python == "without venv":
        machine.has("python3", PYTHON.replace("NO_ENSUREPIP:-0", "NO_ENSUREPIP:-1"))
    elif python == "too old":
        machine.has("python3", PYTHON.replace("OUT_OF_RANGE:-0", "OUT_OF_RANGE:-1"))
    done = machine.run()
    assert done.returncode == 2
    assert command in done.stderr
    assert machine.did() == []


def test_root_on_debian_installs_venv_with_apt_and_a_message(machine: Machine) -> None:
    machine.has("id", "#!/bin/sh\necho 0\n")
    machine.has("python3", PYTHON.replace("exit ${NO_ENSUREPIP:-0}", '[ -e "$LOG.installed" ]'))
    machine.has("apt-get", '#!/bin/sh\necho "apt $*" >>"$LOG"\n: >"$LOG.installed"\n')
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert "Installing python3.11-venv with apt-get" in done.stdout
    did = machine.did()
    # The fake apt-get already "installs" at the first call, update; this checks that both calls were made.
    assert did[0].startswith("apt update")
    assert did[1].endswith("install -q -y --no-install-recommends python3.11-venv")
    assert did[-1] == "started manage.py dev"


def test_apt_failures_are_reported(machine: Machine) -> None:
    machine.has("id", "#!/bin/sh\necho 0\n")
    machine.has("apt-get", "#!/bin/sh\nexit 100\n")
    done = machine.run()
    assert done.returncode == 2
    assert "apt-get could not install python3 python3-venv" in done.stderr


def test_both_commands_are_executable_and_ci_calls_the_check() -> None:
    assert all(os.access(ROOT / name, os.X_OK) for name in ("run", "test", ".ci/run"))
    assert "exec ./test" in (ROOT / ".ci/run").read_text()


def check(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(ROOT / "test"), *arguments],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
    )


def test_the_test_command_rejects_unknown_arguments() -> None:
    done = check("--sock")
    assert done.returncode == 2
    assert done.stderr == "test: unknown argument --sock; use --soak or --install\n"


def test_unknown_steps_in_skip_are_rejected() -> None:
    done = check(SKIP="lint brwoser")
    assert done.returncode == 2
    assert "SKIP names brwoser; the steps are: format lint types" in done.stderr
