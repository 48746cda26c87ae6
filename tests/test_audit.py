"""The list of files that respondents must trust matches the files and the audit page."""

import re
from pathlib import Path

from tests.trusted_branches import unexecuted

ROOT = Path(__file__).resolve().parent.parent
TRUSTED = [
    line
    for line in (ROOT / "audit/trusted.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def test_every_trusted_file_exists() -> None:
    gone = [path for path in TRUSTED if not (ROOT / path).is_file()]
    assert gone == [], f"moved or renamed: change audit/trusted.txt and audit/README.md too: {gone}"
    assert sorted(set(TRUSTED)) == TRUSTED


def test_the_audit_page_lists_every_trusted_file() -> None:
    page = (ROOT / "audit/README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w./-]+)`", page))
    folders = {name for name in named if "." not in name}
    missing = [
        path
        for path in TRUSTED
        if not {path, Path(path).name} & named and not any(path.startswith(f"{name}/") for name in folders)
    ]
    assert missing == [], "audit/README.md does not say why these are trusted"


def test_trusted_scripts_import_only_trusted_scripts() -> None:
    outside = {
        (path, name)
        for path in TRUSTED
        if path.endswith(".js")
        for name in re.findall(r'^import [^;]* from "\./([^"]+)"', (ROOT / path).read_text("utf-8"), re.M)
        if str(Path(path).with_name(name)) not in TRUSTED
    }
    assert outside == set(), "add these to audit/trusted.txt and audit/README.md"


def test_lines_and_branches_count_if_no_process_executed_them() -> None:
    def measured(lines: list[int], branches: list[list[int]]) -> dict:
        return {"a.py": {"missing_lines": lines, "missing_branches": branches}}

    assert unexecuted(["a.py"], [measured([2], [[1, 2]]), measured([3], [[1, 3]])]) == []
    assert unexecuted(["a.py"], [measured([2], [[1, 2]]), measured([2], [[1, 2]])]) == [
        "a.py: lines [2] and branches [(1, 2)] are never executed"
    ]
    assert unexecuted(["a.py", "b.py"], [measured([], [])]) == ["b.py: no test imports it"]
