"""Documents of a release, sealed in the database.

Without the secret key, they cannot be read. A seal authenticates the number of the release and the
kind of document, so a document that was moved to another release cannot be opened.
"""

from __future__ import annotations

import json
import zlib
from typing import Any, Final

from surveys.errors.error import SurveyError
from surveys.models.encryption import Vault

_DEPOSITS: Final = Vault(info=b"sotto deposit 1", salt_bytes=32)
"""Seals uploaded tables and the files made from them."""

REPORT: Final = "report"
LEDGER: Final = "ledger"
"""Kinds of sealed documents of a release."""


def bytes_seal(content: bytes, *, release_id: int, kind: str) -> bytes:
    """Encrypt a document of a release."""
    return _DEPOSITS.seal(content, about=f"{kind} {release_id}")


def bytes_open(box: bytes | memoryview[int], *, release_id: int, kind: str) -> bytes:
    """Decrypt a document of a release.

    Raises
    ------
    SurveyError
        ``release.sealed``: the document belongs to another release or kind, was changed, or the secret key
        differs.
    """
    content = _DEPOSITS.open(box, about=f"{kind} {release_id}")
    if content is None:
        raise SurveyError("release.sealed", release_id)
    return content


def document_seal(document: dict[str, Any], *, release_id: int, kind: str) -> bytes:
    """Compress and encrypt a JSON document."""
    body = zlib.compress(json.dumps(document, ensure_ascii=False).encode())
    return bytes_seal(body, release_id=release_id, kind=kind)


def document_open(box: bytes | memoryview[int], *, release_id: int, kind: str) -> dict[str, Any]:
    """Decrypt a JSON document."""
    document: dict[str, Any] = json.loads(zlib.decompress(bytes_open(box, release_id=release_id, kind=kind)))
    return document
