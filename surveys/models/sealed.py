"""Sealed columns: values encrypted under the secret key.

HKDF-SHA-256 (RFC 5869) derives a key of the installation's secret key and a fresh salt, and
ChaCha20-Poly1305 (RFC 8439) encrypts one content under it, so the nonce is zero. What the content is of is
authenticated: one that is moved elsewhere does not open.
"""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

__all__ = ["SECRETS", "Vault"]

_NONCE: Final = bytes(12)


@dataclass(frozen=True, kw_only=True)
class Vault:
    """One purpose of sealing, which no other one opens.

    Attributes
    ----------
    info : bytes
        Names the purpose when the key is derived.
    salt_bytes : int
        They stand before what is sealed.
    """

    info: bytes
    salt_bytes: int

    def seal(self, content: bytes, *, about: str) -> bytes:
        """Encrypt a content of this or that: 16 bytes longer than it, and the salt."""
        salt = os.urandom(self.salt_bytes)
        return salt + self._cipher(salt).encrypt(_NONCE, content, about.encode())

    def open(self, sealed: bytes | memoryview[int], *, about: str) -> bytes | None:
        """Decrypt it; None where it is of something else, was changed, or the secret key is another one."""
        salt, box = bytes(sealed[: self.salt_bytes]), bytes(sealed[self.salt_bytes :])
        try:
            return self._cipher(salt).decrypt(_NONCE, box, about.encode())
        except InvalidTag:
            return None

    def seal_text(self, content: bytes, *, about: str) -> str:
        """Encrypt for a column of text: in base64."""
        return base64.b64encode(self.seal(content, about=about)).decode()

    def open_text(self, sealed: str, *, about: str) -> bytes | None:
        """Decrypt what `seal_text` made; None as for `open`, and for what is no base64."""
        try:
            return self.open(base64.b64decode(sealed, validate=True), about=about)
        except ValueError:
            return None

    def _cipher(self, salt: bytes) -> ChaCha20Poly1305:
        secret = str(settings.SECRET_KEY).encode()
        return ChaCha20Poly1305(HKDF(algorithm=SHA256(), length=32, salt=salt, info=self.info).derive(secret))


SECRETS: Final = Vault(info=b"sotto secret 1", salt_bytes=16)
"""Keys of apps that make codes; one has to fit into 80 letters of base64."""
