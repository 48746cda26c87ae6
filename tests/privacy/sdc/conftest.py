"""Golden values on Adult need the data, which are no part of the product: SOTTO_ADULT names their folder."""

import os
from typing import Any

FOLDER = os.environ.get("SOTTO_ADULT", "")
collect_ignore = [] if FOLDER else ["test_adult.py"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Name what was left out, so that nobody believes it was tested."""
    if not FOLDER:
        terminalreporter.write_line(
            "left out: tests/privacy/sdc/test_adult.py (golden values on Adult), because SOTTO_ADULT "
            "does not name a folder with uci/adult.data and bench_hierarchies/"
        )
