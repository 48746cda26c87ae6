"""The wheel: build it, install it outside the checkout as documented, and run the demonstration.

These tests install all packages, so they run in ./test --soak.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from benchmarks.proxies import free_port
from surveys.management.commit import commit_of
from tests.reach import LAYERS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/operators.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def line(beginning: str) -> str:
    """Return the only line of the page with this beginning."""
    (found,) = (text.strip() for text in PAGE.splitlines() if text.startswith(f"    {beginning}"))
    return found


def clean(**more: str) -> dict[str, str]:
    """Return this environment without variables that name the checkout, its database or its broker."""
    names = {
        "PYTHONPATH",
        "DJANGO_SETTINGS_MODULE",
        "DATABASE_URL",
        "REDIS_URL",
        "SECRET_KEY",
        "SOTTOVOCE_HOME",
    }
    return {name: value for name, value in os.environ.items() if name not in names} | more


@pytest.mark.soak
def test_an_installed_wheel_runs_the_demo(tmp_path: Path) -> None:
    build = line("python3 -m pip wheel").replace("python3", sys.executable, 1).replace("dist", str(tmp_path))
    subprocess.run(build, shell=True, check=True, cwd=ROOT, env=clean())
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name in PAGE
    with zipfile.ZipFile(wheel) as file:
        held = set(file.namelist())
    for layer, inside in (("templates", "surveys/templates"), *((layer, layer) for layer in LAYERS)):
        there = {
            f"{inside}/{path.relative_to(ROOT / layer).as_posix()}"
            for path in (ROOT / layer).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert there - held == set()
    assert {name.split("/")[0] for name in held} == {*LAYERS, f"sottovoce-{PROJECT['version']}.dist-info"}

    environment = clean(HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path / "data"))
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    shutil.copy(ROOT / "requirements.lock", tmp_path)
    subprocess.run(line("sed -n"), shell=True, check=True, cwd=tmp_path, env=environment)
    # Do what pipx does with the documented line: run pip in a separate environment.
    install = [tmp_path / "venv/bin/pip", "install", "--quiet", "-c", "constraints.txt", f"{wheel}[server]"]
    subprocess.run(install, check=True, cwd=tmp_path, env=environment)

    sottovoce = str(tmp_path / "venv/bin/sottovoce")
    said = subprocess.run(
        [sottovoce, "--version"], check=True, capture_output=True, text=True, env=environment
    )
    assert said.stdout == f"sottovoce {PROJECT['version']} (commit {commit_of(ROOT)})\n"
    # Wheel and checkout give the same respondents' client, byte for byte.
    written = [([sottovoce], tmp_path / "page"), ([sys.executable, ROOT / "manage.py"], tmp_path / "own")]
    for program, page in written:
        subprocess.run([*program, "client", "--out", page], check=True, env=environment, cwd=tmp_path)
    pages = [
        {path.relative_to(page): path.read_bytes() for path in page.rglob("*") if path.is_file()}
        for _, page in written
    ]
    assert pages[0] == pages[1]
    assert len(pages[0]) > 10
    done = subprocess.run(
        [sottovoce, "demo", "--wait", "--port", str(free_port())],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the demo's report exists, and all parts run" in done.stdout
    assert (tmp_path / "data/sottovoce/sottovoce.sqlite3").is_file()
    assert not (ROOT / "build").exists()


@pytest.mark.soak
def test_two_builds_of_a_commit_are_byte_identical(tmp_path: Path) -> None:
    wheels = []
    for folder, umask, zone, seed in (
        ("one", 0o022, "UTC", "1"),
        ("another/place", 0o077, "Asia/Shanghai", "2"),
    ):
        checkout, into = tmp_path / folder / "sottovoce", tmp_path / folder / "dist"
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, checkout], check=True, umask=umask)
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", into, checkout],
            check=True,
            umask=umask,
            env=clean(TZ=zone, PYTHONHASHSEED=seed),
        )
        (wheel,) = into.glob("*.whl")
        wheels.append((wheel.name, wheel.read_bytes()))
    assert wheels[0] == wheels[1]


def test_a_command_without_server_packages_explains_what_to_install(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-m", "surveys.management", "migrate"],
        cwd=ROOT, capture_output=True, text=True, env=clean(),
    )  # fmt: skip
    assert done.returncode == 1
    assert re.fullmatch(
        r'sottovoce: django is not installed\. .* pip install "FILE.whl\[server\]".*\n', done.stderr
    )


@pytest.mark.parametrize("arguments", [["--version"], ["version"]])
def test_the_version_matches_the_project_metadata(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    commit = commit_of(ROOT)
    assert done.stdout == f"sottovoce {PROJECT['version']}" + (f" (commit {commit})" if commit else "") + "\n"


@pytest.mark.soak
def test_a_release_builds_reproducibly_and_installs_offline(tmp_path: Path) -> None:
    """Wheel and source archive name the commit; the locked files and the wheel suffice to install."""
    checkout, offline = tmp_path / "checkout", tmp_path / "offline"
    subprocess.run(["git", "clone", "--quiet", ROOT, checkout], check=True)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "build"], check=True)
    builder = str(tmp_path / "build/bin/python")
    subprocess.run([builder, "-m", "pip", "install", "--quiet", "build"], check=True, env=clean())
    for beginning in ("python3 -m pip download", "python3 -m build"):
        typed = line(beginning).replace("python3", builder, 1).replace("offline", str(offline))
        subprocess.run(typed, shell=True, check=True, cwd=checkout, env=clean())
    (wheel,) = offline.glob("sottovoce-*.whl")
    (sources,) = offline.glob("sottovoce-*.tar.gz")
    commit = commit_of(checkout)
    assert re.fullmatch("[0-9a-f]{12}", commit)
    with zipfile.ZipFile(wheel) as file:
        (about,) = (name.partition("/")[0] for name in file.namelist() if name.endswith("dist-info/METADATA"))
        metadata = file.read(f"{about}/METADATA").decode()
        for name in ("LICENSE", "NOTICE"):
            assert file.read(f"{about}/licenses/{name}") == (ROOT / name).read_bytes()
        assert file.read(f"{about}/sboms/sbom.cdx.json") == (ROOT / "sbom.cdx.json").read_bytes()
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    assert "\nAuthor: the Sottovoce authors\n" in metadata
    assert "\nProject-URL:" not in metadata
    # The source archive gives the same wheel.
    pip = [builder, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path / "again", sources]
    subprocess.run(pip, check=True, env=clean())
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(tmp_path / "again" / wheel.name) as second:
        assert {info.filename: info.CRC for info in first.infolist()} == {
            info.filename: info.CRC for info in second.infolist()
        }

    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    place = f"/opt/sottovoce-{PROJECT['version']}"
    # With a proxy that never answers, any network request would fail.
    nobody = clean(HTTPS_PROXY="http://127.0.0.1:9", HTTP_PROXY="http://127.0.0.1:9", PIP_RETRIES="0")
    installs = [text.strip() for text in PAGE.splitlines() if "--no-index" in text]
    assert len(installs) == 2
    for typed in installs:
        typed = typed.replace(place, str(tmp_path / "venv")).replace("offline", str(offline))
        subprocess.run(typed, shell=True, check=True, cwd=checkout, env=nobody)
    said = subprocess.run(
        [tmp_path / "venv/bin/sottovoce", "--version"],
        check=True,
        capture_output=True,
        text=True,
        env=clean(),
    )
    assert said.stdout == f"sottovoce {PROJECT['version']} (commit {commit})\n"
