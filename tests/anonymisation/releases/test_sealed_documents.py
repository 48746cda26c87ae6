"""What an earlier release of this software sealed can be opened."""

from pytest_django import Settings

from anonymisation.releases.sealed_documents import bytes_open


def test_a_table_sealed_by_an_earlier_release_can_be_opened(settings: Settings) -> None:
    settings.SECRET_KEY = "a secret key that only tests use, 0123456789"
    table = (
        "9da4b5b3d143f7a3687a2710aebacd9bf003e40d09a643f4c7abc2db81bab80c"
        "7f82dbdebee2a1dda23a58e20496056b75859a8e2f96c8"
    )
    assert bytes_open(bytes.fromhex(table), release_id=7, kind="table") == b"a table"
