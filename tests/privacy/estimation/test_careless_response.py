import pytest

from privacy.errors import PrivacyError
from privacy.estimation.careless_response import careless_response
from privacy.estimation.counts import SupportCounts
from tests.privacy.estimation.designs import TWO_BLOCKS, design, protected, yes_no


def test_anchors_with_another_disguise_are_refused_by_name() -> None:
    with pytest.raises(PrivacyError, match="item a is not alone") as refusal:
        careless_response(SupportCounts({}), 0, 2, 2, TWO_BLOCKS)
    assert refusal.value.code == "anchors"
    other = design(
        protected("x", 5000, yes_no("x", 5000)), protected("n", 5000, yes_no("n", 5000)),
        protected("y", 6000, yes_no("y", 5000)),
    )  # fmt: skip
    with pytest.raises(PrivacyError, match="item y is not alone"):
        careless_response(SupportCounts({}), 0, 1, 2, other)
