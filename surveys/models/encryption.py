"""Encrypt secrets in columns, with a key derived from the installation's secret key.

A copy of the database reveals none of them without that key."""

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

_NONCE: Final = bytes(12)


@dataclass(frozen=True, kw_only=True)
class Vault:
    """Encryption for one purpose; a vault for another purpose cannot decrypt the content.

    Attributes
    ----------
    info : bytes
        Names the purpose in the key derivation.
    salt_bytes : int
        Length of the salt that precedes the sealed content.
    """

    info: bytes
    salt_bytes: int

    def seal(self, content: bytes, *, about: str) -> bytes:
        """Encrypt content that belongs to `about`. The result is longer by 16 bytes and the salt."""
        salt = os.urandom(self.salt_bytes)
        return salt + self._cipher(salt).encrypt(_NONCE, content, about.encode())

    def open(self, ciphertext: bytes | memoryview[int], *, about: str) -> bytes | None:
        """Decrypt content; return None if it belongs elsewhere, was changed, or the secret key differs."""
        salt, box = bytes(ciphertext[: self.salt_bytes]), bytes(ciphertext[self.salt_bytes :])
        try:
            return self._cipher(salt).decrypt(_NONCE, box, about.encode())
        except InvalidTag:
            return None

    def seal_text(self, content: bytes, *, about: str) -> str:
        """Encrypt content for a text column, as base64."""
        return base64.b64encode(self.seal(content, about=about)).decode()

    def open_text(self, text: str, *, about: str) -> bytes | None:
        """Decrypt a text from `seal_text`; return None as `open` does, and for a text that is not base64."""
        try:
            return self.open(base64.b64decode(text, validate=True), about=about)
        except ValueError:
            return None

    def _cipher(self, salt: bytes) -> ChaCha20Poly1305:
        secret = str(settings.SECRET_KEY).encode()
        return ChaCha20Poly1305(HKDF(algorithm=SHA256(), length=32, salt=salt, info=self.info).derive(secret))


SECRETS: Final = Vault(info=b"sotto secret 1", salt_bytes=16)
"""Secrets of authenticator apps; each must fit into 80 letters of base64."""
