"""Signatures of messages, by which receivers check their sender and time.

The headers are those of Standard Webhooks (https://www.standardwebhooks.com): ``webhook-id``,
``webhook-timestamp`` and ``webhook-signature``, for which receivers find ready libraries.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import Final

__all__ = ["KEY_BYTES", "PREFIX", "key_made", "key_shown", "signature", "signed_headers"]

KEY_BYTES: Final = 32
PREFIX: Final = "whsec_"
"""Before a key as it is shown, so that libraries know it for one."""


def key_made() -> str:
    """Return a new key of `KEY_BYTES` random bytes, in base64."""
    return base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def key_shown(key: str) -> str:
    """Return a key as its owner copies it."""
    return PREFIX + key


def signature(key: str, *, number: str, timestamp: int, body: bytes) -> str:
    """Return HMAC-SHA256 of number, time and body under a key, in base64.

    Parameters
    ----------
    key : str
        In base64.
    number : str
        The message's own, the same in each try.
    timestamp : int, seconds since 1970
        Of this try: a receiver refuses what is older than a few minutes.
    body : bytes

    Examples
    --------
    The first example of the Standard Webhooks libraries:

    >>> signature(
    ...     "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ...     number="msg_p5jXN8AQM9LWM0D4loKWxJek",
    ...     timestamp=1614265330,
    ...     body=b'{"test": 2432232314}',
    ... )
    'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    signed = f"{number}.{timestamp}.".encode() + body
    return base64.b64encode(hmac.digest(base64.b64decode(key), signed, hashlib.sha256)).decode()


def signed_headers(keys: Iterable[str], *, number: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers of a message; one signature for each key that counts."""
    signatures = (signature(key, number=number, timestamp=timestamp, body=body) for key in keys)
    return {
        "webhook-id": number,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
