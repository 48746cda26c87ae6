"""Origins, as browsers write them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit


def is_origin(text: str) -> bool:
    """Return whether a text is an origin as browsers write it: no path, capitals or usual port.

    Examples
    --------
    >>> is_origin("https://page.example.org:8443"), is_origin("https://page.example.org/")
    (True, False)
    """
    return (
        re.fullmatch(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?", text) is not None
        and not text.endswith((".", ":443" if text.startswith("https") else ":80"))
        and bool(urlsplit(text).hostname)
    )
