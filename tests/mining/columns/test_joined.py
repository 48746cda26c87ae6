from __future__ import annotations

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix, joined
from privacy.errors import PrivacyError
from privacy.survey.layout import Layout
from tests.fixtures.questionnaires import EVERYTHING, bodies, grouped, true_rows
from tests.mining.columns.counted import count

SIZE = Layout(EVERYTHING).n_bytes


@pytest.mark.parametrize("cuts", [[0, 400], [1, 400], [64, 128, 400], [63, 190, 255, 399, 400], [400, 400]])
def test_parts_joined_are_the_matrix_of_all_rows(cuts: list[int]) -> None:
    direct = np.random.default_rng(2).random(400) < 0.4
    packed = bodies(EVERYTHING, true_rows(400, seed=2), direct, seed=2)
    edges = [0, *cuts]
    parts = [
        BitMatrix.from_rows(EVERYTHING, packed[SIZE * start : SIZE * end])
        for start, end in zip(edges, cuts, strict=False)
    ]
    whole, found = BitMatrix.from_rows(EVERYTHING, packed), joined(parts)
    assert (found.n_direct, found.n_protected, found.full) == (
        whole.n_direct, whole.n_protected, whole.full,
    )  # fmt: skip
    for group in ("direct", "protected"):
        ours, theirs = getattr(found, group), getattr(whole, group)
        for column in sorted(set(range(EVERYTHING.n_columns)) - whole.full):
            assert np.array_equal(ours.words[found.stored_at[column]], theirs.words[whole.stored_at[column]])
    requests = [(one, two) for one in range(EVERYTHING.n_columns) for two in range(one)]
    assert np.array_equal(count(found, requests), count(whole, requests))


def test_it_refuses_to_join_rows_of_two_designs() -> None:
    one, two = (
        BitMatrix.from_booleans(grouped([size]), np.ones((1, size), dtype=bool), np.zeros(1, dtype=bool))
        for size in (1, 2)
    )
    with pytest.raises(
        PrivacyError, match=r"are mixed with rows of .*; combine rows of one design only"
    ) as refusal:
        joined([one, two])
    assert refusal.value.code == "other_design"
