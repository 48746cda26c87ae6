"""Compiled search functions are used when they save time, and make the same classes."""

import itertools
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest

from privacy.sdc.k_member import k_member
from privacy.sdc.local_search import Queue
from privacy.sdc.search_kernels import _INTERPRETED, _through_views, kernels_for, pays_to_compile
from tests.fixtures.tables import random_space

EVERY = ["grow", "measure_all", "exchange", "dissolve", "diversify"]


@pytest.mark.parametrize(
    ("combinations", "records", "kept", "l_value", "compiles"),
    [
        (499, 10**6, EVERY, 2, False),
        (500, 600, EVERY, 2, True),
        (500, 600, EVERY[:-1], 2, False),
        (500, 600, EVERY[:-1], 1, True),
        (15_999, 199_999, [], 1, False),
        (16_000, 16_000, [], 2, True),
        (500, 200_000, [], 1, True),
    ],
)
def test_compilation_is_used_only_when_it_saves_time(
    monkeypatch: pytest.MonkeyPatch,
    combinations: int,
    records: int,
    kept: list[str],
    l_value: int,
    compiles: bool,
) -> None:
    imported = sys.modules["privacy.sdc.search_kernels"]
    loaded = SimpleNamespace(**{name: SimpleNamespace(signatures=[]) for name in EVERY})
    monkeypatch.setattr(imported, "find_spec", lambda name: name)
    monkeypatch.setattr(imported, "is_kept", lambda function: function.__name__ in kept)
    monkeypatch.setitem(sys.modules, "privacy.sdc.classes_numba", loaded)
    assert pays_to_compile(combinations, records, l_value) is compiles
    # Functions that this process compiled are loaded, cached or not.
    for name in EVERY:
        getattr(loaded, name).signatures.append("once")
    assert pays_to_compile(combinations, records, l_value) is (combinations >= 500)
    monkeypatch.setattr(imported, "find_spec", lambda name: None)
    assert not pays_to_compile(combinations, records, l_value)


@pytest.mark.soak
@pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
def test_compiled_code_makes_the_same_classes():
    for (k, l_value), seed in itertools.product([(1, 1), (2, 2), (5, 3), (7, 1), (25, 4)], range(4)):
        space, table = random_space(seed, 400)
        one, two = (
            k_member(space, k, sensitive=table.column("disease"), l_value=l_value, compiled=compiled)
            for compiled in (True, False)
        )
        assert one.number.tolist() == two.number.tolist()


@pytest.mark.soak
@pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
def test_each_search_is_compiled_for_only_one_signature():
    from privacy.sdc import classes_numba

    space, table = random_space(5, 300)
    for l_value in (1, 3):
        k_member(space, 4, sensitive=table.column("disease"), l_value=l_value, compiled=True)
    searches = [getattr(classes_numba, name) for name in vars(_INTERPRETED)]
    assert [len(search.signatures) for search in searches] == [1] * 5


def test_searches_are_interpreted_on_views_or_compiled() -> None:
    assert kernels_for(compiled=False) is _INTERPRETED
    if find_spec("numba"):
        assert kernels_for(compiled=True) is sys.modules["privacy.sdc.classes_numba"]
    seen = _through_views(lambda *arguments: arguments)(np.arange(3), 5, [1])
    assert isinstance(seen[0], memoryview)
    assert seen[1:] == (5, [1])
    queue = Queue(*(np.arange(number) for number in range(len(Queue._fields))))
    (viewed,) = _through_views(lambda *arguments: arguments)(queue)
    assert isinstance(viewed, Queue)
    assert all(isinstance(part, memoryview) for part in viewed)
