"""Search functions of k-member clustering, interpreted or compiled, and which of them pay off."""

from __future__ import annotations

import sys
from functools import wraps
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from privacy.compilation import is_kept
from privacy.sdc import class_growth, class_repair, local_search, partition
from privacy.sdc.local_search import Around, Queue
from privacy.sdc.partition import Partition

_WORTH_LOADING: Final = 500
"""Fewest combinations of values for which loading compiled code pays off; it takes about a second."""
_WORTH_COMPILING: Final = 16_000
"""Fewest combinations of values for which compiling pays off; it takes about twelve seconds."""
_MANY_RECORDS: Final = 200_000
"""Fewest records for which compiling pays off even with few combinations, because numpy is slow there too."""


def pays_to_compile(combinations: int, records: int, l_value: int = 1) -> bool:
    """Return whether compiled code is faster than numpy, including the time to compile it.

    Parameters
    ----------
    combinations : int
        Number of combinations of values.
    records : int
        Number of records in all blocks together.
    l_value : int
        A value above 1 needs more code.
    """
    if combinations < _WORTH_LOADING or find_spec("numba") is None:
        return False
    return combinations >= _WORTH_COMPILING or records >= _MANY_RECORDS or _is_compiled(l_value > 1)


def kernels_for(compiled: bool) -> Any:
    """Return the search functions, interpreted or compiled; both have the same names and results.

    Parameters
    ----------
    compiled : bool
        Whether to return the compiled functions.
    """
    if compiled:
        # Imported here because numba is optional and slow to load.
        from privacy.sdc import classes_numba

        return classes_numba
    return _INTERPRETED


def _is_compiled(diverse: bool) -> bool:
    """Return whether the search functions are compiled already, in this process or on disk."""
    searches = [search for name, search in vars(_INTERPRETED).items() if diverse or name != "diversify"]
    module = sys.modules.get("privacy.sdc.classes_numba")
    if module is not None and all(getattr(module, search.__name__).signatures for search in searches):
        return True
    return all(is_kept(search) for search in searches)


def _through_views(search: Any) -> Any:
    """Pass arrays to a search as memory views, because Python reads their elements faster."""

    def viewed(argument: Any) -> Any:
        # Boxes remain arrays, because numpy searches them in `cheapest`.
        if isinstance(argument, Partition | Around | Queue):
            return type(argument)(*map(viewed, argument))
        return argument.data if isinstance(argument, np.ndarray) else argument

    return wraps(search)(lambda *arguments: search(*map(viewed, arguments)))


_INTERPRETED: Final = SimpleNamespace(
    grow=class_growth.grow,
    measure_all=_through_views(partition.measure_all),
    exchange=_through_views(local_search.exchange),
    dissolve=_through_views(local_search.dissolve),
    diversify=_through_views(class_repair.diversify),
)
