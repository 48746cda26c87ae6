"""Seal a row to a mixer's public key, and open it with the private one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

PUBLIC_BYTES: Final = 32
NAME_BYTES: Final = 16
BOX_BYTES: Final = PUBLIC_BYTES + 16
"""Bytes that sealing adds to a row: an ephemeral public key and a tag."""

_INFO: Final = b"sotto inbox 1"
_NONCE: Final = bytes(12)


@dataclass(frozen=True, kw_only=True)
class PublicKey:
    """Public key that rows are sealed under.

    Parameters
    ----------
    name : bytes, 16
        The first half of the SHA-256 of `public`, so a name belongs to one key.
    public : bytes, 32
    """

    name: bytes
    public: bytes

    @classmethod
    def of(cls, public: bytes) -> Self:
        """Name a public key."""
        return cls(name=hashlib.sha256(public).digest()[:NAME_BYTES], public=public)


@dataclass(frozen=True, kw_only=True)
class PrivateKey:
    """Private key that opens boxes.

    Parameters
    ----------
    secret : X25519PrivateKey
    public_key : PublicKey
    """

    secret: X25519PrivateKey
    public_key: PublicKey

    @classmethod
    def of(cls, raw: bytes) -> Self:
        """Return the key with these 32 bytes, as stored in a file."""
        secret = X25519PrivateKey.from_private_bytes(raw)
        return cls(secret=secret, public_key=PublicKey.of(secret.public_key().public_bytes_raw()))

    @classmethod
    def generate(cls) -> Self:
        """Generate a key with the system's random generator."""
        return cls.of(X25519PrivateKey.generate().private_bytes_raw())

    @property
    def raw(self) -> bytes:
        """The 32 bytes of the key."""
        return self.secret.private_bytes_raw()


def seal(row: bytes, *, under: PublicKey, design_id: str) -> bytes:
    """Seal a row.

    Parameters
    ----------
    row : bytes
    under : PublicKey
    design_id : str, 64 hex digits
        The design that the row follows.

    Returns
    -------
    bytes
        `BOX_BYTES` longer than the row; no two calls return the same.

    Examples
    --------
    >>> key = PrivateKey.generate()
    >>> box = seal(b"a row", under=key.public_key, design_id="0" * 64)
    >>> len(box), open_box(box, key=key, design_id="0" * 64)
    (53, b'a row')
    """
    ephemeral = X25519PrivateKey.generate()
    dh_secret = ephemeral.exchange(X25519PublicKey.from_public_bytes(under.public))
    pub_bytes = ephemeral.public_key().public_bytes_raw()
    cipher = ChaCha20Poly1305(_derive_key(dh_secret, pub_bytes, under.public))
    return pub_bytes + cipher.encrypt(_NONCE, row, _associated_data(under, design_id))


def open_box(box: bytes, *, key: PrivateKey, design_id: str) -> bytes:
    """Return the row in a box.

    Raises
    ------
    InvalidTag
        The box was not sealed under this key and design, or was changed.
    """
    pub_bytes, ciphertext = box[:PUBLIC_BYTES], box[PUBLIC_BYTES:]
    try:
        # ValueError: too few bytes for a key, or a low-order point, whose shared secret is always zero.
        dh_secret = key.secret.exchange(X25519PublicKey.from_public_bytes(pub_bytes))
        cipher = ChaCha20Poly1305(_derive_key(dh_secret, pub_bytes, key.public_key.public))
        return cipher.decrypt(_NONCE, ciphertext, _associated_data(key.public_key, design_id))
    except ValueError as error:
        raise InvalidTag from error


def _derive_key(shared_key: bytes, sender_key: bytes, public: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=_INFO + sender_key + public).derive(shared_key)


def _associated_data(key: PublicKey, design_id: str) -> bytes:
    return key.name + bytes.fromhex(design_id)
