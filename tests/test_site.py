"""Sphinx builds the documentation site from pages and docstrings; a broken link stops the build."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import sottovoce
from privacy import library
from tests.reach import files

ROOT = Path(__file__).resolve().parent.parent
KEPT = ("docs/", "privacy/", "mining/", "sottovoce/", "surveys/errors/", "anonymisation/refusals.py")


def test_each_module_of_the_reference_exists_and_is_listed_once() -> None:
    named = re.findall(r"automodule:: (\S+)", (ROOT / "docs/site/api.md").read_text(encoding="utf-8"))
    assert named
    assert len(named) == len(set(named))
    assert [name for name in named if importlib.util.find_spec(name) is None] == []


@pytest.mark.parametrize("package", [library, sottovoce], ids=lambda package: package.__name__)
def test_the_reference_has_each_function_that_a_notebook_can_use(package: ModuleType) -> None:
    """Functions that moved to modules of their own used to be missing there."""
    page = (ROOT / "docs/site/api.md").read_text(encoding="utf-8")
    named = {*re.findall(r"auto\w+:: (\S+)", page)}
    public = [(name, getattr(package, name)) for name in dir(package) if not name.startswith("_")]
    ours = [
        (name, each.__module__) for name, each in public if callable(each) and hasattr(each, "__module__")
    ]
    missing = [
        (name, module)
        for name, module in ours
        if module.split(".")[0] in ("privacy", "mining", "sottovoce")
        and not {module, f"{module}.{name}"} & named
    ]
    assert missing == []


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of a new environment with the packages of requirements-docs.lock."""
    where = tmp_path_factory.mktemp("docs")
    subprocess.run([sys.executable, "-m", "venv", str(where)], check=True)
    python = where / "bin" / "python"
    options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps"]
    lock = str(ROOT / "requirements-docs.lock")
    subprocess.run([str(python), "-m", "pip", "install", *options, "-r", lock], check=True)
    return python


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a copy of the site's sources that a test may change."""
    listed = files()
    for name in listed:
        if name.endswith(".md") or name.startswith(KEPT):
            path = tmp_path / "checkout" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, path)
    # Pages link to files next to them; empty files suffice as targets.
    for name in listed:
        path = tmp_path / "checkout" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path / "checkout"


def build(python: Path, checkout: Path) -> subprocess.CompletedProcess[str]:
    command = [
        str(python),
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-b",
        "html",
        "-c",
        "docs/site",
        ".",
        "out",
    ]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)


@pytest.mark.soak
def test_the_site_builds_and_broken_links_stop_it(environment: Path, checkout: Path) -> None:
    done = build(environment, checkout)
    assert done.returncode == 0, done.stderr
    reference = (checkout / "out" / "docs" / "site" / "api.html").read_text(encoding="utf-8")
    for name in ("Survey", "Reports", "warner", "stratified", "anonymise", "FormulaRegression"):
        assert f"{name}</span>" in reference
    assert (checkout / "out" / "docs" / "design.html").is_file()
    refused = (checkout / "out" / "docs" / "site" / "refusals.html").read_text(encoding="utf-8")
    for code in ("antimeridian", "administrator.name"):
        assert f">{code}</span>" in refused
    page = checkout / "docs" / "library.md"
    text = page.read_text(encoding="utf-8")
    for planted in ("[gone](gone.md)", "[no such section](#no-such-section)"):
        page.write_text(f"{text}\n\n{planted}\n", encoding="utf-8")
        broken = build(environment, checkout)
        assert broken.returncode != 0
        assert "library.md" in broken.stderr
