"""Later releases of the program can open the tables that earlier ones sealed, and know the same people."""

from pytest_django import Settings

from anonymisation.releases.same_people import people_digest
from anonymisation.releases.storage import bytes_open


def test_a_table_sealed_by_an_earlier_release_can_be_opened(settings: Settings) -> None:
    settings.SECRET_KEY = "a secret key that only tests use, 0123456789"
    table = (
        "9da4b5b3d143f7a3687a2710aebacd9bf003e40d09a643f4c7abc2db81bab80c"
        "7f82dbdebee2a1dda23a58e20496056b75859a8e2f96c8"
    )
    assert bytes_open(bytes.fromhex(table), release_id=7, kind="table") == b"a table"


def test_digests_of_people_are_unchanged(settings: Settings) -> None:
    settings.SECRET_KEY = "a secret key that only tests use, 0123456789"
    assert people_digest(["ben", "ana"]) == "0ac57c9726aa6c9f7fb2a9916ee269eaa4980ba0c9fc6f1fa8420ee4d122475e"
