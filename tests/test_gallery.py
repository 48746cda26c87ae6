"""The gallery's sessions run as printed, and its picture compares their results with published figures."""

import doctest
import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from docs.gallery_notebook import notebook
from docs.gallery_picture import PICTURE, drawn, rows_of

PAGE = Path(__file__).resolve().parent.parent / "docs" / "gallery.md"


@pytest.fixture(scope="module")
def session() -> dict[str, object]:
    """Return the results that the page computed."""
    text = re.sub(r"^```.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, "gallery.md", str(PAGE), 0)
    assert len(test.examples) > 15
    found: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=found.append, clear_globs=False)
    assert not runner.failures, "".join(found)
    return test.globs


def test_gallery_sessions_run_and_match_published_figures(session: dict[str, object]) -> None:
    rows = {row[0]: row[1:] for row in rows_of(session)}
    assert len(rows) == 16
    affairs = rows.pop("affairs (true share)")
    assert affairs[3] < affairs[0] < affairs[4]
    # Known truths that respondents deny, or are accused of, so no interval contains them.
    known = {name: rows.pop(name) for name in list(rows) if name.endswith("(true share)")}
    assert len(known) == 5
    assert not any(low <= truth <= high for truth, _, _, low, high in known.values())
    # A figure from another question, shown next to ours.
    directly = rows.pop("copied in an exam (asked directly)")
    assert directly[3] < directly[0] < directly[4]
    # RRTCS has fewer students than its weights imply; its errors ignore shared classes, and use 802 people.
    infidelity, messages = rows.pop("infidelity"), rows.pop("messages while studying")
    assert infidelity[2] == pytest.approx(infidelity[0], abs=1e-4)
    assert messages[2] == pytest.approx(messages[0], abs=5e-5)
    for row in (infidelity, messages):
        # 25 classes: t, and residuals divided by 1 - h, add a twentieth.
        assert row[1] < (row[4] - row[3]) / 2 < 1.25 * row[1]
    for published, half, own, low, high in rows.values():
        printed = len(str(published).partition(".")[2])
        assert own == pytest.approx(published, abs=0.5 * 10**-printed)
        assert half == 0 or (high - low) / 2 == pytest.approx(half, rel=0.05)


def test_the_gallery_picture_matches_the_page(session: dict[str, object]) -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawn(rows_of(session))


def test_the_command_writes_the_page_and_its_sessions_as_a_notebook(tmp_path: Path) -> None:
    page, made = PAGE.read_text(encoding="utf-8"), tmp_path / "made.ipynb"
    command = [sys.executable, "-m", "docs.gallery_notebook", str(made)]
    subprocess.run(command, cwd=PAGE.parent.parent, check=True)
    cells = json.loads(made.read_text(encoding="utf-8"))["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    examples = doctest.DocTestParser().get_examples(re.sub(r"^```.*$", "", page, flags=re.MULTILINE))
    assert "\n".join(code) + "\n" == "".join(example.source for example in examples)
    assert "```pycon" not in "".join(cell["source"] for cell in cells)


@pytest.mark.soak
def test_jupyter_runs_the_notebook_with_the_same_outputs(tmp_path: Path) -> None:
    # Install Jupyter in a separate environment that can use the packages of this one.
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "jupyter")], check=True)
    python = str(tmp_path / "jupyter" / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "nbclient", "ipykernel", "nbformat"]
    subprocess.run(pip, check=True)
    given = notebook(PAGE.read_text(encoding="utf-8"))
    path = tmp_path / "gallery.ipynb"
    path.write_text(json.dumps(given), encoding="utf-8")
    run = (
        "import nbclient, nbformat, sys; "
        "book = nbformat.read(sys.argv[1], as_version=4); nbformat.validate(book); "
        "nbclient.NotebookClient(book, timeout=120, kernel_name='python3').execute(); "
        "nbformat.write(book, sys.argv[1])"
    )
    packages = os.pathsep.join([str(PAGE.parent.parent), sysconfig.get_path("purelib")])
    subprocess.run([python, "-c", run, str(path)], check=True, env=os.environ | {"PYTHONPATH": packages})
    after = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for cell, before in zip(after, given["cells"], strict=True):
        if before.get("outputs"):
            printed = "".join(map(text_of, cell["outputs"])).split()
            assert printed == before["outputs"][0]["text"].split()


def text_of(output: dict[str, Any]) -> str:
    return "".join(output["text"] if "text" in output else output["data"]["text/plain"])
