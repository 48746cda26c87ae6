import pytest

from privacy.errors import PrivacyError
from privacy.sdc.column_rule import ColumnRule


def test_unknown_roles_are_rejected_listing_the_valid_roles():
    with pytest.raises(PrivacyError, match=r"'secret'.*sensitive"):
        ColumnRule(name="age", role="secret")


def test_a_numeric_column_cannot_keep_missing_as_a_value():
    with pytest.raises(PrivacyError, match="cannot be one of its values"):
        ColumnRule(name="age", role="quasi_identifier", kind="numeric", missing="value")


@pytest.mark.parametrize(
    "rule", [{"kind": "categorical", "top": 3}, {"kind": "numeric", "bottom": 5, "top": 4}]
)
def test_invalid_top_and_bottom_coding_is_rejected(rule):
    with pytest.raises(PrivacyError) as caught:
        ColumnRule(name="age", role="quasi_identifier", **rule)
    assert caught.value.code == "coding"


def test_a_rule_has_a_known_kind():
    with pytest.raises(PrivacyError) as caught:
        ColumnRule(name="age", role="quasi_identifier", kind="text")
    assert caught.value.code == "kind"
