from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privacy.estimation.array_tables import concatenate, take


@dataclass(frozen=True)
class Inner:
    low: NDArray[np.float64]


@dataclass(frozen=True)
class Outer:
    name: str
    value: NDArray[np.float64]
    interval: Inner


TABLE = Outer("pooled", np.array([0.1, 0.2, 0.3]), Inner(np.array([1.0, 2.0, 3.0])))


def test_selected_rows_keep_the_requested_order_at_every_depth() -> None:
    some = take(TABLE, np.array([2, 0]))
    assert (some.name, some.value.tolist(), some.interval.low.tolist()) == ("pooled", [0.3, 0.1], [3.0, 1.0])


def test_nested_tables_are_concatenated_at_every_level() -> None:
    both = concatenate([TABLE, take(TABLE, np.array([1]))])
    assert both.value.tolist() == [0.1, 0.2, 0.3, 0.2]
    assert both.interval.low.tolist() == [1.0, 2.0, 3.0, 2.0]
