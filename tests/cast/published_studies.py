"""Row data of published studies of randomised response; they are not part of the product."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "surveys"


def published(name: str) -> pd.DataFrame:
    """Whole rows of a study; the test is skipped where the files are not beside the checkout."""
    path = FOLDER / name
    if not path.is_file():
        pytest.skip("the row data of published studies are not beside this checkout")
    return pd.read_csv(path).dropna()


def nigeria() -> pd.DataFrame:
    """Forced response with a die, Nigeria 2013 (Blair, Imai and Zhou): 2,423 rows, age in tens of years."""
    rows = published("rr_nigeria.csv")
    rows = rows.rename(columns=lambda name: name.removeprefix("cov.").replace(".", "_"))
    age = rows["age"].astype(float) / 10
    return rows.assign(
        age10=age, age10_squared=age**2, civic=rows["civic"].astype(str).eq("True").astype(int)
    )
