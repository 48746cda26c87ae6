"""Signed statements about the rows of a run, and the installation's key that signs them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from surveys.models import Run

_INFO: Final = b"sotto snapshot 1"


def snapshot_statement(run: Run) -> dict[str, Any]:
    """Return a statement about the rows that a run read."""
    return {
        "sotto": "snapshot 1",
        "survey": run.survey.slug,
        "design_id": run.design_id,
        "batches": run.batches,
        "sha256": run.snapshot_digest,
    }


def sign_statement(statement: Mapping[str, Any]) -> dict[str, Any]:
    """Return a statement with the installation's public key and signature, both in hex digits."""
    signature = _private_key(str(settings.SECRET_KEY)).sign(_message(statement))
    return {"statement": dict(statement), "key": signing_key(), "signature": signature.hex()}


def signing_key() -> str:
    """Return the installation's public key, in 64 hex digits."""
    return _private_key(str(settings.SECRET_KEY)).public_key().public_bytes_raw().hex()


def is_signed(document: Mapping[str, Any]) -> bool:
    """Return whether a document from `sign_statement` is unchanged, by the key it contains.

    Examples
    --------
    The key and the signature of the empty message in RFC 8032, which is not a statement:

    >>> is_signed({"statement": {},
    ...            "key": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    ...            "signature": "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    ...                         "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"})
    False
    """
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(document["key"]))
        public.verify(bytes.fromhex(document["signature"]), _message(document["statement"]))
    except (InvalidSignature, ValueError, KeyError, TypeError):
        return False
    return True


@lru_cache(maxsize=2)
def _private_key(secret: str) -> Ed25519PrivateKey:
    key_bytes = HKDF(algorithm=SHA256(), length=32, salt=None, info=_INFO).derive(secret.encode())
    return Ed25519PrivateKey.from_private_bytes(key_bytes)


def _message(statement: Mapping[str, Any]) -> bytes:
    """Return the bytes to sign: JSON with sorted names and no blanks."""
    return _INFO + b"\n" + json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()
