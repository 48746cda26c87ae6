"""The respondents' client: files that are the same for all surveys and languages, on any host.

``index.html`` names a script and a style, but no survey. Its program is below ``program/DIGEST/``: the joined
modules of the source, and Sottovoce's own texts in each language. ``manifest.json`` lists the digest of each
file. The files do not depend on a server, so another organisation can host the same bytes (`sottovoce
client`).

The digest covers the program's files, in the order of their names, and then ``index.html``, in which the word
DIGEST replaces the digest. The same release produces the same bytes everywhere. The address of each file
contains the digest, so no browser mixes two programs.

A dishonest server can show this digest and serve another script. Every page that shows the digest says so.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import json_script
from django.utils.translation import override

from surveys.jobs.installed_version import installed_version
from surveys.questionnaire.languages import Language, language_of, respondent_languages
from surveys.respondent.first_texts import translate_texts
from surveys.respondent.joined_modules import join_modules
from surveys.respondent.small_style import small_style
from surveys.respondent.text_modules import text_modules, voices
from surveys.respondent.texts import NOTE

MODULES: Final = Path(__file__).resolve().parents[1] / "static" / "surveys" / "js"
_LOOKS: Final = MODULES.parent
# The module that the page names. Its imports from ``start.js`` begin to load at the same time.
ENTRANCE: Final = "client"
CLIENT_PAGE: Final = "index.html"
MANIFEST: Final = "manifest.json"
# The styles until question 1, and those of later screens, which the program requests.
STYLES: Final = ("sottovoce.css", "later.css")
# The only script that also runs as a worker.
WORKER: Final = "key-file.js"
# The line of ``start.js`` with the languages of texts for respondents.
_OWN: Final = "const OWN = [...PAGES];"
# Placeholder of the digest while it is computed.
_UNKNOWN: Final = "DIGEST"
# In a meta element, because another host may not send headers. Such a host limits connections to the server
# that it names.
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src data:",
        "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types sottovoce",
    )
)
_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json; charset=utf-8",
}
_INDENT: Final = re.compile(r"\n\s*")


@dataclass(frozen=True, kw_only=True)
class ClientFile:
    """One file of the client.

    Parameters
    ----------
    path : str
        Path below the root of its host, such as "program/DIGEST/client.js".
    content : bytes
    """

    path: str
    content: bytes

    @property
    def name(self) -> str:
        """Its name without folders."""
        return self.path.rpartition("/")[2]

    @property
    def url(self) -> str:
        """Its address on its host."""
        return f"/{self.path}"

    @property
    def digest(self) -> str:
        """SHA-256, 64 hex digits."""
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def gzip_content(self) -> bytes:
        """The content, compressed with gzip. It contains no answers, so its length reveals nothing."""
        # With less memory, zlib makes more blocks: long scripts become shorter, short texts longer.
        return min((_gzip(self.content, memory=memory) for memory in (6, 8)), key=len)

    @property
    def content_type(self) -> str:
        """Its content type."""
        return _TYPES[self.name.rpartition(".")[2]]


def _gzip(content: bytes, *, memory: int) -> bytes:
    """Compress with gzip, without a time stamp; `memory` is zlib's memLevel, 1 to 9."""
    packing = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS, memory)
    return packing.compress(content) + packing.flush()


@dataclass(frozen=True, kw_only=True)
class Client:
    """The whole client.

    Parameters
    ----------
    digest : str
        SHA-256 of the concatenated files of the program and the index.
    program : tuple of ClientFile
        Ordered by name.
    index, manifest : ClientFile
    """

    digest: str
    program: tuple[ClientFile, ...]
    index: ClientFile
    manifest: ClientFile

    @property
    def files(self) -> tuple[ClientFile, ...]:
        """All files that a host serves."""
        return (self.index, self.manifest, *self.program)

    def file(self, name: str) -> ClientFile | None:
        """Return a file of the program by its name, or None."""
        return next((file for file in self.program if file.name == name), None)


def client() -> Client:
    """Return the client that this installation serves."""
    # Cached, because it changes only with an upgrade, which restarts the server; not during development.
    return _client.__wrapped__() if settings.DEBUG else _client()


@lru_cache(maxsize=1)
def _client() -> Client:
    contents = dict(sorted(_program().items()))
    index = client_page(_UNKNOWN).encode()
    digest = hashlib.sha256(b"".join([*contents.values(), index])).hexdigest()
    program = tuple(
        ClientFile(path=f"program/{digest}/{name}", content=content) for name, content in contents.items()
    )
    page = ClientFile(path=CLIENT_PAGE, content=index.replace(_UNKNOWN.encode(), digest.encode()))
    manifest = {
        "name": "sottovoce-client",
        "version": installed_version(),
        "digest": digest,
        "files": {file.path: file.digest for file in (page, *program)},
    }
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    return Client(
        digest=digest, program=program, index=page, manifest=ClientFile(path=MANIFEST, content=text.encode())
    )


def client_page(digest: str, documents: Mapping[str, Any] | None = None) -> str:
    """Return the client's page: the same for all surveys, or with embedded documents of a draft.

    Parameters
    ----------
    digest : str
        Digest of the program.
    documents : mapping, optional
        The server's responses about a survey, for a page that may not send requests.
    """
    icon = quote((_LOOKS / "icon.svg").read_text(encoding="utf-8").strip(), safe=" /:=")
    page = render_to_string(
        "respond/index.html",
        {
            # A draft is shown in a frame without an origin, in which a policy would block its scripts.
            "policy": "" if documents else POLICY,
            "program": f"/program/{digest}",
            "icon": f"data:image/svg+xml,{icon}",
            "notes": list(_notes()),
            "documents": "" if documents is None else json_script(documents, "documents"),
        },
    )
    return _INDENT.sub("\n", page).strip() + "\n"


def _notes() -> Iterator[tuple[Language, dict[str, str]]]:
    """Yield the text until the program runs: in the languages of pages in full, in others its title."""
    for tag in respondent_languages():
        with override(tag):
            note = translate_texts(NOTE)
        yield language_of(tag), note if tag in dict(settings.LANGUAGES) else {"title": note["title"]}


def _program() -> dict[str, bytes]:
    """Return the files of the program by their names."""
    files = join_modules(_source, ENTRANCE)
    return {
        **{f"{name}.js": text.encode() for name, text in files.items()},
        **dict(text_modules()),
        **{
            name: small_style((_LOOKS / "css" / name).read_text(encoding="utf-8")).encode() for name in STYLES
        },
    }


def _source(name: str) -> str:
    """Return a module's source. The program also names languages that only respondents read, and forms."""
    text = (MODULES / f"{name}.js").read_text(encoding="utf-8")
    further = (
        json.dumps(name) for name, _language, _form in voices() if name not in dict(settings.LANGUAGES)
    )
    return text.replace(_OWN, f"const OWN = [{', '.join(('...PAGES', *further))}];")
