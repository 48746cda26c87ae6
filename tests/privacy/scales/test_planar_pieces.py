import numpy as np
import pytest

from privacy.scales.planar_density_errors import Spread, blocks_of
from privacy.scales.planar_pieces import REACH, Pieces, pieces_of


def _spread(shares: np.ndarray, cell: float) -> Spread:
    """Return errors as for independent cells with equal errors."""
    ones = blocks_of(np.full(shares.shape, cell**2))
    return Spread(by_side=tuple(np.sqrt(table) for table in ones), replicates=50)


def _painted(found: Pieces, shape: tuple[int, int]) -> np.ndarray:
    times = np.zeros(shape, dtype=int)
    for column, row, side in zip(found.column, found.row, found.side, strict=True):
        times[row : row + side, column : column + side] += 1
    return times


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (16, 16), (9, 33)])
@pytest.mark.parametrize("smallest", [1, 4])
def test_pieces_cover_each_cell_once_and_shares_sum_to_one(shape: tuple[int, int], smallest: int) -> None:
    shares = np.random.default_rng(3).random(shape) ** 4
    shares /= shares.sum()
    found = pieces_of(shares, _spread(shares, 0.3 / shares.size), 100_000, least=10, smallest=smallest)
    assert (_painted(found, shape) == 1).all()
    assert found.share.sum() == pytest.approx(1)
    assert found.cells(shape).sum() == shares.size
    assert len(found) == 1 or found.side.min() >= min(smallest, max(shape))
    for column, row, side, share in zip(found.column, found.row, found.side, found.share, strict=True):
        assert share == pytest.approx(shares[row : row + side, column : column + side].sum())


def test_map_pieces_are_significant_or_hidden_or_the_whole_map() -> None:
    shares = np.random.default_rng(4).random((32, 32)) ** 3
    shares /= shares.sum()
    found = pieces_of(shares, _spread(shares, 0.8 / shares.size), 20_000, least=10)
    assert ((found.share > REACH * found.standard_error) | found.hidden).all()
    assert len(set(found.side)) > 2
    # Two by two cells are merged only if one of them can be neither distinguished nor hidden.
    told = (shares > REACH * 0.8 / shares.size) | (shares * 20_000 < 10)
    pairs = [
        told[row : row + 2, column : column + 2].all()
        for column, row, side in zip(found.column, found.row, found.side, strict=True)
        if side == 2
    ]
    assert pairs
    assert not any(pairs)


def test_pieces_grow_from_cells_to_the_map_with_the_error() -> None:
    shares = np.full((4, 4), 1 / 16)
    assert set(pieces_of(shares, _spread(shares, 0.0), 1_000, least=10).side) == {1}
    found = pieces_of(shares, _spread(shares, 1.0), 1_000, least=10)
    assert (found.side.tolist(), found.share.tolist()) == ([4], [1.0])


def test_small_cells_are_hidden_without_merging_others() -> None:
    shares = np.array([[0.5, 0.004], [0.48, 0.016]])
    found = pieces_of(shares, _spread(shares, 0.005), 1_000, least=10)
    assert found.hidden.tolist() == [False, True, False, False]
    assert found.side.tolist() == [1, 1, 1, 1]
