from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

from mining import warm_up


@pytest.mark.soak
@pytest.mark.slow
def test_afterwards_the_compiled_code_is_there_and_before_it_is_not() -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from mining.warm_up import warm_up; before = 'numba' in sys.modules; warm_up();"
            "print(before, 'mining.columns.transposition_numba' in sys.modules)",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert told == ["False", str(find_spec("numba") is not None)]


def test_without_numba_there_is_nothing_to_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "find_spec", lambda name: None)
    monkeypatch.setattr(warm_up, "engine_named", lambda *arguments: pytest.fail("an engine was loaded"))
    warm_up.warm_up()
