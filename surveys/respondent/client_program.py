"""The respondents' client: files that are the same for all surveys and languages, on any host.

``index.html`` names a script, a style and no survey; its program is below ``program/DIGEST/``: the modules
of the source, joined, and Sottovoce's own sentences in each of its languages. ``manifest.json`` has the
digest of each file. Nothing of it hangs on a server, so another owner can serve the same bytes (`sottovoce
client`).

The digest is computed over the program's files, one after another in the order of their names, and last
``index.html``, in which the word DIGEST stands in its place: so it is of everything. The same release gives
the same bytes everywhere. The address of each file holds the digest: no browser mixes two programs.

A server that lies can show this digest and serve another script: that is said wherever the digest is shown.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import json_script
from django.utils.translation import gettext as _
from django.utils.translation import override

from surveys.jobs.provenance import installed_version
from surveys.respondent.first_texts import first_texts
from surveys.respondent.joining import join_modules
from surveys.respondent.texts import instead_texts, later_texts, rare_texts

__all__ = [
    "INDEX",
    "MANIFEST",
    "MODULES",
    "WORKER",
    "Client",
    "ClientFile",
    "client",
    "client_page",
    "small_style",
]

MODULES: Final = Path(__file__).resolve().parents[1] / "static" / "surveys" / "js"
_LOOKS: Final = MODULES.parent
# What the page names; what it imports from ``start.js`` begins while it is on its way.
ENTRANCE: Final = "client"
INDEX: Final = "index.html"
MANIFEST: Final = "manifest.json"
# The one script that runs as a worker, too.
WORKER: Final = "key-file.js"
# Stands in the place of the digest while that is computed.
_UNKNOWN: Final = "DIGEST"
# A meta element, since another host may send no header; there connections narrow to the server that it names.
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
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_BLANKS: Final = re.compile(r"\s*([{};,>])\s*|\s+")
_INDENT: Final = re.compile(r"\n\s*")


@dataclass(frozen=True, kw_only=True)
class ClientFile:
    """One file of the client.

    Parameters
    ----------
    path : str
        Below the root of its host, such as "program/DIGEST/client.js".
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
    def packed(self) -> bytes:
        """The content as gzip sends it: no answer stands in it, so its length need not be hidden."""
        return gzip.compress(self.content, mtime=0)

    @property
    def content_type(self) -> str:
        """What it is served as."""
        return _TYPES[self.name.rpartition(".")[2]]


@dataclass(frozen=True, kw_only=True)
class Client:
    """The whole client.

    Parameters
    ----------
    digest : str
        SHA-256 of the program's files, one after another, and of the index.
    program : tuple of ClientFile
        In the order of their names.
    index, manifest : ClientFile
    """

    digest: str
    program: tuple[ClientFile, ...]
    index: ClientFile
    manifest: ClientFile

    @property
    def files(self) -> tuple[ClientFile, ...]:
        """All files, as a host has them."""
        return (self.index, self.manifest, *self.program)

    def file(self, name: str) -> ClientFile | None:
        """Return a file of the program by its name, or None."""
        return next((file for file in self.program if file.name == name), None)


def client() -> Client:
    """Return the client that this installation serves."""
    # It changes with an upgrade only, and that starts the server anew; while it is written, at any time.
    return _client.__wrapped__() if settings.DEBUG else _client()


@lru_cache(maxsize=1)
def _client() -> Client:
    contents = dict(sorted(_program().items()))
    index = client_page(_UNKNOWN).encode()
    digest = hashlib.sha256(b"".join([*contents.values(), index])).hexdigest()
    program = tuple(
        ClientFile(path=f"program/{digest}/{name}", content=content) for name, content in contents.items()
    )
    page = ClientFile(path=INDEX, content=index.replace(_UNKNOWN.encode(), digest.encode()))
    manifest = {
        "name": "sottovoce-client",
        "version": installed_version(),
        "digest": digest,
        "files": {file.path: file.digest for file in (page, *program)},
    }
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    return Client(
        digest=digest,
        program=program,
        index=page,
        manifest=ClientFile(path=MANIFEST, content=text.encode()),
    )


def client_page(digest: str, documents: Mapping[str, Any] | None = None) -> str:
    """Return the page of the client: the same for all surveys, or with the documents of a draft in it.

    Parameters
    ----------
    digest : str
        Of the program.
    documents : mapping, optional
        What the server says of a survey otherwise, for a page that may ask it nothing.
    """
    page = render_to_string(
        "respond/index.html",
        {
            # A draft stands in a frame without an origin: a policy in it would keep out its scripts.
            "policy": "" if documents else POLICY,
            "program": f"/program/{digest}",
            "icon": f"data:image/svg+xml,{quote((_LOOKS / 'icon.svg').read_text(encoding='utf-8'))}",
            "notes": list(_notes()),
            "documents": "" if documents is None else json_script(documents, "documents"),
        },
    )
    return _INDENT.sub("\n", page).strip() + "\n"


def _notes() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield what stands in the page until its program runs, in each of Sottovoce's languages."""
    for language, _name in settings.LANGUAGES:
        with override(language):
            yield (
                language,
                {
                    "title": _("This page needs JavaScript"),
                    "text": _(
                        "Its small program loads the survey, and disguises your answers on this device. If "
                        "this text stays, the browser has not run it, and the page cannot say who asks. "
                        "Allow JavaScript for this address, or open the page in another browser. Nothing "
                        "was sent."
                    ),
                },
            )


def _program() -> dict[str, bytes]:
    """Return the files of the program by their names."""
    joined = join_modules(lambda name: (MODULES / f"{name}.js").read_text(encoding="utf-8"), ENTRANCE)
    return {
        **{f"{name}.js": text.encode() for name, text in joined.items()},
        **dict(_sentences()),
        "sottovoce.css": small_style((_LOOKS / "css" / "sottovoce.css").read_text(encoding="utf-8")).encode(),
    }


def _sentences() -> Iterator[tuple[str, bytes]]:
    """Yield Sottovoce's own sentences as modules, those of the first screen and all others, by language."""
    for language, _name in settings.LANGUAGES:
        with override(language):
            first, instead = first_texts(), instead_texts()
            strengths = instead["two_strengths"]
            early = {"two_strengths": {key: strengths[key] for key in ("disguised", "disguised_lightly")}}
            later = {key: text for key, text in later_texts().items() if key not in first}
            yield f"first-{language}.js", _module(first, early)
            yield f"later-{language}.js", _module(later, {})
            yield f"rare-{language}.js", _module(rare_texts(), instead)


def _module(texts: Mapping[str, str], instead: Mapping[str, Mapping[str, str]]) -> bytes:
    written = (
        json.dumps(said, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        for said in (texts, instead)
    )
    return "".join(
        f"export const {name} = {said};\n" for name, said in zip(("texts", "instead"), written, strict=True)
    ).encode()


def small_style(text: str) -> str:
    """Return a style without comments and blanks that say nothing.

    Examples
    --------
    >>> small_style("/* Links. */ a > b { color: red; }")
    'a>b{color:red;}'
    """
    return _BLANKS.sub(lambda blank: blank[1] or " ", _COMMENT.sub("", text)).strip().replace(": ", ":")
