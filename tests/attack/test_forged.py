"""The report states the effect of forged rows correctly: a few dozen create a rule from unrelated items."""

import numpy as np

from tests.attack.forged import forge_rule


def test_the_reported_number_of_forged_rows_creates_a_rule(soak: int) -> None:
    rng = np.random.default_rng(20261121)
    found = [forge_rule(500, rng=rng) for _ in range(4 * soak)]
    assert [each.needed for each in found] == [each.announced for each in found]
    assert max(each.needed for each in found) > 0
