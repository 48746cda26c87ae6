"""Which sites may show a frame, and the headers that say so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from surveys.environment import is_origin
from surveys.errors.error import SurveyError

# Suffixes under which anyone can register names, so that hosts below them may have different owners.
_SUFFIX: Final = re.compile(
    r"(com|net|org|edu|gov|mil|ac|co|go|ne|or|gob|gouv|nom|sch|github|gitlab)\.[a-z]{2,}"
)


@dataclass(frozen=True, kw_only=True)
class Around:
    """Which pages may show a frame, and how.

    Parameters
    ----------
    hosts : tuple of str
        Exact origins of the pages, such as "https://survey.uni.example".
    site : str
        The domain that pages and frame share and that has a single owner, such as "uni.example"; or empty.
    shared_device : bool
        Whether several people answer on the same device. Then nothing is remembered.

    Raises
    ------
    SurveyError
        ``frame.hosts``, ``frame.host``, ``frame.site``.
    """

    hosts: tuple[str, ...]
    site: str = ""
    shared_device: bool = False

    def __post_init__(self) -> None:
        if not self.hosts:
            raise SurveyError("frame.hosts")
        for host in self.hosts:
            if not is_origin(host):
                raise SurveyError("frame.host", host, host=host[:80])
        if self.site and (
            re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", self.site) is None or _SUFFIX.fullmatch(self.site)
        ):
            raise SurveyError("frame.site", self.site, site=self.site[:80])


def frame_headers(around: Around) -> dict[str, str]:
    """Return the headers of a frame's files; a meta element can replace all but the first two."""
    return {
        "Content-Security-Policy": f"{CONTENT_POLICY}; frame-ancestors {' '.join(around.hosts)}",
        "Origin-Agent-Cluster": "?1",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


CONTENT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'"
)
