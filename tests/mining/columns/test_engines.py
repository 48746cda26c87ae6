"""Engines."""

import sys
from types import SimpleNamespace

import pytest

from mining import columns
from mining.columns.engines import find_engine
from privacy.errors import PrivacyError


def test_an_unknown_engine_is_refused_with_the_valid_choices() -> None:
    with pytest.raises(PrivacyError, match="choose one of auto, numba, numpy, mlxtend") as refusal:
        find_engine("abacus", 1)
    assert (refusal.value.code, refusal.value.value) == ("engine", "abacus")


def test_a_missing_numba_is_reported_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mining.columns.counting_numba", None)
    monkeypatch.delattr("mining.columns.counting_numba", raising=False)
    with pytest.raises(PrivacyError, match=r"install requirements-fast\.lock, or choose numpy") as refusal:
        find_engine("numba", 1)
    assert (refusal.value.code, refusal.value.value) == ("engine_missing", "numba")


@pytest.mark.parametrize(("installed", "n", "expected"), [(True, 49_999, "numpy"), (False, 50_000, "numpy")])
def test_numba_is_not_loaded_if_not_worthwhile_or_not_installed(
    installed: bool, n: int, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mining.columns.bitmatrix.find_spec", lambda name: object() if installed else None)
    assert find_engine("auto", n).name == expected


def test_only_numba_joins_on_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading numba takes a second, so a module of the same name replaces it."""
    compiled = SimpleNamespace(VERSION="1", count_rows=print)
    monkeypatch.setitem(sys.modules, "mining.columns.counting_numba", compiled)
    monkeypatch.setattr(columns, "counting_numba", compiled, raising=False)
    joins = {name: find_engine(name, 10).joins_on_arrays for name in ("numba", "numpy", "mlxtend")}
    assert joins == {"numba": True, "numpy": False, "mlxtend": False}
