"""The sessions of docs/privacy.md run unchanged."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "privacy.md"


def test_the_sessions_of_the_page_run_as_they_stand() -> None:
    session = re.sub(r"^```.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(session, {}, "privacy.md", str(PAGE), 0)
    assert len(test.examples) > 12
    found: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=found.append)
    assert not runner.failures, "".join(found)
