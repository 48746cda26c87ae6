"""The address of a survey as letters print it, and all that a browser asks for there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlsplit

from django.conf import settings

from surveys.errors.error import SurveyError

__all__ = ["Watched"]

# As static/surveys/js/start.js reads it.
_PATH: Final = re.compile(r"/([a-z-]+)/s/([-\w]+)/(?:([-\w]+)/)?", re.ASCII)
_WORD: Final = re.compile(r"[-\w]+", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Watched:
    """A survey's page on a host.

    Parameters
    ----------
    origin : str
        Of the host, such as "https://page.example.org".
    survey : str
        Slug.
    language : str
        That the address is in.
    is_path : bool
        Whether the address is one of letters, and not one for hosts of files.
    digest : str or None
        Of the survey, where the address names it behind the "#".
    """

    origin: str
    survey: str
    language: str
    is_path: bool
    digest: str | None

    @classmethod
    def read(cls, text: str) -> Watched:
        """Read an address.

        What stands behind the "#" never reaches a server, so a server cannot answer by it: only the digest of
        the survey is taken from there, to be compared with.

        Raises
        ------
        SurveyError
            ``watch.address``; ``watch.code`` where it has an invitation's code, which is a secret.

        Examples
        --------
        >>> Watched.read("https://a.example/en/s/work/#d=x").digest, Watched.read("http://b/?s=work&l=ar").language
        ('x', 'ar')
        """
        parts = urlsplit(text)
        path = _PATH.fullmatch(parts.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        behind = parse_qs(parts.fragment)
        if parts.fragment and set(behind) != {"d"}:
            raise SurveyError("watch.code")
        survey = path[2] if path else query.get("s", "")
        language = (path[3] or path[1]) if path else query.get("l", "en")
        is_known = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
        if not is_known or not all(map(_WORD.fullmatch, (survey, language))):
            raise SurveyError("watch.address", text[:200], address=text[:200])
        return cls(
            origin=f"{parts.scheme}://{parts.netloc}",
            survey=survey,
            language=language,
            is_path=path is not None,
            digest=behind["d"][0] if behind else None,
        )

    def page(self, language: str) -> str:
        """Return the address of the page in a language."""
        own = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        if not self.is_path:
            return f"{self.origin}/?s={self.survey}&l={language}"
        return f"{self.origin}/{own}/s/{self.survey}/{'' if own == language else f'{language}/'}"

    def state(self, server: str, language: str) -> str:
        """Return where a server says how the survey stands."""
        return f"{server}/client/surveys/{self.survey}?language={language}"
