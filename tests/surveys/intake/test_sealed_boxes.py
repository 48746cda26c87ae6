import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from surveys.intake.sealed_boxes import BOX_BYTES, PrivateKey, PublicKey, open_box, seal

DESIGN, OTHER = "ab" * 32, "cd" * 32


KEY = PrivateKey.of(bytes(range(32)))


def test_boxes_open_with_standard_primitives() -> None:
    """Opens a box with the primitives themselves, following the module's description."""
    box = seal(b"a row", under=KEY.public_key, design_id=DESIGN)
    sent, sealed = box[:32], box[32:]
    agreed = X25519PrivateKey.from_private_bytes(bytes(range(32))).exchange(
        X25519PublicKey.from_public_bytes(sent)
    )
    info = b"sotto inbox 1" + sent + KEY.public_key.public
    secret = HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(agreed)
    bound = KEY.public_key.name + bytes.fromhex(DESIGN)
    assert ChaCha20Poly1305(secret).decrypt(bytes(12), sealed, bound) == b"a row"


@pytest.mark.parametrize("size", [0, 1, 12, 5000])
def test_boxes_add_48_bytes_and_open_to_their_row(size: int) -> None:
    row = bytes(size)
    box = seal(row, under=KEY.public_key, design_id=DESIGN)
    assert len(box) == size + BOX_BYTES == size + 48
    assert open_box(box, key=KEY, design_id=DESIGN) == row


def test_sealing_a_row_twice_gives_unrelated_bytes() -> None:
    one, two = (seal(bytes(64), under=KEY.public_key, design_id=DESIGN) for _ in range(2))
    assert not {one[at : at + 8] for at in range(len(one) - 7)} & {
        two[at : at + 8] for at in range(len(two) - 7)
    }


def test_boxes_open_only_unchanged_with_their_key_and_design() -> None:
    box = seal(b"a row", under=KEY.public_key, design_id=DESIGN)
    with pytest.raises(InvalidTag):
        open_box(box, key=KEY, design_id=OTHER)
    with pytest.raises(InvalidTag):
        open_box(box, key=PrivateKey.generate(), design_id=DESIGN)
    shut = 0
    for bit in range(8 * len(box)):
        changed = bytearray(box)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            open_box(bytes(changed), key=KEY, design_id=DESIGN)
        except InvalidTag:
            shut += 1
    # The highest bit of the ephemeral key is authenticated, although it is not part of the number.
    assert shut == 8 * len(box)


@pytest.mark.parametrize("box", [b"", b"short", bytes(31), bytes(32), bytes(60)])
def test_invalid_sealed_rows_are_refused(box: bytes) -> None:
    with pytest.raises(InvalidTag):
        open_box(box, key=KEY, design_id=DESIGN)


def test_key_names_are_unique() -> None:
    drawn = [PrivateKey.generate() for _ in range(10)]
    assert len({key.public_key.name for key in drawn}) == 10
    assert all(PublicKey.of(key.public_key.public) == key.public_key for key in drawn)
    assert PrivateKey.of(drawn[0].raw).public_key == drawn[0].public_key
