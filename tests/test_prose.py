"""``tests/prose.py`` counts habits only in prose, and only in added lines."""

import subprocess
from pathlib import Path

import pytest

from tests.prose import added, found


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("a.md", "Nobody knows it.\n", [1]),
        ("a.md", "```\nnobody knows it\n```\nNo one knows it.\n", []),
        ("a.po", 'msgid ""\n"Nobody knows it"\nmsgstr ""\n"nobody"\n', [2]),
        (
            "a.html",
            '<p class="beside">{% translate "It stands beside it" %}</p>\n<b class="beside"></b>\n',
            [1, 1],
        ),
        ("a.py", '"""Whoever reads."""\n\nbeside = 1  # of which half is no more\n', [1]),
        ("a.py", "def stands():\n    return 1  # it takes 5 % more\n", [2, 2]),
        ("surveys/server/a.py", "stands = 1\nsay('nobody')\nsay(f'{stands} stand')\n", [2, 3]),
        ("a.md", "It is no longer there. Of course.\n", []),
    ],
)
def test_habits_are_counted_only_in_prose(name: str, source: str, expected: list[int]) -> None:
    lines = set(range(1, source.count("\n") + 1))
    assert [number for number, _habit, _line in found(name, source, lines)] == expected
    assert found(name, source, set()) == []


def test_only_added_lines_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=someone", "-c", "user.email=someone@example.org")
        subprocess.run(["git", *who, *arguments], check=True, capture_output=True)

    git("init", "--quiet", "--initial-branch=main")
    page = tmp_path / "page.md"
    page.write_text("one\ntwo\n", encoding="utf-8")
    git("add", ".")
    git("commit", "--quiet", "--message", "begin")
    page.write_text("one\nnew\ntwo\nlast\n", encoding="utf-8")
    assert added("main") == {"page.md": {2, 4}}
