"""A published table."""

from privacy.sdc.published_table import labels_domain


def test_labels_are_numbers_if_each_is_one() -> None:
    assert labels_domain("age", ("[20,30]", "41", "*")).numeric
    assert not labels_domain("age", ("[20,30]", "young")).numeric
