"""Choose the tests that ./check runs: those that a change reaches, in Python and JavaScript.

``python -m tests.reach BRANCH`` finds the files that changed since this branch left the other one, and runs
pytest: first the tests of `EVERY_CHANGE` and of the changed files, then, for `SECONDS` of processor time, the
others that the change reaches, nearest first. At the end it counts the files that it did not start; ./test
runs all. ``python -m tests.reach --scripts BRANCH`` prints the reached tests of browser modules.
"""

import argparse
import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORE = ("privacy", "mining", "sottovoce")
APPS = tuple(name for name in ("surveys", "anonymisation") if (ROOT / name / "apps.py").is_file())
"""Our Django applications: the product, and those that plug into it."""
LAYERS = (*CORE, *APPS)
ORDER = "SOTTOVOCE_CHECK_ORDER"
SECONDS = 6.0
"""Processor time for tests that the change reaches, in addition to those that always run."""

MOST_LISTED = 5
"""Files that the summary names of those that did not start, nearest first."""

EVERY_CHANGE = (
    *("tests/test_architecture.py", "tests/test_docstrings.py", "tests/test_twins.py"),
    *("tests/site/test_translations.py", "tests/test_bibliography.py"),
)
"""Tests that any change can break, whatever it imports."""

EVERY_PAGE = "tests/site/test_translatable.py"
"""Opens every page that has an address, including those whose templates no other test names."""

LISTING_TESTS = {
    "*/urls.py": "tests/site/test_roles.py",
    "*.md": "tests/test_readme.py",
    "surveys/errors/p*.py": "tests/site/test_error_catalogue.py",
    "surveys/static/*": "tests/surveys/respondent/test_client_program.py",
}
"""Pattern of changed paths -> the test of all such files, which need not name them."""

TEMPLATES = "templates/"
SCRIPTS = "surveys/static/surveys/js/"

_INCLUDES = re.compile(r"{%-? *(?:include|extends) +[\"']([^\"']+)[\"']")
_SCRIPT_IMPORT = re.compile(r"""(?:from|import) *\(?["'](\.[^"']+)["']""")
# A regular expression, because parsing a thousand files would take ten times as long.
_IMPORT = re.compile(r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|[^\n(]*)|import ([^\n#]*))", re.MULTILINE)


def changed(branch: str) -> set[str]:
    """Return the files that changed since this branch left another one, and untracked files."""
    base = _git("merge-base", "HEAD", branch) or ["HEAD"]
    listed = _git("diff", "--name-only", base[0], "--")
    return {*listed, *_git("ls-files", "--others", "--exclude-standard")}


def _git(*arguments: str) -> list[str]:
    said = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return said.stdout.splitlines() if said.returncode == 0 else []


def is_test(path: str) -> bool:
    """Return whether pytest looks for tests in a file.

    >>> is_test("tests/mining/test_rules.py"), is_test("tests/fixtures/questionnaires.py")
    (True, False)
    """
    return path.startswith("tests/") and PurePosixPath(path).name.startswith("test_") and path.endswith(".py")


def twin(path: str) -> str:
    """Return the path where a file's tests belong, even if there is no such file.

    >>> twin("surveys/jobs/lease.py"), twin("run")
    ('tests/surveys/jobs/test_lease.py', 'tests/test_run.py')
    """
    file = PurePosixPath(path)
    return str("tests" / file.with_name(f"test_{file.stem.replace('-', '_')}.py"))


def reached(changes: Iterable[str], sources: Mapping[str, str]) -> list[str]:
    """Return the test files that the changed files reach, nearest first.

    In this order: changed test files; twins of changed files; tests that import or name a changed file; twins
    of modules that do; tests that import a package or test helper that does. A test that names a template
    also names every template that it includes or extends.

    Parameters
    ----------
    changes : iterable of str
        Paths from the root of the checkout.
    sources : mapping of str to str
        Path -> text of each Python file and template.
    """
    levels: tuple[set[str], ...] = (set(changes), set(), set(), set(), set())
    themselves, twins, direct, twins_of_importers, indirect = levels
    for path in themselves:
        twins.add(twin(path))
        if path.startswith(TEMPLATES):
            indirect.add(EVERY_PAGE)
        twins.update(test for pattern, test in LISTING_TESTS.items() if fnmatch(path, pattern))
        for importer in _users(path, sources):
            if importer.startswith("tests/") or importer.endswith("/__init__.py"):
                direct.add(importer)
                indirect.update(() if is_test(importer) else _importers(importer, sources))
            else:
                twins_of_importers.add(twin(importer))
    nearest_first = dict.fromkeys(path for level in levels for path in sorted(level))
    return [path for path in nearest_first if is_test(path) and path in sources]


def _users(path: str, sources: Mapping[str, str]) -> list[str]:
    if path.endswith(".py"):
        return _importers(path, sources)
    if not path.startswith(TEMPLATES):
        return _naming(path, sources)
    pages = [f'"{page.removeprefix(TEMPLATES)}"' for page in including(path, sources)]
    return [
        other
        for other, text in sources.items()
        if other.endswith(".py") and any(page in text for page in pages)
    ]


def including(path: str, sources: Mapping[str, str]) -> list[str]:
    """Return a template and those that include or extend it, directly or indirectly, nearest first.

    >>> pages = {"templates/a.html": "", "templates/b.html": '{% include "a.html" with x=1 only %}'}
    >>> including("templates/a.html", pages)
    ['templates/a.html', 'templates/b.html']
    """
    found = [path]
    for page in found:
        name = page.removeprefix(TEMPLATES)
        found += [
            other
            for other, text in sources.items()
            if other not in found and other.startswith(TEMPLATES) and name in _INCLUDES.findall(text)
        ]
    return found


def reached_scripts(changes: Iterable[str], scripts: Mapping[str, str]) -> list[str]:
    """Return the tests of browser modules that changed, or import a changed file directly or indirectly.

    >>> scripts = {"a.js": "", "b.js": 'import { a } from "./a.js";', "t/b.test.js": 'import "../b.js"'}
    >>> reached_scripts(["a.js"], scripts)
    ['t/b.test.js']
    """
    users: dict[str, set[str]] = {}
    for path, text in scripts.items():
        for name in _SCRIPT_IMPORT.findall(text):
            users.setdefault(os.path.normpath(PurePosixPath(path).parent / name), set()).add(path)
    found = list(changes)
    for path in found:
        found += sorted(users.get(path, set()) - set(found))
    return sorted(path for path in found if re.search(r"\.test\.m?js$", path) and path in scripts)


def untested_scripts(changes: Iterable[str], scripts: Mapping[str, str]) -> list[str]:
    """Return the changed browser modules that no Node test reaches.

    >>> untested_scripts(["a.js", "b.js", "c.py"], {"a.js": "", "b.js": "", "b.test.js": 'import "./b.js"'})
    ['a.js']
    """
    return [path for path in changes if path in scripts and not reached_scripts([path], scripts)]


def _importers(path: str, sources: Mapping[str, str]) -> list[str]:
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return [other for other, text in sources.items() if other != path and module in imported(text)]


@functools.cache
def imported(text: str) -> frozenset[str]:
    """Return the modules that a text imports, and the names it imports from them.

    >>> sorted(imported("from a.b import (c,\\n  d as e)\\n    import f"))
    ['a.b', 'a.b.c', 'a.b.d', 'f']
    """
    return frozenset(
        name for source, taken in statements(text) for name in (source, *(f"{source}.{one}" for one in taken))
    )


@functools.cache
def statements(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each module that a text imports, with the names imported from it, if any.

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
    # Tests name a shipped definition without its suffix.
    names = [file.name] if file.suffix != ".json" else [file.name, f'"{file.stem}"']
    named = re.compile("|".join(re.escape(name) for name in names if file.suffix) or r"(?!)")
    return [other for other, text in sources.items() if named.search(text)]


def texts(*places: str, ends: tuple[str, ...]) -> dict[str, str]:
    """Return by path the texts of files with these endings, without migrations and ignored files."""
    below = tuple(f"{place.rstrip('/')}/" for place in places)
    paths = [path for path in files() if path.startswith(below) and path.endswith(ends)]
    return {path: (ROOT / path).read_text("utf-8") for path in paths if "/migrations/" not in path}


@functools.cache
def files(root: Path = ROOT) -> list[str]:
    """Return the path of every file that .gitignore does not exclude. This works without git.

    It understands the part of the .gitignore syntax that ours uses: names and patterns of names, a leading
    "/" for the root only, a trailing "/" for folders only.
    """
    lines = [line for line in (root / ".gitignore").read_text("utf-8").splitlines() if line]
    found = []
    for folder, below, names in os.walk(root):
        here = PurePosixPath(Path(folder).relative_to(root).as_posix())
        below[:] = [
            name for name in below if name != ".git" and not _is_ignored(here / name, lines, is_folder=True)
        ]
        found += [str(here / name) for name in names if not _is_ignored(here / name, lines, is_folder=False)]
    # In a git worktree, .git is a file.
    return sorted(path for path in found if path != ".git")


def _is_ignored(path: PurePosixPath, lines: list[str], *, is_folder: bool) -> bool:
    return any(
        fnmatch(str(path) if line.startswith("/") else path.name, line.strip("/"))
        and (is_folder or not line.endswith("/"))
        for line in lines
    )


def main(branch: str, *options: str) -> None:
    """Choose tests, print them, and replace this process by pytest."""
    changes = changed(branch)
    sources = texts(*LAYERS, "tests", TEMPLATES, ends=(".py", ".html", ".md", ".txt"))
    tests = {path for path in sources if is_test(path) and not path.startswith("tests/e2e/")}
    near = [path for path in reached(changes, sources) if path in tests and path not in EVERY_CHANGE]
    served = {"surveys/asgi.py", "surveys/wsgi.py"}  # importing these has side effects
    examples = [path for path in sorted(changes & sources.keys() - served) if path.startswith(LAYERS)]
    examples = [path for path in examples if path.endswith(".py")]
    own = [path for path in near if path in {*changes, *map(twin, changes)}]
    say = sys.stdout.write
    say(f"{len(changes)} files changed since {branch}; they reach {len(near)} test files\n")
    say("left out: browser tests, PostgreSQL, and tests that the change does not reach\n")
    sys.stdout.flush()
    order = [*EVERY_CHANGE, *examples, *own, "", *(path for path in near if path not in own)]
    os.environ[ORDER] = "\n".join(order)
    os.chdir(ROOT)
    command = [sys.executable, "-m", "pytest", "-p", "tests.reach", "-q", *options]
    os.execv(sys.executable, [*command, *(path for path in order if path)])


def _spent() -> float:
    """Return the processor time of this process and its children."""
    return sum(os.times()[:4])


class Budget:
    """Runs files in order; those after the first blank entry only while processor time is left."""

    def __init__(self, order: list[str]) -> None:
        self.rank = {ROOT / path: number for number, path in enumerate(order)}
        self.free = order.index("")
        self.begun: set[Path] = set()
        self.end: float | None = None
        self.left: dict[str, None] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort tests by the rank of their file."""
        items.sort(key=lambda item: self.rank.get(item.path, len(self.rank)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Skip files that have not started when the time is spent."""
        if self.rank.get(item.path, len(self.rank)) > self.free and item.path not in self.begun:
            spent = _spent()
            self.end = self.end or spent + SECONDS
            if spent > self.end:
                self.left[item.path.relative_to(ROOT).as_posix()] = None
                return True
        self.begun.add(item.path)
        return None

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the nearest files that did not start."""
        if self.left:
            terminalreporter.write_line(f"also reached, but left to ./test: {len(self.left)} files, such as")
            for path in list(self.left)[:MOST_LISTED]:
                terminalreporter.write_line(f"  {path}")


def pytest_configure(config: pytest.Config) -> None:
    """Use the order of files that `main` put into the environment."""
    config.pluginmanager.register(Budget(os.environ[ORDER].split("\n")))


def scripts_main(branch: str) -> None:
    """Print the tests of browser modules that the change reaches; report modules without one."""
    scripts = texts(SCRIPTS, "tests/js", ends=(".js", ".mjs"))
    for path in untested_scripts(sorted(changed(branch)), scripts):
        sys.stderr.write(f"left to the tests in a browser: {path}, which no test of node reaches\n")
    sys.stdout.write("".join(f"{path}\n" for path in reached_scripts(sorted(changed(branch)), scripts)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scripts", action="store_true", help="print the tests of browser modules")
    parser.add_argument("branch", help="the branch or commit to compare with")
    chosen, rest = parser.parse_known_args()
    if chosen.scripts:
        scripts_main(chosen.branch)
    else:
        main(chosen.branch, *rest)
