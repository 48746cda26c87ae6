"""P-values are written with their tests."""

import pytest
from django.utils.translation import override

from privacy.p_values import PValue
from privacy.printed import CHECKED
from surveys.formats.p_values import about_p_values, p_text


def p_of(value: float, n: int = 300, *, estimable: bool = True) -> PValue:
    return PValue(
        value=value,
        test="no difference",
        n=n,
        estimable=estimable,
        adjustment="none",
        family=1,
        origin=CHECKED,
    )


def test_a_number_without_its_test_is_refused() -> None:
    with pytest.raises(AttributeError):
        p_text(0.04)  # type: ignore[arg-type]


def test_a_test_of_too_few_rows_has_no_p_value() -> None:
    assert p_text(p_of(0.04, estimable=False)) == "too few answers to say"


def test_each_test_is_described_once_with_its_rows() -> None:
    found = about_p_values([p_of(0.04), p_of(0.3), p_of(0.2, 1_200)])
    assert (
        found
        == "p: two-sided test of no difference, by empirical likelihood; n = 300 to 1,200; not adjusted."
    )
    assert about_p_values([]) == ""
    assert about_p_values(p_of(0.04)).count("n = 300;") == 1


def test_chinese_p_values_have_a_zero() -> None:
    with override("zh-hans"):
        assert p_text(p_of(1e-9)) == "< 0.0001"
        assert "双侧检验" in about_p_values(p_of(0.04))
