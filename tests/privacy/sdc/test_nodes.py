import pytest

from privacy.errors import PrivacyError
from privacy.sdc.nodes import preferred
from tests.privacy.sdc.test_lattice import lattice


def test_each_preference_takes_its_best_node():
    mine, _, _ = lattice(k=3, max_suppressed=12)
    nodes = mine.minimal()
    assert preferred(nodes, ["absolute"]).height == min(node.height for node in nodes)
    assert preferred(nodes, ["relative"]).relative == min(node.relative for node in nodes)
    assert preferred(nodes, ["classes"]).n_classes == max(node.n_classes for node in nodes)
    assert preferred(nodes, ["suppression"]).suppressed == min(node.suppressed for node in nodes)
    assert preferred(nodes, ["ilp"]).ilp == min(node.ilp for node in nodes)
    dear = preferred(nodes, ["relative"], column_weights=[1, 1, 1, 100], heights=mine.heights)
    assert dear.levels[3] == min(node.levels[3] for node in nodes)
    with pytest.raises(PrivacyError, match="'beauty' is unknown"):
        preferred(nodes, ["beauty"])
