"""Mixers and inboxes without one of their protections: what attacks must break."""

from __future__ import annotations

from typing import Any

import pytest

from surveys.intake import mix, receive


@pytest.fixture
def plain_inbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rows wait in the clear, as they did before there were boxes."""

    def as_it_is(row: bytes, **_: Any) -> bytes:
        return row

    monkeypatch.setattr(receive, "seal", as_it_is)
    monkeypatch.setattr(mix, "seal", as_it_is)
    monkeypatch.setattr(mix, "open_box", as_it_is)
