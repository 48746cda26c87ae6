"""Run the Python tests of ./check: those that need no database, and those that a change reaches.

``python -m tests.reach BRANCH`` compares the files here with where this branch left that one, chooses, says
what it leaves out, and becomes pytest. As a plugin of that pytest it deselects what is neither.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORE = ("privacy", "mining")
APPS = tuple(name for name in ("surveys", "releases", "trials") if (ROOT / name / "apps.py").is_file())
"""Django applications of ours: the product, and what stands beside it and plugs into it."""
ROOMS = (*CORE, *APPS)
WHOLE = "SOTTO_CHECK_WHOLE"
MOST_REACHED = 12
"""So many files of those that are reached are run whole, the nearest first; ./test runs the others."""

# Ten times as fast as parsing a thousand files.
_IMPORT = re.compile(r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|[^\n(]*)|import ([^\n#]*))", re.MULTILINE)
_ALL_NEED_A_DATABASE = re.compile(r"^pytestmark = (?:\[\s*)?pytest\.mark\.django_db", re.MULTILINE)


def changed(branch: str) -> set[str]:
    """Return what differs from where this branch left another, and what git does not know yet."""
    base = _git("merge-base", "HEAD", branch) or ["HEAD"]
    listed = _git("diff", "--name-only", base[0], "--")
    return {*listed, *_git("ls-files", "--others", "--exclude-standard")}


def _git(*arguments: str) -> list[str]:
    said = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return said.stdout.splitlines() if said.returncode == 0 else []


def is_test(path: str) -> bool:
    """Whether pytest looks for tests in the file.

    >>> is_test("tests/mining/test_rules.py"), is_test("tests/cast/questionnaires.py")
    (True, False)
    """
    return path.startswith("tests/") and PurePosixPath(path).name.startswith("test_") and path.endswith(".py")


def twin(path: str) -> str:
    """Return where the tests of a file stand, whether or not there are any.

    >>> twin("surveys/jobs/lease.py"), twin("run")
    ('tests/surveys/jobs/test_lease.py', 'tests/test_run.py')
    """
    file = PurePosixPath(path)
    return str("tests" / file.with_name(f"test_{file.stem.replace('-', '_')}.py"))


def reached(changes: Iterable[str], sources: Mapping[str, str]) -> list[str]:
    """Return the files of tests that the changed files reach, the nearest first.

    That is: a changed file of tests itself; the twin of a changed file; whatever tests import it or name it;
    the twins of the modules that do; and what imports a package or a helper of tests that does.

    Parameters
    ----------
    changes : iterable of str
        Paths from the root of the checkout.
    sources : mapping of str to str
        Path -> text of each Python file.
    """
    levels: tuple[set[str], ...] = (set(changes), set(), set(), set(), set())
    themselves, twins, direct, twins_of_importers, indirect = levels
    for path in themselves:
        twins.add(twin(path))
        for importer in _importers(path, sources) if path.endswith(".py") else _naming(path, sources):
            if importer.startswith("tests/") or importer.endswith("/__init__.py"):
                direct.add(importer)
                indirect.update(() if is_test(importer) else _importers(importer, sources))
            else:
                twins_of_importers.add(twin(importer))
    nearest_first = dict.fromkeys(path for level in levels for path in sorted(level))
    return [path for path in nearest_first if is_test(path) and path in sources]


def _importers(path: str, sources: Mapping[str, str]) -> list[str]:
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return [other for other, text in sources.items() if other != path and module in imported(text)]


@functools.cache
def imported(text: str) -> frozenset[str]:
    """Return the modules that a text imports, and the names it takes from them.

    >>> sorted(imported("from a.b import (c,\\n  d as e)\\n    import f"))
    ['a.b', 'a.b.c', 'a.b.d', 'f']
    """
    return frozenset(
        name for source, taken in statements(text) for name in (source, *(f"{source}.{one}" for one in taken))
    )


@functools.cache
def statements(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each module that a text imports beside the names it takes from it, if it takes some.

    >>> statements("from a.b import (c,\\n  d as e)\\n    import f, g.h as i")
    (('a.b', ('c', 'd')), ('f', ()), ('g.h', ()))
    """
    found: list[tuple[str, tuple[str, ...]]] = []
    for source, names, modules in _IMPORT.findall(text):
        found += [(name.split()[0], ()) for name in modules.split(",") if name.strip()]
        if source:
            found.append((source, tuple(re.findall(r"(\w+)(?: as \w+)?", re.sub(r"#.*", "", names)))))
    return tuple(found)


def _naming(path: str, sources: Mapping[str, str]) -> list[str]:
    file = PurePosixPath(path)
    # A shipped definition is named without the end of its file's name.
    names = [file.name] if file.suffix != ".json" else [file.name, f'"{file.stem}"']
    named = re.compile("|".join(re.escape(name) for name in names if file.suffix) or r"(?!)")
    return [other for other, text in sources.items() if named.search(text)]


def python_files() -> dict[str, str]:
    """Return the text of each Python file of the product and of the tests, by path."""
    listed = _git("ls-files", "--cached", "--others", "--exclude-standard", "--", *ROOMS, "tests")
    paths = [path for path in listed if path.endswith(".py") and "/migrations/" not in path]
    return {path: (ROOT / path).read_text("utf-8") for path in paths if (ROOT / path).is_file()}


def main(branch: str, *options: str) -> None:
    """Choose, say what is left out, and become pytest."""
    sources, changes = python_files(), changed(branch)
    tests = {path for path in sources if is_test(path) and not path.startswith("tests/e2e/")}
    near = [path for path in reached(changes, sources) if path in tests]
    taken, farther = near[:MOST_REACHED], near[MOST_REACHED:]
    served = {"surveys/asgi.py", "surveys/wsgi.py"}  # which act when they are imported
    examples = [path for path in sorted(changes & sources.keys() - served) if path.startswith(APPS)]
    say = sys.stdout.write
    say(f"{len(changes)} files changed since {branch}; they reach {len(near)} files of tests\n")
    say("left out: tests in a browser, on PostgreSQL, and examples in unchanged modules of surveys\n")
    say("left out: slow tests and those that need a database, but for these files:\n")
    say("".join(f"  {path}\n" for path in taken) or "  none\n")
    if farther:
        say(f"  and not for {len(farther)} that are reached, too, but less nearly\n")
    sys.stdout.flush()
    os.environ[WHOLE] = "\n".join(taken)
    command = [sys.executable, "-m", "pytest", "-p", "tests.reach", "-q", *options]
    os.chdir(ROOT)
    os.execv(sys.executable, [*command, *CORE, *examples, "tests"])


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave the browser's tests unread, and files that only have tests on a database and are not reached."""
    path = collection_path.relative_to(ROOT).as_posix() if ROOT in collection_path.parents else ""
    if path == "tests/e2e":
        return True
    if not is_test(path) or path in os.environ[WHOLE].splitlines():
        return None
    return bool(_ALL_NEED_A_DATABASE.search(collection_path.read_text("utf-8"))) or None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the files that the change reaches, and of the rest what needs no database and is not slow."""
    whole = {ROOT / path for path in os.environ[WHOLE].splitlines()}
    kept, elsewhere = [], []
    for item in items:
        costs = any(item.get_closest_marker(marker) for marker in ("database", "slow"))
        (elsewhere if costs and item.path not in whole else kept).append(item)
    config.hook.pytest_deselected(items=elsewhere)
    items[:] = kept


if __name__ == "__main__":
    main(*sys.argv[1:])
