import math
import re
from itertools import combinations

from surveys.report.pictures.network import NetworkRule, item_order, network_svg, rule_places
from tests.surveys.report.pictures.test_grouped_matrix import LABELS


def rule(
    rank: int, antecedent: tuple[int, ...], consequent: tuple[int, ...], **changes: object
) -> NetworkRule:
    given = {"support": 0.1, "raises": True, "clear": True, "text": f"{rank}. <rule>", **changes}
    return NetworkRule(rank=rank, antecedent=antecedent, consequent=consequent, **given)


def test_items_of_one_rule_stand_together() -> None:
    # Two circles of five that share nothing, mixed as they come.
    rules = [
        rule(number, (start + 2 * number,), (start + 2 * ((number + 1) % 5),))
        for number in range(5)
        for start in (0, 1)
    ]
    order = item_order(rules)
    assert sorted(order) == list(range(10))
    changes = sum(one % 2 != other % 2 for one, other in zip(order, order[1:] + order[:1], strict=True))
    assert changes == 2
    assert order == item_order(rules)


def test_no_two_circles_cover_each_other() -> None:
    rules = [rule(number, (1,), (2,)) for number in range(1, 5)] + [rule(5, (2,), (1,))]
    centres = rule_places(rules, {1: (100.0, 100.0), 2: (300.0, 100.0)})
    assert all(math.dist(one, other) > 20 for one, other in combinations(centres, 2))


def test_rules_are_links_on_the_page_and_none_in_a_file() -> None:
    linked = network_svg([rule(1, (1,), (2,), address="/en/x/?a=1&b=2")], LABELS, title="Network")
    assert 'role="group"' in linked
    assert 'href="/en/x/?a=1&amp;b=2"' in linked
    assert 'aria-label="1. &lt;rule&gt;"' in linked
    saved = network_svg([rule(1, (1,), (2,))], LABELS, title="Network", paper=True)
    assert "href" not in saved
    assert 'role="img"' in saved
    assert "style=" not in linked + saved


def test_an_uncertain_rule_is_a_ring() -> None:
    full, ring = (
        network_svg([rule(1, (1,), (2,), clear=clear)], LABELS, title="Network") for clear in (True, False)
    )
    assert len(re.findall("mark--ring", ring)) == 1
    assert "mark--ring" not in full
