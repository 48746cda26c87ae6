"""Engines that count sets of columns, and the choice of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import pays_to_compile
from mining.columns.counting_numpy import count_as_mlxtend, count_rows
from privacy.arrays import Whole
from privacy.errors import PrivacyError

Kernel: TypeAlias = Callable[[NDArray[np.uint64], Whole], Whole]
ENGINES: Final = ("auto", "numba", "numpy", "mlxtend")


@dataclass(frozen=True, kw_only=True)
class Engine:
    """Implementation of counting.

    Attributes
    ----------
    name : str
    label : str
        Name in reports, with the version.
    kernel : callable
        Maps packed columns (columns, words) and positions of columns (m, size) to the m counts.
    joins_on_arrays : bool
        Whether candidates are also generated on arrays, because mlxtend would be slower than the counting.
    """

    name: str
    label: str
    kernel: Kernel
    joins_on_arrays: bool = False


def find_engine(name: str, n: int) -> Engine:
    """Find an engine.

    Parameters
    ----------
    name : {"auto", "numba", "numpy", "mlxtend"}
        "auto" is numba from 50,000 rows if installed, otherwise numpy.
    n : int
        Number of rows.

    Raises
    ------
    PrivacyError
        ``engine``: unknown name; ``engine_missing``: numba is not installed.
    """
    if name == "auto":
        name = "numba" if pays_to_compile(n) else "numpy"
    if name == "numba":
        return _numba()
    if name == "numpy":
        return Engine(name=name, label=f"numpy {np.__version__} counts", kernel=count_rows)
    if name == "mlxtend":
        return Engine(name=name, label=f"numpy {np.__version__} np.all counts", kernel=count_as_mlxtend)
    raise PrivacyError("engine", name, engines=", ".join(ENGINES))


def _numba() -> Engine:
    # Imported here because numba may be missing and loads slowly.
    try:
        from mining.columns import counting_numba
    except ImportError as absent:
        raise PrivacyError("engine_missing", "numba", absent=absent) from absent
    return Engine(
        name="numba",
        label=f"numba {counting_numba.VERSION} counts",
        kernel=counting_numba.count_rows,
        joins_on_arrays=True,
    )
