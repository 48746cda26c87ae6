"""The return to a panel: one address, or one code, for all respondents who have sent answers.

There is only one, and none for people who are screened out: a panel knows who returns to which address, so a
second address would reveal an answer.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from surveys.questionnaire.node import Node

__all__ = ["PANEL", "read_panel"]

PANEL: Final = "panel"
"""Name in definitions and wordings."""
ID: Final = "{id}"
"""Placeholder in the address for the panel's number of a person, which only devices insert."""
MOST: Final = 500
_ADDRESS: Final = re.compile(r"https://[!-~]+")
_ODD: Final = re.compile(r"""[{}"'<>\\^`|]""")
_CODE: Final = re.compile(r"[A-Za-z0-9-]{3,40}")


def read_panel(stated: Node) -> str | None:
    """Return the address or the code that a definition states, or None after noting the problem."""
    panel = stated.value
    if isinstance(panel, str) and (_CODE.fullmatch(panel) or _is_address(panel)):
        return panel
    stated.wrong(
        _("%(value)s is neither an address to go back to nor a code"),
        _("write an https address, with {id} at most once, or a code of letters, digits and hyphens"),
    )
    return None


def _is_address(text: str) -> bool:
    """Return whether a text is an address over HTTPS whose host is the same for all people.

    The number must come after the host, since a number in the host would name another host for each person.
    """
    if len(text) > MOST or not _ADDRESS.fullmatch(text) or text.count(ID) > 1:
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    is_host = bool(parts.hostname) and "@" not in parts.netloc and ID not in parts.netloc
    return is_host and not _ODD.search(text.replace(ID, ""))
