"""What ./check runs of the tests."""

from __future__ import annotations

from tests.reach import reached

SOURCES = {
    "surveys/a/low.py": "",
    "surveys/a/high.py": "from surveys.a import low\n",
    "surveys/a/__init__.py": "from surveys.a.low import f\n",
    "surveys/b/other.py": "import json\nRENDERED = 'b/page.html'\n",
    "tests/cast.py": "from surveys.a.low import f\n",
    "tests/surveys/a/test_low.py": "",
    "tests/surveys/a/test_high.py": "",
    "tests/surveys/a/test_use.py": "def test():\n    from surveys.a.low import (\n        f,\n    )\n",
    "tests/surveys/b/test_other.py": "",
    "tests/surveys/test_by_helper.py": "from tests.cast import g\n",
    "tests/surveys/test_by_package.py": "from surveys.a import f\n",
}


def test_the_nearest_tests_come_first_and_what_is_not_reached_does_not_come() -> None:
    assert reached(["surveys/a/low.py"], SOURCES) == [
        "tests/surveys/a/test_low.py",
        "tests/surveys/a/test_use.py",
        "tests/surveys/a/test_high.py",
        "tests/surveys/test_by_helper.py",
        "tests/surveys/test_by_package.py",
    ]


def test_a_changed_test_is_run_before_what_another_change_reaches() -> None:
    found = reached(["surveys/a/high.py", "tests/surveys/b/test_other.py"], SOURCES)
    assert found == ["tests/surveys/b/test_other.py", "tests/surveys/a/test_high.py"]


def test_a_helper_reaches_the_tests_that_import_it() -> None:
    assert reached(["tests/cast.py"], SOURCES) == ["tests/surveys/test_by_helper.py"]


def test_a_page_reaches_the_tests_of_the_module_that_names_it() -> None:
    assert reached(["templates/b/page.html"], SOURCES) == ["tests/surveys/b/test_other.py"]


def test_a_file_that_is_gone_reaches_what_still_imports_it() -> None:
    left = {path: text for path, text in SOURCES.items() if path != "surveys/a/low.py"}
    assert "tests/surveys/a/test_use.py" in reached(["surveys/a/low.py"], left)
