"""Give pages with unsaved entries an address, so that a reload, *Back* and *Forward* show them again.

The entries are in the user's session, which ends when they log out. Browsers keep unsent
changes on such a page with their history (`kept-form.js`), or restore them by themselves.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest
from django.utils.http import urlencode

AT_ADDRESS: Final = "at_address"
"""Field of a form whose result page should have its own address."""
PART: Final = "part"
"""Field of a request by a script for a part of a page, which needs no address."""
_KEPT: Final = "kept_pages"
"""Member of the session."""
_NAME: Final = "entries"
"""Parameter of the address."""
_MOST_CHARACTERS: Final = 100_000
"""Most characters of all kept entries together, because each request reads the session."""


def kept_address(request: HttpRequest, address: str, entries: Mapping[str, Any]) -> str:
    """Keep the entries of a page after a press, and return its address with their name.

    Parameters
    ----------
    request : HttpRequest
        A sent form.
    address : str
        Address of the page without entries.
    entries : mapping
        Plain data.

    Returns
    -------
    str
        Empty if the form does not ask for an address, or if the entries are too long. Long ones replace
        earlier ones.
    """
    size = _characters(entries)
    if AT_ADDRESS not in request.POST or PART in request.POST or size > _MOST_CHARACTERS:
        return ""
    kept: dict[str, Any] = dict(request.session.get(_KEPT, {}))
    while kept and size + _characters(kept) > _MOST_CHARACTERS:
        del kept[min(kept, key=lambda name: kept[name]["place"])]
    name = secrets.token_hex(8)
    place = 1 + max((each["place"] for each in kept.values()), default=0)
    request.session[_KEPT] = kept | {name: {"place": place, "page": address, "entries": dict(entries)}}
    return f"{address}?{urlencode({_NAME: name})}"


def _characters(entries: Mapping[str, Any]) -> int:
    """Return the length of entries in JSON; a letter of any script counts as one."""
    return len(json.dumps(dict(entries), ensure_ascii=False))


def kept_entries(request: HttpRequest, address: str) -> dict[str, Any] | None:
    """Return the entries that the address of a request names; None if it names none that were kept.

    Parameters
    ----------
    request : HttpRequest
    address : str
        Address of the page without entries.
    """
    found = request.session.get(_KEPT, {}).get(request.GET.get(_NAME, ""))
    return found["entries"] if found and found["page"] == address else None
