"""What a deposit keeps of people, sealed: whoever reads the database without the secret key reads nothing.

HKDF-SHA-256 (RFC 5869) derives a key of the installation's secret key and a fresh salt, and
ChaCha20-Poly1305 (RFC 8439) encrypts one document under it, so the nonce is zero. The deposit's number and
what the document is are authenticated: a document that is moved to another deposit does not open.
"""

from __future__ import annotations

import json
import os
import zlib
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from surveys.errors.error import SurveyError

__all__ = ["bytes_open", "bytes_seal", "document_open", "document_seal"]

_SALT_BYTES: Final = 32
_NONCE: Final = bytes(12)
_INFO: Final = b"sotto deposit 1"


def bytes_seal(content: bytes, *, deposit_id: int, kind: str) -> bytes:
    """Encrypt what a deposit keeps."""
    salt = os.urandom(_SALT_BYTES)
    return salt + _cipher(salt).encrypt(_NONCE, content, _about(deposit_id, kind))


def bytes_open(sealed: bytes | memoryview[int], *, deposit_id: int, kind: str) -> bytes:
    """Decrypt what a deposit keeps.

    Raises
    ------
    SurveyError
        ``deposit.sealed``: it is of another deposit or kind, was changed, or the secret key is another one.
    """
    salt, box = bytes(sealed[:_SALT_BYTES]), bytes(sealed[_SALT_BYTES:])
    try:
        return _cipher(salt).decrypt(_NONCE, box, _about(deposit_id, kind))
    except InvalidTag as error:
        raise SurveyError("deposit.sealed", deposit_id) from error


def document_seal(document: dict[str, Any], *, deposit_id: int, kind: str) -> bytes:
    """Encrypt a JSON document, compressed."""
    packed = zlib.compress(json.dumps(document, ensure_ascii=False).encode())
    return bytes_seal(packed, deposit_id=deposit_id, kind=kind)


def document_open(sealed: bytes | memoryview[int], *, deposit_id: int, kind: str) -> dict[str, Any]:
    """Decrypt a JSON document."""
    found: dict[str, Any] = json.loads(zlib.decompress(bytes_open(sealed, deposit_id=deposit_id, kind=kind)))
    return found


def _cipher(salt: bytes) -> ChaCha20Poly1305:
    secret = str(settings.SECRET_KEY).encode()
    return ChaCha20Poly1305(HKDF(algorithm=SHA256(), length=32, salt=salt, info=_INFO).derive(secret))


def _about(deposit_id: int, kind: str) -> bytes:
    return f"{kind} {deposit_id}".encode()
