"""The lock files agree with pyproject.toml and with each other; no registry is asked."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ["3.11", "3.12", "3.13"]
# The optional dependencies of pyproject.toml that each lock contains besides the required ones.
LOCKS = {
    "requirements.lock": ["server", "parquet"],
    "requirements-dev.lock": ["server", "parquet", "dev"],
    "requirements-fast.lock": ["server", "parquet", "fast"],
    "requirements-docs.lock": ["docs"],
}


def locked(name: str, *, python: str) -> dict[str, str]:
    """Return the versions in a lock that apply to one version of Python on Linux."""
    environment = {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "sys_platform": "linux",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    lines = re.findall(r"^(\S+==[^\\\n]+?) *\\?$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    requirements = [Requirement(line) for line in lines]
    return {
        requirement.name: str(requirement.specifier).removeprefix("==")
        for requirement in requirements
        if requirement.marker is None or requirement.marker.evaluate(environment)
    }


def direct(extras: list[str]) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = [line for extra in extras for line in project["optional-dependencies"][extra]]
    return [Requirement(line) for line in [*project["dependencies"], *optional]]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("lock", LOCKS)
def test_every_lock_satisfies_the_direct_dependencies(lock: str, python: str) -> None:
    versions = locked(lock, python=python)
    wrong = [
        f"{requirement}: {versions.get(requirement.name.lower())}"
        for requirement in direct(LOCKS[lock])
        if requirement.name.lower() not in versions
        or Version(versions[requirement.name.lower()]) not in requirement.specifier
    ]
    assert wrong == [], f"pin these in {lock}"


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("lock", ["requirements-dev.lock", "requirements-fast.lock"])
def test_larger_locks_contain_the_versions_of_the_base_lock(lock: str, python: str) -> None:
    larger = locked(lock, python=python)
    smaller = locked("requirements.lock", python=python)
    assert {name: larger.get(name) for name in smaller} == smaller


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_hashes(lock: str) -> None:
    blocks = re.split(r"\n(?=\S)", (ROOT / lock).read_text(encoding="utf-8").strip())
    assert [block.split("\n")[0] for block in blocks if "--hash=sha256:" not in block] == []


def left_out() -> set[str]:
    overrides = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["uv"]
    return {Requirement(line).name for line in overrides["override-dependencies"]}


def test_locks_omit_unused_packages_and_install_without_dependencies() -> None:
    assert left_out() == {"matplotlib", "patsy", "scikit-learn"}
    for lock in LOCKS:
        assert not left_out() & set(locked(lock, python="3.11"))
    named = ["run", "test", "deploy/container/Containerfile", "docs/operators.md"]
    lines = [
        line
        for name in named
        for line in (ROOT / name).read_text().splitlines()
        if "--require-hashes" in line
    ]
    assert len(lines) == 8
    assert all("--no-deps" in line for line in lines)


@pytest.mark.soak
def test_program_and_demonstration_load_without_excluded_packages() -> None:
    tried = """
import sys
for name in ("matplotlib", "patsy", "sklearn", "statsmodels"):
    sys.modules[name] = None
import django
django.setup()
import surveys.runs.mining_job
from surveys.extension import extensions
for application in extensions():
    application.works()
import mlxtend.frequent_patterns, numba
from numpy.random import default_rng
from surveys.management.commands.demo import respondents
print(len(list(respondents(rng=default_rng(1)))))
"""
    done = subprocess.run(
        [sys.executable, "-c", tried], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == "6366\n", done.stderr
