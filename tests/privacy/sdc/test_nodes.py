import pytest

from privacy.errors import PrivacyError
from privacy.sdc.nodes import preferred
from tests.privacy.sdc.test_lattice import lattice


def test_each_preference_takes_its_best_node():
    mine, _, _ = lattice(k=3, max_suppressed=12)
    nodes = mine.minimal()

    def relative(node):
        return sum(level / height for level, height in zip(node.levels, mine.heights, strict=True))

    def best(preference, *, weights=(1, 1, 1, 1)):
        return preferred(nodes, [preference], column_weights=weights, heights=mine.heights)

    assert best("absolute").height == min(node.height for node in nodes)
    assert relative(best("relative")) == min(map(relative, nodes))
    assert best("classes").n_classes == max(node.n_classes for node in nodes)
    assert best("suppression").suppressed == min(node.suppressed for node in nodes)
    assert best("ilp").ilp == min(node.ilp for node in nodes)
    assert best("relative", weights=[1, 1, 1, 100]).levels[3] == min(node.levels[3] for node in nodes)
    with pytest.raises(PrivacyError, match="'beauty' is unknown"):
        best("beauty")
