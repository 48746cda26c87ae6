"""Count sets of columns in any order, with repetitions."""

from typing import Any

import numpy as np

from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import Requests, count_places, places_of
from mining.columns.precomputed_counts import key_of
from privacy.arrays import Whole


def count(matrix: BitMatrix, requests: Requests, **options: Any) -> Whole:
    """Count each set once, in sorted order; shape (sets, 2), options as for `count_places`."""
    places = places_of(matrix, requests)
    _, first, back = np.unique(key_of(places, matrix.n_stored), return_index=True, return_inverse=True)
    return count_places(matrix, places[first], **options)[back]
