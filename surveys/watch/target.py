"""The page of a survey that a watcher checks, from its address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, parse_qs, urlsplit

from django.conf import settings

from surveys.errors.error import SurveyError
from surveys.respondent.survey_digests import is_code

# Must match the parsing in static/surveys/js/start.js.
_PATH: Final = re.compile(r"/([a-z-]+)/s/([-\w]+)/(?:([-\w]+)/)?", re.ASCII)
_HOST: Final = re.compile(r"[^\s\x00-\x20\\<>\"^`{|}%]{1,253}")
_WORD: Final = re.compile(r"[-\w]+", re.ASCII)


def _names_host(parts: SplitResult) -> bool:
    """Return whether the address names a host and a possible port, without a user name or password."""
    host = parts.hostname or ""
    try:
        if parts.netloc.startswith("["):
            ip_address(host)
        return parts.port != 0 and _HOST.fullmatch(host) is not None and "@" not in parts.netloc
    except ValueError:
        return False


@dataclass(frozen=True, kw_only=True)
class WatchTarget:
    """A survey's page on a host.

    Parameters
    ----------
    origin : str
        Origin of the host, such as "https://page.example.org".
    survey : str
        Slug.
    language : str
        Language of the address.
    is_path : bool
        Whether the address has the form in letters rather than the form for hosts of static files.
    digest : str or None
        Digest of the survey, if the address contains it after the "#".
    """

    origin: str
    survey: str
    language: str
    is_path: bool
    digest: str | None

    @classmethod
    def read(cls, text: str) -> WatchTarget:
        """Parse an address.

        Browsers do not send the part after the "#" to a server, so the server cannot adapt its response to
        it. Only the survey's digest is read from that part, for comparison.

        Raises
        ------
        SurveyError
            ``watch.address``; ``watch.code`` if it contains an invitation's code, which is a secret;
            ``watch.digest`` if its code of a survey cannot be one.

        Examples
        --------
        >>> WatchTarget.read("https://a.example/en/s/work/#d=10000-00000-00000-00000").digest
        '10000-00000-00000-00000'
        >>> WatchTarget.read("http://b/?s=work&l=ar").language
        'ar'
        """
        try:
            parts = urlsplit(text)
        except ValueError:
            # The part after "#" may be an invitation's code.
            address = text.partition("#")[0][:200]
            raise SurveyError("watch.address", address, address=address) from None
        path = _PATH.fullmatch(parts.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        behind = parse_qs(parts.fragment)
        if parts.fragment and set(behind) != {"d"}:
            raise SurveyError("watch.code")
        digest = behind["d"][0] if behind else None
        if digest is not None and not is_code(digest):
            raise SurveyError("watch.digest")
        survey = path[2] if path else query.get("s", "")
        language = (path[3] or path[1]) if path else query.get("l", "en")
        is_web = parts.scheme in ("http", "https") and _names_host(parts)
        if not is_web or not all(map(_WORD.fullmatch, (survey, language))):
            raise SurveyError("watch.address", text[:200], address=text[:200])
        return cls(
            origin=f"{parts.scheme}://{parts.netloc}",
            survey=survey,
            language=language,
            is_path=path is not None,
            digest=digest,
        )

    def page(self, language: str) -> str:
        """Return the address of the page in a language."""
        site_language = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        if not self.is_path:
            return f"{self.origin}/?s={self.survey}&l={language}"
        in_survey = "" if site_language == language else f"{language}/"
        return f"{self.origin}/{site_language}/s/{self.survey}/{in_survey}"

    def state(self, server: str, language: str) -> str:
        """Return the address at which a server reports the state of the survey."""
        return f"{server}/client/surveys/{self.survey}?language={language}"
