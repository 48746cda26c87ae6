from surveys.formats.table_links import column, pages
from surveys.report.rule_rows import RuleQuery


def test_a_column_sorts_largest_first_and_then_turns_round() -> None:
    assert column(RuleQuery(), "lift", "lift").address == "?sort=-lift"
    turned = column(RuleQuery(sort="-lift"), "lift", "lift")
    assert (turned.address, turned.direction) == ("?sort=lift", "descending")
    assert column(RuleQuery(sort="lift"), "lift", "lift").direction == "ascending"


def test_of_p_values_the_smallest_come_first_as_they_do_before_anything_is_sorted() -> None:
    head = column(RuleQuery(sort="-lift"), "p_adjusted", "p, adjusted", rising_first=True)
    assert head.address == "?"
    head = column(RuleQuery(), "p_adjusted", "p, adjusted", rising_first=True)
    assert (head.address, head.direction) == ("?sort=-p_adjusted", "ascending")


def test_sorting_keeps_the_filter_and_goes_back_to_the_first_page() -> None:
    assert column(RuleQuery(item=3, page=5), "error", "W").address == "?item=3&sort=-error"


def test_the_first_and_the_last_page_lead_nowhere_further_and_one_beyond_is_the_last() -> None:
    first, last, beyond = (pages(RuleQuery(page=page), count=101, size=50) for page in (1, 3, 9))
    assert (first.previous, first.next) == ("", "?page=2")
    assert (last.previous, last.next) == ("?page=2", "")
    assert beyond == last
    assert pages(RuleQuery(), count=0, size=50).pages == 1
