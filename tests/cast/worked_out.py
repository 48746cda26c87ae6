"""Pure work of the product, done once in a test run: what it returned is kept by what it was given.

Many tests mine the same rows. What follows from them is worked out by the first process that needs it, and
read by the others, whichever database they test.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from privacy.survey.design import Design

R = TypeVar("R")

_HERE: dict[str, Any] = {}


def once(pure: Callable[..., R], given: Callable[..., object]) -> Callable[..., R]:
    """Return the same function, that remembers what it returned.

    Parameters
    ----------
    pure : callable
        Returns the same whenever it is given the same.
    given : callable
        Takes the same arguments, and returns all that the result depends on: plain values, arrays, designs,
        and tuples and dataclasses of them.
    """

    def remembering(*arguments: Any, **named: Any) -> R:
        text = repr((pure.__module__, pure.__qualname__, _plain(given(*arguments, **named))))
        # An object that does not say what it holds is no key.
        assert " at 0x" not in text, text
        key = hashlib.sha256(text.encode()).hexdigest()
        if key not in _HERE:
            path = Path(os.environ["SOTTOVOCE_TEST_WORKED_OUT"]) / key
            try:
                _HERE[key] = pickle.loads(path.read_bytes())
            except FileNotFoundError:
                _HERE[key] = pure(*arguments, **named)
                _write(path, pickle.dumps(_HERE[key]))
        found: R = _HERE[key]
        return found

    return remembering


def _plain(value: object) -> object:
    """Return what a value holds, all of it: numpy writes "..." where there is much."""
    if isinstance(value, Design):
        return value.design_id
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return [(key, _plain(one)) for key, one in value.items()]
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if is_dataclass(value):
        return type(value).__qualname__, [_plain(getattr(value, field.name)) for field in fields(value)]
    return value


def _write(path: Path, data: bytes) -> None:
    """Write a file that other processes find whole or not at all."""
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(data)
    unfinished.replace(path)
