import pytest

from surveys.models.answers import direct_rows

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("n_bytes", [1, 3])
def test_direct_rows_are_those_whose_first_bit_is_set(n_bytes: int) -> None:
    rows = [bytes([first]).ljust(n_bytes, b"\xff") for first in (0x80, 0x7F, 0xFF, 0x00, 0x81)]
    assert direct_rows(b"".join(rows), len(rows)) == 3
