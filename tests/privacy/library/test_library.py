"""`import privacy`: every name of its list is there, typed, and found without importing all the rest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import privacy


@pytest.mark.parametrize("name", privacy.__all__)
def test_every_exported_name_is_there(name: str) -> None:
    assert getattr(privacy, name) is not None
    assert name in dir(privacy)


def test_what_is_not_exported_is_not_there() -> None:
    with pytest.raises(AttributeError, match="'privacy' has no attribute 'nothing'"):
        _ = privacy.nothing


@pytest.mark.parametrize("package", ["privacy", "mining"])
def test_types_are_published(package: str) -> None:
    assert (Path(privacy.__file__).parents[1] / package / "py.typed").is_file()


def test_what_receives_answers_loads_no_statistics() -> None:
    program = "import privacy, privacy.survey, sys; assert not {'scipy', 'pandas'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
