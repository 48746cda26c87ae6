"""The way back to a panel: one address, or one code, for everybody who has sent answers.

There is one, and none for those who are turned away: a panel knows who comes back where, and a second address
would tell it an answer.
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
"""Where the address takes the number by which the panel knows somebody. Devices alone put it in."""
MOST: Final = 500
_ADDRESS: Final = re.compile(r"https://[!-~]+")
_ODD: Final = re.compile(r"""[{}"'<>\\^`|]""")
_CODE: Final = re.compile(r"[A-Za-z0-9-]{3,40}")


def read_panel(stated: Node) -> str | None:
    """Return the address or the code that a definition states, or None after noting what is wrong with it."""
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

    The number stands behind the host: in it, it would name another one for each person.
    """
    if len(text) > MOST or not _ADDRESS.fullmatch(text) or text.count(ID) > 1:
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    is_host = bool(parts.hostname) and "@" not in parts.netloc and ID not in parts.netloc
    return is_host and not _ODD.search(text.replace(ID, ""))
