"""What every refusal of the core owes: a code, the value, and a message that names value and remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from privacy.errors import PrivacyError


@contextmanager
def refused(code: str, *named: object) -> Iterator[None]:
    """Expect a refusal with this code whose message holds all of `named` and ends with its remedy."""
    with pytest.raises(PrivacyError) as caught:
        yield
    error = caught.value
    assert error.code == code
    for part in named:
        assert str(part) in error.message, f"{error.message!r} does not name {part!r}"
    assert error.remedy
    assert str(error) == f"{error.message}; {error.remedy}"
