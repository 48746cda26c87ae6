"""Differences with published totals that isolate few people."""

import pytest

from privacy.errors import PrivacyError
from privacy.sdc.differencing import differencing


def test_differencing_finds_totals_that_isolate_few_people():
    assert differencing({"flu": 5}, {"flu": 7, "ulcer": 1}, k=4) == (("flu", 2), ("ulcer", 1))
    assert differencing({"flu": 5}, {"flu": 8, "ulcer": 1}, k=4) == ()
    assert differencing({"flu": 5}, {"flu": 9}, k=4, l_value=2) == (("flu", 4),)


def test_totals_below_the_release_counts_are_rejected():
    with pytest.raises(PrivacyError, match="contains 5 records of 'flu', but the total is 4"):
        differencing({"flu": 5}, {"flu": 4}, k=2)
