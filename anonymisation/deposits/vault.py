"""Encryption of a deposit's records: without the secret key the database is not legible.

The deposit's number and what the document is are authenticated (`surveys.models.staff`): a document that is
moved to another deposit does not open.
"""

from __future__ import annotations

import json
import zlib
from typing import Any, Final

from surveys.errors.error import SurveyError
from surveys.models.staff import Vault

__all__ = ["bytes_open", "bytes_seal", "document_open", "document_seal"]

_DEPOSITS: Final = Vault(info=b"sotto deposit 1", salt_bytes=32)
"""Tables that somebody gave, and what was made of them."""


def bytes_seal(content: bytes, *, deposit_id: int, kind: str) -> bytes:
    """Encrypt what a deposit keeps."""
    return _DEPOSITS.seal(content, about=f"{kind} {deposit_id}")


def bytes_open(sealed: bytes | memoryview[int], *, deposit_id: int, kind: str) -> bytes:
    """Decrypt what a deposit keeps.

    Raises
    ------
    SurveyError
        ``deposit.sealed``: it is of another deposit or kind, was changed, or the secret key is another one.
    """
    content = _DEPOSITS.open(sealed, about=f"{kind} {deposit_id}")
    if content is None:
        raise SurveyError("deposit.sealed", deposit_id)
    return content


def document_seal(document: dict[str, Any], *, deposit_id: int, kind: str) -> bytes:
    """Encrypt a JSON document, compressed."""
    packed = zlib.compress(json.dumps(document, ensure_ascii=False).encode())
    return bytes_seal(packed, deposit_id=deposit_id, kind=kind)


def document_open(sealed: bytes | memoryview[int], *, deposit_id: int, kind: str) -> dict[str, Any]:
    """Decrypt a JSON document."""
    document: dict[str, Any] = json.loads(
        zlib.decompress(bytes_open(sealed, deposit_id=deposit_id, kind=kind))
    )
    return document
