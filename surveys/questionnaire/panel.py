"""How respondents return to a panel that invited them: the addresses that a definition names."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from surveys.questionnaire.document import Node

PANEL: Final = "panel"
"""Member of definitions and wordings."""

ID: Final = "{id}"
"""Placeholder in the return address for a person's panel number, which only devices insert."""

MOST: Final = 500

_ADDRESS: Final = re.compile(r"https://[!-~]+")

_ODD: Final = re.compile(r"""[{}"'<>\\^`|]""")

_CODE: Final = re.compile(r"[A-Za-z0-9-]{3,40}")


def read_panel(node: Node) -> str | None:
    """Return the stated return address or code, or None after noting the problem."""
    panel = node.value
    if isinstance(panel, str) and (_CODE.fullmatch(panel) or _is_address(panel)):
        return panel
    node.wrong(
        _("neither a return address nor a code: %(value)s"),
        _("write an https address, with {id} at most once, or a code of letters, digits and hyphens"),
    )
    return None


def _is_address(text: str) -> bool:
    """Return whether a text is an HTTPS address with the same host for all people.

    The panel number must come after the host: a number in the host would contact a different host for each
    person.
    """
    if len(text) > MOST or not _ADDRESS.fullmatch(text) or text.count(ID) > 1:
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    is_host = bool(parts.hostname) and "@" not in parts.netloc and ID not in parts.netloc
    return is_host and not _ODD.search(text.replace(ID, ""))
