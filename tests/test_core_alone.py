"""The library works without the server, and imports only what it declares."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.reach import APPS, LAYERS, statements

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def distributions(*groups: str) -> set[str]:
    """Return the distributions that the core and some extras need."""
    lines = [
        *PROJECT["dependencies"],
        *(line for name in groups for line in PROJECT["optional-dependencies"][name]),
    ]
    return {canonicalize_name(Requirement(line).name) for line in lines}


def importable(*groups: str) -> set[str]:
    wanted = distributions(*groups)
    return {
        name
        for name, owners in packages_distributions().items()
        if wanted & {canonicalize_name(owner) for owner in owners}
    }


def imported(*layers: str) -> Iterator[tuple[str, str]]:
    """Yield each module with each top-level package that it imports."""
    for layer in layers:
        for path in sorted((ROOT / layer).rglob("*.py")):
            for source, _ in statements(path.read_text(encoding="utf-8")):
                yield path.relative_to(ROOT).as_posix(), source.split(".")[0]


def test_the_server_extra_leaves_out_pyarrow() -> None:
    """pyarrow takes 170 MB, and the server uses it only for Parquet files."""
    assert "pyarrow" not in distributions("server")
    assert distributions("parquet") - distributions() == {"pyarrow"}


@pytest.mark.parametrize(
    ("layers", "extras"),
    [(("privacy", "mining", "sottovoce"), ("fast",)), (APPS, ("server", "parquet"))],
    ids=["core", "server"],
)
def test_every_imported_package_is_declared(layers: tuple[str, ...], extras: tuple[str, ...]) -> None:
    known = importable(*extras) | set(sys.stdlib_module_names) | {"privacy", "mining", "sottovoce", *layers}
    # Optional: without mlxtend, the library computes the same candidates and rules on arrays.
    known |= {"mlxtend"}
    # Optional: without these, files of their formats are refused, and the refusal names the package.
    known |= {"openpyxl", "pyarrow", "pyreadstat"}
    # A required dependency of Celery.
    known |= {"kombu"} if "server" in extras else set()
    foreign = {found for found in imported(*layers) if found[1] not in known}
    assert foreign == set(), "declare these in pyproject.toml (CONTRIBUTING.md, Dependencies)"


def test_the_core_imports_each_of_its_dependencies() -> None:
    used = {name for _, name in imported("privacy", "mining")}
    assert distributions() == used & distributions()


ALONE = """
import doctest, importlib, pkgutil, re, sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
sys.modules.pop("surveys", None)
lacking = {{}}
for layer in ("privacy", "mining", "sottovoce"):
    package = importlib.import_module(layer)
    for module in pkgutil.walk_packages(package.__path__, layer + "."):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            lacking[module.name] = error.name
assert set(lacking.values()) == {{"numba"}}, lacking
assert all(name.endswith(("_numba", "compiled")) for name in lacking), lacking
session = re.sub(r"^```.*$", "", open("docs/library.md", encoding="utf-8").read(), flags=re.MULTILINE)
test = doctest.DocTestParser().get_doctest(session, {{}}, "library.md", "library.md", 0)
runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
runner.run(test)
assert runner.tries > 20 and not runner.failures
"""


@pytest.mark.slow
def test_the_library_works_without_server_packages() -> None:
    # numba is optional too: without it, only the compiled variants are missing.
    absent = (importable("server", "parquet") - importable()) | {"surveys", "kombu", "numba", "statsmodels"}
    assert {"mlxtend", "django", "celery", "redis", "granian", "pyarrow", "whitenoise"} <= absent
    done = subprocess.run(
        [sys.executable, "-c", ALONE.format(absent=repr(absent))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_wheel_contains_library_server_and_type_information() -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
    wheel = tool["build"]["targets"]["wheel"]
    assert wheel["packages"] == list(LAYERS)
    assert [name for name in wheel["force-include"] if not (ROOT / name).exists()] == []
    assert all((ROOT / layer / "py.typed").is_file() for layer in ("privacy", "mining", "sottovoce"))


def test_pyproject_documents_how_the_locks_are_made() -> None:
    head = (ROOT / "pyproject.toml").read_text(encoding="utf-8").split("[build-system]")[0]
    assert re.findall(r"(?:--extra \w+ )+(?:-c \S+ )?-o \S+", head) == [
        "--extra server --extra parquet -o requirements.lock",
        "--extra server --extra parquet --extra dev -c requirements.lock -o requirements-dev.lock",
        "--extra server --extra parquet --extra fast -c requirements.lock -o requirements-fast.lock",
        "--extra docs -c requirements.lock -o requirements-docs.lock",
    ]
