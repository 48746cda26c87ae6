"""What the enabled applications add to tests of the whole product.

The tests of an application are in ``tests/NAME``. Its ``tests/NAME/plugin.py`` adds its part to tests that
cover the whole product, which name no application and so run without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from django.contrib.auth.models import User

from surveys.extension import extensions

if TYPE_CHECKING:
    from tests.attack.learnt import Learnt
    from tests.faults.nth_call import Operation


class Plugin(Protocol):
    """A module ``plugin`` in an application's tests."""

    ADDRESSES: Mapping[str, tuple[str, str]]
    """Lines for `tests.site.test_roles.ADDRESSES`."""

    def arguments(self, owner: User) -> dict[str, Any]:
        """Create what the application's addresses name, and return their arguments."""
        ...

    def api_queries(self, owner: User) -> list[tuple[str, str, dict[str, str]]]:
        """Return files for programs: path in the API's document, address below ``staff/``, and query."""
        ...

    def pages(self, owner: User) -> list[str]:
        """Create what staff pages show, and return their addresses below ``staff/``."""
        ...

    def pictures(self, owner: User) -> list[str]:
        """Return addresses of pages with pictures to download."""
        ...

    def fill(self, owner: User) -> None:
        """Create rows in every state, for the museum of databases."""
        ...

    def operations(self) -> dict[str, Callable[[Path], Operation]]:
        """Return operations whose calls fail in turn, each made in a folder."""
        ...

    def attacks(self) -> dict[str, Callable[[Path, Any, int], Iterator[Learnt]]]:
        """Return attacks of a folder, an `Effort` and a seed, for `tests.attack.made_up.ATTACKS`."""
        ...


def plugins() -> list[Plugin]:
    """Return the plugins of the enabled applications."""
    names = [f"tests.{config.name}" for config in extensions()]
    return [
        cast("Plugin", import_module(f"{name}.plugin"))
        for name in names
        if find_spec(name) and find_spec(f"{name}.plugin")
    ]
