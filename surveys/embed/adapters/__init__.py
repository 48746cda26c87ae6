"""Scripts that put a frame into the pages of other tools: each is a single file to copy."""

from __future__ import annotations

from importlib import resources


def text_of(name: str) -> str:
    """Return an adapter's script by its file name."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
