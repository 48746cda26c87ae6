"""Shares are printed with inverted tests: no page multiplies an error by the normal quantile."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = ("templatetags", "formats", "charts", "report")
QUANTILE: Final = re.compile(
    r"1\.96\b|1\.95996|normal_quantile|NormalDist|norm\.(ppf|isf)|ndtri|\bNORMAL\b|normal_figure|share_within"
)
NO_SHARES: Final = {
    "report/scales/place.html": 2,  # the mean place
}


@pytest.mark.parametrize("package", PAGES)
def test_no_module_of_a_page_has_the_normal_quantile(package: str) -> None:
    for path in sorted((ROOT / "surveys" / package).rglob("*.py")):
        found = QUANTILE.findall(path.read_text(encoding="utf-8"))
        assert not found, f"{path}: a share has the interval of a test; see privacy.scales.region_share"


def test_no_template_prints_a_share_with_a_normal_interval() -> None:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        name = str(path.relative_to(ROOT / "templates"))
        text = path.read_text(encoding="utf-8")
        assert len(QUANTILE.findall(text)) == NO_SHARES.get(name, 0), name
        assert not re.search(r"±\s*\{\{[^}]*(standard_error|_se)\b", text), name
