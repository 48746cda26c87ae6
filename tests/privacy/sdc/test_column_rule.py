import pytest

from privacy.errors import PrivacyError
from privacy.sdc import ColumnRule


def test_an_unknown_role_is_refused_with_the_roles_to_choose_from():
    with pytest.raises(PrivacyError, match=r"'secret'.*sensitive"):
        ColumnRule(name="age", role="secret")


def test_a_numeric_column_cannot_keep_missing_as_a_value():
    with pytest.raises(PrivacyError, match="no place among its values"):
        ColumnRule(name="age", role="quasi_identifier", kind="numeric", missing="value")


@pytest.mark.parametrize(
    "rule", [{"kind": "categorical", "top": 3}, {"kind": "numeric", "bottom": 5, "top": 4}]
)
def test_coding_that_makes_no_sense_is_refused(rule):
    with pytest.raises(PrivacyError) as caught:
        ColumnRule(name="age", role="quasi_identifier", **rule)
    assert caught.value.code == "coding"
