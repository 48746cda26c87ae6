"""Golden values on the Adult data need these data, which are not part of the product.

Tests look for them next to the checkout, in shared/data/anonymisation, or in the folder SOTTOVOCE_ADULT.
"""

import os
from pathlib import Path
from typing import Any

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data" / "anonymisation"
FOLDER = os.environ.get("SOTTOVOCE_ADULT") or (
    str(BESIDE) if (BESIDE / "uci" / "adult.data").is_file() else ""
)
collect_ignore = [] if FOLDER else ["test_adult.py"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Report the skipped tests, so that the summary does not suggest they ran."""
    if not FOLDER:
        terminalreporter.write_line(
            "left out: tests/golden/test_adult.py (golden values on Adult), because neither "
            "SOTTOVOCE_ADULT "
            "nor shared/data/anonymisation beside the checkout is a folder with uci/adult.data and "
            "bench_hierarchies/"
        )
