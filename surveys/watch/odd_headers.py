"""Headers and content policies that the published page does not send."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import Message
from typing import Final

_HARMLESS: Final = frozenset(
    (
        *(
            "date",
            "server",
            "connection",
            "keep-alive",
            "transfer-encoding",
            "content-length",
            "content-type",
        ),
        *("content-encoding", "content-language", "cache-control", "expires", "pragma", "etag", "age", "via"),
        *(
            "last-modified",
            "vary",
            "accept-ranges",
            "x-cache",
            "alt-svc",
            "strict-transport-security",
            "referrer-policy",
        ),
        *("content-security-policy", "x-frame-options", "x-content-type-options", "permissions-policy"),
        *("cross-origin-opener-policy", "cross-origin-resource-policy", "cross-origin-embedder-policy"),
        *("origin-agent-cluster", "access-control-allow-origin", "access-control-expose-headers"),
    )
)


_NONE: Final = frozenset({"'none'"})


_SELF: Final = frozenset({"'self'", "'none'"})


# The most that each directive may allow; anything else is reported.
_MOST: Final = {
    "default-src": _NONE,
    "script-src": _SELF,
    "style-src": _SELF,
    "img-src": _SELF | {"data:"},
    "connect-src": _SELF,
    "base-uri": _NONE,
    "form-action": _NONE,
    "frame-ancestors": _NONE,
    "require-trusted-types-for": frozenset({"'script'"}),
    "trusted-types": frozenset({"sottovoce"}),
}


def odd_headers(headers: Message) -> list[str]:
    """Return the distinct names of headers that a file of the client does not need.

    Examples
    --------
    >>> from email import message_from_string
    >>> odd_headers(message_from_string("Date: now\\nRefresh: 1; url=https://elsewhere.example/"))
    ['Refresh']
    """
    return [name for name in dict.fromkeys(headers) if name.lower() not in _HARMLESS]


def odd_policy(headers: Message, *, server: str) -> Iterator[str]:
    """Yield directives of a page's policies that allow more than the page needs.

    Parameters
    ----------
    headers : Message
    server : str
        The origin that the page may connect to in addition to its own; empty for none.
    """
    policies = headers.get_all("Content-Security-Policy") or []
    is_framed = True
    for policy in policies:
        for directive in policy.split(";"):
            name, *values = directive.split() or ["default-src"]
            most = _MOST.get(name, frozenset()) | ({server} if name == "connect-src" and server else set())
            if name not in _MOST or not set(values) <= most:
                yield f"its policy contains {' '.join(directive.split())[:100]}"
            is_framed &= (name, values) != ("frame-ancestors", ["'none'"])
    if is_framed:
        yield "its policy allows other pages to frame it (frame-ancestors 'none' is missing)"
