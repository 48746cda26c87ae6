"""Attack on values derived from a receipt under a key of the installation.

A name that is an HMAC of the receipt's key looks random to everyone without the key, and links row and
receipt for everyone who has it: the operator, a thief of the server, a court. So the attack collects
everything in the home that can be a key, derives from each device's secrets what programs usually derive
under a key, and looks for the results in every table. Masks and differences need no key: they repeat from one
device to the next.
"""

import ast
import base64
import binascii
import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from functools import cache
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from django.conf import settings

from tests.attack.stored import Stored

__all__ = ["derived", "ends_of", "found_in", "possible_keys", "repeated_masks", "salts"]

_OF_DEVICES: Final = frozenset({"surveys_receipt", "surveys_inbox", "surveys_batch"})
"""Tables whose cells come from devices: they are searched, and hold no key."""

_SHORTEST, _LONGEST = 16, 128
"""Bytes of a cell that can be a key."""

_LARGEST_FILE: Final = 4_096
_END: Final = 8
"""A derived value is found by its first or last bytes, because programs cut them."""

_HASHES: Final = ("sha256", "sha1", "md5", "sha512", "blake2b")
_SALT: Final = re.compile(r"SALT|PURPOSE|DOMAIN|CONTEXT")
_KEY: Final = re.compile("key|secret|token|public|salt|seed|mark|digest|hash")
_PRODUCT: Final = ("surveys", "anonymisation", "privacy", "mining")


def possible_keys(stored: Stored, more: Iterable[bytes] = ()) -> set[bytes]:
    """Return everything in an installation that can be a key: settings, small files, cells of other tables.

    Parameters
    ----------
    stored : Stored
    more : iterable of bytes
        Keys that existed for a while, such as the mixer's.
    """
    configured = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    keys = {text.encode() for text in configured} | set(more)
    for name, content in stored.files.items():
        if name not in stored.own and 0 < len(content) <= _LARGEST_FILE:
            keys |= _readings(content)
    for table, rows in stored.rows.items():
        if table not in _OF_DEVICES:
            for row in rows:
                for column, cell in zip(stored.columns[table], row, strict=True):
                    if cell and _SHORTEST <= len(cell) <= _LONGEST and _can_be_key(column, cell):
                        keys |= _readings(cell)
    return {key for key in keys if len(key) >= _SHORTEST}


def _can_be_key(column: str, cell: bytes) -> bool:
    """Whether a cell is named like a key, or is no text."""
    return _KEY.search(column) is not None or any(byte > 126 or byte < 9 for byte in cell)


def _readings(content: bytes) -> set[bytes]:
    """Return a content as it is, without blanks around it, and decoded from hexadecimal digits and base64."""
    read = {content, content.strip()}
    for line in content.split()[:64]:
        read.add(line)
        for decode in (bytes.fromhex, lambda text: base64.b64decode(text, validate=True)):
            try:
                read.add(decode(line.decode("ascii")))
            except (ValueError, binascii.Error):
                continue
    return read


@cache
def salts() -> tuple[bytes, ...]:
    """Return the constants by which the product separates the purposes of its secret key."""
    root = Path(__file__).resolve().parents[2]
    found = set()
    for package in _PRODUCT:
        texts = (path.read_text(encoding="utf-8") for path in (root / package).rglob("*.py"))
        for text in filter(_SALT.search, texts):
            for node in ast.walk(ast.parse(text)):
                targets = node.targets if isinstance(node, ast.Assign) else ()
                targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                value = getattr(node, "value", None)
                if any(map(_SALT.search, names)) and isinstance(value, ast.Constant) and value.value:
                    found.add(str(value.value).encode())
    return tuple(sorted(found))


def derived(value: bytes, key: bytes) -> Iterator[bytes]:
    """Yield what programs derive from a value under a key: HMACs, keyed hashes, ciphers of 16 bytes.

    Examples
    --------
    >>> hmac.digest(b"k", b"v", "sha256") in set(derived(b"v", b"k"))
    True
    """
    for name in _HASHES:
        yield hmac.digest(key, value, name)
    for name in _HASHES[:3]:
        for joined in (key + value, value + key):
            yield hashlib.new(name, joined).digest()
    for size in (16, 32, 64):
        yield hashlib.blake2b(value, key=key[:64], digest_size=size).digest()
    if len(value) == algorithms.AES.block_size // 8:
        keys = {hashlib.sha256(key).digest(), hashlib.sha256(key).digest()[:16]}
        for cipher_key in keys | ({key} if len(key) in (16, 24, 32) else set()):
            # The mode encrypts one block, as a program that permutes names would.
            encryptor = Cipher(algorithms.AES(cipher_key), modes.ECB()).encryptor()
            yield encryptor.update(value) + encryptor.finalize()


def keys_of_django(key: bytes) -> Iterator[bytes]:
    """Yield the keys that Django's `salted_hmac` makes of the secret key, for every salt of the product."""
    for salt in salts():
        for name in ("sha256", "sha1"):
            yield hashlib.new(name, salt + key).digest()


def ends_of(value: bytes) -> tuple[bytes, bytes]:
    """Return the first and the last eight bytes."""
    return value[:_END], value[-_END:]


def found_in(moments: Iterable[Stored], values: Iterable[bytes], keys: Iterable[bytes]) -> Counter[str]:
    """Count by column the cells that follow from a value under a key, at the moment when they are most."""
    secret_keys = [text.encode() for text in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    keys = {*keys, *(made for key in secret_keys for made in keys_of_django(key))}
    ends = {end for value in values for key in keys for made in derived(value, key) for end in ends_of(made)}
    most: Counter[str] = Counter()
    for stored in moments:
        most |= _cells_with(stored, ends)
    return most


def _cells_with(stored: Stored, ends: Set[bytes]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for table, rows in stored.rows.items():
        for row, times in rows.items():
            for column, cell in zip(stored.columns[table], row, strict=True):
                if cell is None or not _END <= len(cell) <= _LARGEST_FILE:
                    continue
                if any(not ends.isdisjoint(ends_of(reading)) for reading in _readings(cell)):
                    counts[f"{table}.{column}"] += times
    return counts


def repeated_masks(pairs: Iterable[tuple[bytes, bytes]]) -> int:
    """Count the devices whose two values differ by the same mask, or by the same number, as another's.

    Examples
    --------
    >>> repeated_masks([(b"\\x01\\x02", b"\\x11\\x12"), (b"\\x05\\x05", b"\\x15\\x15")])
    2
    """
    masks: Counter[tuple[str, int]] = Counter()
    for first, second in pairs:
        if len(first) == len(second):
            one, other = int.from_bytes(first, "big"), int.from_bytes(second, "big")
            masks["mask", one ^ other] += 1
            masks["difference", (one - other) % (1 << 8 * len(first))] += 1
    return max((times for times in masks.values() if times > 1), default=0)
