"""The search for values under a key finds each kind of derivation, and nothing in random values."""

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from django.conf import settings
from django.utils.crypto import salted_hmac

from surveys.jobs.key_mark import KEY_MARK_SALT
from tests.attack.keyed import found_in, possible_keys, repeated_masks, salts
from tests.attack.stored import Stored

PEOPLE = 12
IN_A_TABLE, IN_A_FILE = secrets.token_bytes(32), secrets.token_bytes(32)


def enciphered(key: bytes) -> bytes:
    cipher = Cipher(algorithms.AES(hashlib.sha256(settings.SECRET_KEY.encode()).digest()), modes.ECB())
    encryptor = cipher.encryptor()
    return encryptor.update(key) + encryptor.finalize()


NAMES: dict[str, Callable[[bytes], bytes]] = {
    "secret key": lambda key: hmac.digest(settings.SECRET_KEY.encode(), key, "sha256")[:16],
    "last bytes, digits": lambda key: hmac.digest(settings.SECRET_KEY.encode(), key.hex().encode(), "sha512")[
        -16:
    ],
    "salted": lambda key: salted_hmac(KEY_MARK_SALT, key, algorithm="sha256").digest()[:16],
    "key in a table": lambda key: hashlib.blake2b(key, key=IN_A_TABLE, digest_size=16).digest(),
    "key in a file": lambda key: hashlib.sha256(IN_A_FILE + key).digest()[:16],
    "cipher": enciphered,
}


def stored(names: list[bytes], *, as_text: bool = False) -> Stored:
    """Return an installation with these names of waiting rows, a key in a table and one in a file."""
    cells = [name.hex().encode() if as_text else name for name in names]
    return Stored(
        columns={"surveys_inbox": ("key", "box"), "surveys_drawingkey": ("id", "key")},
        rows={
            "surveys_inbox": Counter((cell, secrets.token_bytes(80)) for cell in cells),
            "surveys_drawingkey": Counter([(b"1", IN_A_TABLE)]),
        },
        files={"home/key": IN_A_FILE.hex().encode() + b"\n"},
        times={},
        own=frozenset(),
    )


def search(home: Stored, keys: list[bytes]) -> Counter[str]:
    values = {value for key in keys for value in (key, key.hex().encode())}
    return found_in([home], values, possible_keys(home))


@pytest.mark.parametrize("how", NAMES)
@pytest.mark.parametrize("as_text", [False, True])
def test_names_under_every_kind_of_key_are_found(how: str, as_text: bool) -> None:
    keys = [secrets.token_bytes(16) for _ in range(PEOPLE)]
    home = stored([NAMES[how](key) for key in keys], as_text=as_text)
    assert search(home, keys) == {"surveys_inbox.key": PEOPLE}


def test_random_names_follow_from_nothing() -> None:
    """Of a million derived values and some hundred cells, eight equal bytes occur once in 10^11 tests."""
    keys = [secrets.token_bytes(16) for _ in range(PEOPLE)]
    names = [secrets.token_bytes(16) for _ in range(PEOPLE)]
    assert search(stored(names), keys) == {}
    assert repeated_masks(zip(keys, names, strict=True)) == 0


def test_masks_and_differences_need_no_key() -> None:
    keys = [secrets.token_bytes(16) for _ in range(PEOPLE)]
    mask = int.from_bytes(secrets.token_bytes(16), "big")
    numbers = [int.from_bytes(key, "big") for key in keys]
    masked = [(number ^ mask).to_bytes(16, "big") for number in numbers]
    moved = [((number + mask) % 2**128).to_bytes(16, "big") for number in numbers]
    for names in (masked, moved):
        assert repeated_masks(zip(keys, names, strict=True)) == PEOPLE


def test_the_salts_of_the_product_are_collected() -> None:
    assert KEY_MARK_SALT.encode() in salts()
    assert len(salts()) >= 4
