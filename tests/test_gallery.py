"""The gallery's sessions run as they stand, and its picture shows their figures beside the published ones."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from docs.gallery_picture import PICTURE, drawn, rows_of

PAGE = Path(__file__).resolve().parent.parent / "docs" / "gallery.md"


@pytest.fixture(scope="module")
def session() -> dict[str, object]:
    """What the page computed."""
    text = re.sub(r"^```.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, "gallery.md", str(PAGE), 0)
    assert len(test.examples) > 15
    found: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=found.append, clear_globs=False)
    assert not runner.failures, "".join(found)
    return test.globs


def test_the_sessions_run_and_figures_agree_with_the_published_ones(session: dict[str, object]) -> None:
    rows = {row[0]: row[1:] for row in rows_of(session)}
    assert len(rows) == 6
    truth = rows.pop("affairs (true share)")
    assert truth[3] < truth[0] < truth[4]
    for published, half, own, low, high in rows.values():
        assert own == pytest.approx(published, abs=5e-5)
        assert half == 0 or (high - low) / 2 == pytest.approx(half, rel=0.05)


def test_the_picture_is_drawn_from_the_page(session: dict[str, object]) -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawn(rows_of(session))
