import pytest

from surveys.formats.sort_links import column
from surveys.report.rules.rule_query import RuleQuery


def test_columns_sort_descending_first_then_toggle() -> None:
    assert column(RuleQuery(), "lift", "lift").address == "?sort=-lift"
    turned = column(RuleQuery(sort="-lift"), "lift", "lift")
    assert (turned.address, turned.direction) == ("?sort=lift", "descending")
    assert column(RuleQuery(sort="lift"), "lift", "lift").direction == "ascending"


def test_p_values_sort_ascending_by_default() -> None:
    head = column(RuleQuery(sort="-lift"), "p_adjusted", "p, adjusted", rising_first=True)
    assert head.address == "?"
    head = column(RuleQuery(), "p_adjusted", "p, adjusted", rising_first=True)
    assert (head.address, head.direction) == ("?sort=-p_adjusted", "ascending")


def test_sorting_keeps_the_filter_and_returns_to_page_one() -> None:
    assert column(RuleQuery(item=3, page=5), "error", "W").address == "?item=3&sort=-error"


pytestmark = pytest.mark.django_db
