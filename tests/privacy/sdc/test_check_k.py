"""A k or l lies between 1 and the number of records, and costs stay exact."""

import pytest

from privacy.errors import PrivacyError
from privacy.sdc.check_k import check_k


def test_k_and_l_lie_between_one_and_the_number_of_records() -> None:
    check_k(5, 5, 5)
    check_k(1, 1)
    check_k(2**18, 2**18)
    for k, n, l_value, code in (
        (0, 5, 1, "k"),
        (6, 5, 1, "k"),
        (2, 5, 6, "l"),
        (2, 5, 0, "l"),
        (2.5, 5, 1, "k"),
    ):
        with pytest.raises(PrivacyError) as refused:
            check_k(k, n, l_value)  # type: ignore[arg-type]
        assert refused.value.code == code
    with pytest.raises(PrivacyError):
        check_k(2**18 + 1, 2**19)
