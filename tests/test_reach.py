"""The tests that ./check chooses for a change."""

import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import reach
from tests.reach import ROOT, SCRIPTS, TEMPLATES, Budget, files, is_test, reached, reached_scripts, texts

SOURCES = {
    "surveys/a/low.py": "",
    "surveys/a/high.py": "from surveys.a import low\n",
    "surveys/a/__init__.py": "from surveys.a.low import f\n",
    "surveys/b/other.py": 'import json\nRENDERED = "b/page.html"\n',
    "tests/fixtures.py": "from surveys.a.low import f\n",
    "tests/surveys/a/test_low.py": "",
    "tests/surveys/a/test_high.py": "",
    "tests/surveys/a/test_use.py": "def test():\n    from surveys.a.low import (\n        f,\n    )\n",
    "tests/surveys/b/test_other.py": "",
    "tests/surveys/test_by_helper.py": "from tests.fixtures import g\n",
    "tests/surveys/test_by_package.py": "from surveys.a import f\n",
}


def test_the_nearest_tests_come_first_and_unreached_tests_are_omitted() -> None:
    assert reached(["surveys/a/low.py"], SOURCES) == [
        "tests/surveys/a/test_low.py",
        "tests/surveys/a/test_use.py",
        "tests/surveys/a/test_high.py",
        "tests/surveys/test_by_helper.py",
        "tests/surveys/test_by_package.py",
    ]


def test_changed_tests_run_before_tests_that_a_change_reaches() -> None:
    found = reached(["surveys/a/high.py", "tests/surveys/b/test_other.py"], SOURCES)
    assert found == ["tests/surveys/b/test_other.py", "tests/surveys/a/test_high.py"]


def test_a_helper_reaches_the_tests_that_import_it() -> None:
    assert reached(["tests/fixtures.py"], SOURCES) == ["tests/surveys/test_by_helper.py"]


def test_a_page_reaches_the_tests_of_its_view_module() -> None:
    assert reached(["templates/b/page.html"], SOURCES) == ["tests/surveys/b/test_other.py"]


def test_a_deleted_file_reaches_its_remaining_importers() -> None:
    left = {path: text for path, text in SOURCES.items() if path != "surveys/a/low.py"}
    assert "tests/surveys/a/test_use.py" in reached(["surveys/a/low.py"], left)


def test_a_partial_reaches_the_tests_of_pages_that_use_it() -> None:
    pages = {
        "templates/base.html": "",
        "templates/b/part.html": "{% extends 'base.html' %}",
        "templates/b/page.html": '{% include "b/part.html" with a=1 only %}',
    }
    for changed in pages:
        assert reached([changed], SOURCES | pages) == ["tests/surveys/b/test_other.py"]


def test_a_script_reaches_tests_that_import_it_indirectly() -> None:
    scripts = {
        f"{SCRIPTS}coins.js": "",
        f"{SCRIPTS}disguise.js": 'import { Coins } from "./coins.js";',
        f"{SCRIPTS}later.js": 'const { seal } = await import("./disguise.js");',
        "tests/js/coins.test.js": 'import "../../surveys/static/surveys/js/coins.js";',
        "tests/js/later.test.mjs": 'import { a } from "../../surveys/static/surveys/js/later.js";',
        "tests/js/other.test.js": 'import "./cast.js";',
    }
    assert reached_scripts([f"{SCRIPTS}coins.js"], scripts) == [
        "tests/js/coins.test.js",
        "tests/js/later.test.mjs",
    ]
    assert reached_scripts(["tests/js/other.test.js"], scripts) == ["tests/js/other.test.js"]


def test_changed_files_always_run_and_files_beyond_the_time_limit_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    budget = Budget(["tests/test_own.py", "", "tests/test_near.py", "tests/test_far.py"])
    spent = iter([50.0, 50.0 + 2 * reach.SECONDS])
    monkeypatch.setattr(reach, "_spent", lambda: next(spent))
    items = [SimpleNamespace(path=ROOT / f"tests/test_{name}.py") for name in ("far", "near", "near", "own")]
    budget.pytest_collection_modifyitems(items)
    assert [item.path.stem for item in items] == ["test_own", "test_near", "test_near", "test_far"]
    # A file that has started is finished, so its second test runs even after the time limit.
    assert [budget.pytest_runtest_protocol(item) for item in items] == [None, None, None, True]
    assert list(budget.left) == ["tests/test_far.py"]


def test_a_branch_is_not_compared_with_itself(tmp_path: Path) -> None:
    shutil.copy(ROOT / "check", tmp_path)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    for name in ("pytest", "mypy", "ruff", "python"):
        (tmp_path / ".venv/bin" / name).write_text('#!/bin/sh\necho "$@"\n')
        (tmp_path / ".venv/bin" / name).chmod(0o755)
    for command, compared, is_said in (
        ("init --quiet -b main", "main", True),
        ("-c user.name=a -c user.email=a@b.example commit --quiet --allow-empty -m a", "main", True),
        ("update-ref refs/remotes/origin/main main", "origin/main", False),
        ("switch -c my-change", "main", False),
    ):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True, capture_output=True)
        done = subprocess.run([tmp_path / "check"], check=False, capture_output=True, text=True)
        assert f"-m tests.reach {compared}\n" in done.stdout
        assert ("git switch -c my-change" in done.stdout) == is_said


def test_file_listings_agree_with_and_without_git(tmp_path: Path) -> None:
    shutil.copy(ROOT / ".gitignore", tmp_path)
    kept = ("a.py", "docs/site/conf.py", "docs/var/kept.md", "tests/.hidden/b")
    left_out = ("a.pyc", "docs/c.pyc", "docs/__pycache__/d", ".venv/e", "var/f", "x.egg-info/g", ".git/h")
    for name in (*kept, *left_out):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert files(tmp_path) == sorted([".gitignore", *kept])


def test_everything_a_test_names_selects_that_test() -> None:
    """A change to anything that a test file imports, or renders by name, selects that test file."""
    sources = texts(*reach.LAYERS, "tests", TEMPLATES, ends=(".py", ".html"))
    missed: list[tuple[str, str]] = []
    known: dict[str, list[str]] = {}
    for path, text in sources.items():
        if not is_test(path) or path.startswith("tests/e2e/"):
            continue
        for module in reach.imported(text):
            target = module.replace(".", "/") + ".py"
            if target in sources and not target.startswith("tests/"):
                if target not in known:
                    known[target] = reached([target], sources)
                missed += [(target, path)] if path not in known[target] else []
    assert missed == []


def test_a_template_without_its_own_test_selects_the_test_of_all_pages() -> None:
    page = {"templates/404.html": "", reach.EVERY_PAGE: ""}
    assert reached(["templates/404.html"], SOURCES | page) == [reach.EVERY_PAGE]


@pytest.mark.parametrize("changed", ["surveys/report/urls.py", "docs/debug.md", f"{SCRIPTS}question.js"])
def test_a_test_that_lists_files_is_reached_by_each_of_them(changed: str) -> None:
    lists = dict.fromkeys(reach.LISTING_TESTS.values(), "")
    assert len([path for path in reached([changed], SOURCES | lists) if path in lists]) == 1
    assert all((ROOT / path).is_file() for path in lists)
