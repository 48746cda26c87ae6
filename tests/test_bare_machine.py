"""No test uses a program that ./test does not install."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bare_machine import GUARD, INSTALLED, MINIMAL, OPTIONAL, ROOT, NotOnABareMachine

# Simulate a machine without programs: ./test then lists everything it would install.
BARE = """
command() { return 1; }
skipped() { return 1; }
browsers=chromium-headless-shell
has_browser() { return 1; }
has_atomic() { return 1; }
has_postgresql() { return 1; }
id() { echo 1000; }
refuse() { echo "$1"; exit; }
programs
"""


def test_the_program_list_matches_what_the_check_installs() -> None:
    script = (ROOT / "test").read_text(encoding="utf-8")
    begins = script.index("programs() {")
    function = script[begins : script.index("\n}\n", begins) + 3]
    done = subprocess.run(["sh", "-c", function + BARE], capture_output=True, text=True, check=True, env={})
    assert done.stdout.startswith("missing: ")
    named = done.stdout.removeprefix("missing: ").partition(";")[0].split()
    assert sorted(named) == sorted(INSTALLED)


@pytest.mark.parametrize("program", ["nginx", "/usr/sbin/nginx", "Rscript"])
def test_tests_fail_if_they_use_unavailable_programs(program: str) -> None:
    with pytest.raises(NotOnABareMachine, match="not among the programs"):
        subprocess.run([program], check=False)
    with pytest.raises(NotOnABareMachine):
        os.posix_spawn(program, [program], {})
    with pytest.raises(NotOnABareMachine):
        os.execv(program, [program])
    with pytest.raises(NotOnABareMachine):
        shutil.which(program)
    # The guard records programs even if code catches the error. Clear the record, or this test would fail.
    assert GUARD.found == [program] * 4
    GUARD.found.clear()


def test_a_test_that_catches_the_error_still_fails(request: pytest.FixtureRequest) -> None:
    from tests.conftest import pytest_runtest_call

    call = pytest_runtest_call(request.node)
    next(call)
    with pytest.raises(NotOnABareMachine):
        shutil.which("nginx")
    with pytest.raises(AssertionError, match=r"\['nginx'\]: not among"):
        next(call)


def test_only_programs_of_a_bare_machine_are_found() -> None:
    assert all(map(shutil.which, MINIMAL))
    assert not any(map(shutil.which, OPTIONAL))
    subprocess.run([sys.executable, "-c", ""], check=True)


def test_a_kept_test_home_is_sufficient_to_start(tmp_path: Path) -> None:
    """docs/debug.md recommends a kept home, which does not hold results computed from rows."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("SOTTOVOCE_TEST_")
    }
    code = "import os, tests.settings; print(os.environ['SOTTOVOCE_TEST_WORKED_OUT'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**environment, "SOTTOVOCE_TEST_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert tmp_path not in Path(done.stdout.strip()).parents


@pytest.mark.soak
def test_the_recipe_to_rerun_one_test_works_twice(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "debug.md").read_text(encoding="utf-8")
    (recipe,) = (line.strip() for line in text.splitlines() if line.startswith("    SOTTOVOCE_TEST_HOME="))
    typed = recipe.replace("$PWD/.venv/again", str(tmp_path)).replace(".venv/bin/python", sys.executable)
    assert typed != recipe
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("SOTTOVOCE_TEST_")
    }
    for _time in range(2):
        done = subprocess.run(
            ["sh", "-c", typed], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout
    assert (tmp_path / "test.sqlite3").exists()


@pytest.mark.soak
@pytest.mark.skipif(os.geteuid() != 0, reason="debootstrap needs root")
def test_the_two_readme_commands_work_in_an_empty_debian(tmp_path: Path) -> None:
    """Run them as a newcomer would, with this machine's access to the package registries."""
    system = tmp_path / "debian"
    subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(system)], check=True)
    home = system / "srv" / "sottovoce"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(home)], check=True)
    reached = ["/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/usr/etc/npmrc"]
    for file in (*map(Path, reached), *Path("/usr/local/share/ca-certificates").glob("*.crt")):
        if file.is_file():
            (system / file.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, system / file.relative_to("/"))
    mounted = "mount -t proc proc $0/proc; mount --rbind /dev $0/dev; mount -t tmpfs tmpfs $0/dev/shm"
    for command in ("./run --once", "./test"):
        inside = (
            f"cd /srv/sottovoce && env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin CI=true {command}"
        )
        typed = f"{mounted}; chroot $0 sh -c '{inside}'"
        namespaces = ["unshare", "--mount", "--pid", "--fork"]
        done = subprocess.run([*namespaces, "sh", "-c", typed, str(system)], check=False)
        assert done.returncode == 0, command
