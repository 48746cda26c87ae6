"""The program in a respondent's browser: its files, joined from the modules of the source, and its digest.

Whoever wants to know which code disguises the answers reads the modules; whoever read them once compares the
digest. It is computed over the bytes as they are served, and anybody can do the same with
``curl ... | sha256sum``, the files one after another in the order of the list. The same source gives the same
bytes everywhere. The address of each file holds the digest of all: no browser mixes two programs.

A server that lies can show this digest and serve another script: that is said wherever the digest is shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.urls import reverse

from surveys.respondent.joining import COMMON, join_modules

MODULES: Final = Path(__file__).resolve().parents[1] / "static" / "surveys" / "js"
# What pages name: that of a survey, and that of one that is closed.
ENTRANCES: Final = ("respond", "closed")
# What the page of a survey waits for before its first screen, what one by invitation or one that rotates does
# besides, and what that of a closed one does; the entrance last.
OPEN: Final = (f"{COMMON}.js", "key-file.js", "respond.js")
BY_INVITATION: Final = ("invitation.js",)
ROTATING: Final = ("drawing.js",)
ARMED: Final = ("arms.js",)
PANEL_ASKS: Final = ("panel.js",)
CLOSED: Final = (f"{COMMON}.js", "key-file.js", "closed.js")


@dataclass(frozen=True, kw_only=True)
class ClientFile:
    """One script as it is served.

    Parameters
    ----------
    name, url : str
    digest : str
        SHA-256, 64 hex digits.
    content : bytes
    """

    name: str
    url: str
    digest: str
    content: bytes


@dataclass(frozen=True, kw_only=True)
class Client:
    """All scripts of the respondent's page.

    Parameters
    ----------
    files : tuple of ClientFile
        In alphabetical order.
    digest : str
        SHA-256 of the files' bytes, one file after another.
    """

    files: tuple[ClientFile, ...]
    digest: str

    def file(self, name: str) -> ClientFile | None:
        """Return a file by its name, or None."""
        return next((file for file in self.files if file.name == name), None)

    def urls(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the addresses of files, in the order of the names."""
        by_name = {file.name: file.url for file in self.files}
        return tuple(by_name[name] for name in names)


def client() -> Client:
    """Return the scripts that this installation serves."""
    # They change with an upgrade only, and that starts the server anew; while they are written, at any time.
    return _client.__wrapped__() if settings.DEBUG else _client()


@lru_cache(maxsize=1)
def _client() -> Client:
    joined = join_modules(lambda name: (MODULES / f"{name}.js").read_text(encoding="utf-8"), ENTRANCES)
    contents = {f"{name}.js": text.encode() for name, text in joined.items()}
    digest = hashlib.sha256(b"".join(contents.values())).hexdigest()
    return Client(
        files=tuple(
            ClientFile(
                name=name,
                url=reverse("program", args=[digest, name]),
                digest=hashlib.sha256(content).hexdigest(),
                content=content,
            )
            for name, content in contents.items()
        ),
        digest=digest,
    )
