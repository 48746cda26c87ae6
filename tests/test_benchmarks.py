"""Pages of benchmarks say what their figures say: they are written from them, and by nobody's hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.report import write

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.mark.parametrize("name", ["benchmarks.md", "benchmarks.svg", "benchmarks-growth.svg"])
def test_the_page_and_its_pictures_are_what_the_figures_give(name: str, tmp_path: Path) -> None:
    write(json.loads((DOCS / "benchmarks.json").read_text(encoding="utf-8")), tmp_path)
    remedy = "python -m benchmarks.report --again writes it from docs/benchmarks.json"
    assert (tmp_path / name).read_text(encoding="utf-8") == (DOCS / name).read_text(encoding="utf-8"), remedy
