"""Tables are checked without changing them."""

import pytest

from anonymisation.microdata.checks import totals_check
from privacy.errors import PrivacyError
from tests.fixtures.tables import table_of

ROWS = [("a", "flu"), ("a", "cold"), ("b", "flu"), ("b", "cold")]


def test_unreadable_totals_are_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("disease,count\nflu,many\n", encoding="utf-8")
    table = table_of(["zip", "disease"], ROWS, sensitive=["disease"])
    with pytest.raises(PrivacyError, match="cannot be read as totals"):
        totals_check(table, path, k=2, l_of=len)
