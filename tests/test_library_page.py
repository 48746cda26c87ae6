"""The sessions of docs/library.md run unchanged, also as a notebook."""

import ast
import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import privacy
import sottovoce
from docs.gallery_notebook import notebook
from privacy.library import designs
from privacy.library.designs import ResponseDesign

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "library.md"
BORROWING = ROOT / "docs" / "borrowing.md"
COMPOSITES = ROOT / "docs" / "composites.md"


# The session of docs/library.md runs below, and in tests/test_core_alone.py.
@pytest.mark.parametrize(
    ("page", "examples"), [(BORROWING, 8), (ROOT / "docs" / "privacy.md", 12), (COMPOSITES, 14)]
)
def test_the_sessions_on_the_page_run_unchanged(
    monkeypatch: pytest.MonkeyPatch, page: Path, examples: int
) -> None:
    monkeypatch.chdir(ROOT)
    # Without the fences, which would count as output.
    session = re.sub(r"^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0)
    assert len(test.examples) > examples
    found: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(test, out=found.append)
    assert not runner.failures, "".join(found)


def test_the_docs_list_every_design() -> None:
    listed = re.findall(r"^\| `(\w+)\(", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    made = {name for name in sottovoce.__dir__() if name in designs.__all__}
    assert sorted(listed) == sorted(made)
    assert isinstance(designs.truthful(), ResponseDesign)


def test_the_notebook_runs_and_shows_the_pages_pictures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Runs each cell like Jupyter, which shows the last expression, pictures as SVG."""
    monkeypatch.chdir(ROOT)
    page, kernel, shown = PAGE.read_text(encoding="utf-8"), {"__name__": "__main__"}, []
    for cell in notebook(page)["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse(cell["source"])
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), kernel)
        if "Traceback" in str(cell["outputs"]):
            with pytest.raises(sottovoce.PrivacyError):
                eval(compile(ast.Expression(last.value), "cell", "eval"), kernel)  # type: ignore[union-attr]
        elif last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), kernel)
            shown += [value._repr_svg_()] if hasattr(value, "_repr_svg_") else []
            assert repr(value).split() == cell["outputs"][0]["text"].split()
    assert capsys.readouterr().out == ""
    pictures = re.findall(r"^!\[.*\]\((pictures/\S+)\)$", page, flags=re.MULTILINE)
    assert [(PAGE.parent / name).read_text(encoding="utf-8") for name in pictures] == shown
    assert len(shown) == 2


@pytest.mark.parametrize("name", privacy.__all__)
def test_every_exported_name_exists(name: str) -> None:
    assert getattr(privacy, name) is not None
    assert name in dir(privacy)


def test_names_not_exported_raise_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'privacy' has no attribute 'nothing'"):
        _ = privacy.nothing


@pytest.mark.parametrize("package", ["privacy", "mining"])
def test_packages_publish_their_types(package: str) -> None:
    assert (Path(privacy.__file__).parents[1] / package / "py.typed").is_file()


def test_receiving_answers_loads_no_statistics_libraries() -> None:
    program = "import privacy, privacy.survey, sys; assert not {'scipy', 'pandas'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
