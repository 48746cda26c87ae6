"""Rotations: which blocks may rotate, and how their numbers are stored."""

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.survey.rotation import Rotation, check_rotations


@pytest.mark.parametrize(
    ("rotations", "ok"),
    [
        ((("a", "b"), ("c", "d")), True),
        ((("a", "b"), ("b", "c")), False),
        ((("a", "open"),), False),
        ((("a", "other"),), False),
    ],
)
def test_each_rotating_block_is_protected_known_and_in_one_rotation(rotations, ok):
    protected = {"a": True, "b": True, "c": True, "d": True, "open": False}
    drawn = [Rotation(blocks=blocks, parts_per_person=1) for blocks in rotations]
    if ok:
        check_rotations(drawn, protected)
        return
    with pytest.raises(PrivacyError) as refusal:
        check_rotations(drawn, protected)
    assert refusal.value.code == "rotation"


def test_blanks_and_parts_are_stored_as_plain_numbers():
    turns = Rotation(blocks=["b", "c"], parts_per_person=np.int64(1), blanks=np.int64(1))
    assert (type(turns.blanks), type(turns.parts_per_person), turns.blocks) == (int, int, ("b", "c"))


def test_repeated_parts_and_other_objects_are_no_rotation():
    with pytest.raises(PrivacyError) as caught:
        Rotation(blocks=("a", "b", "a"), parts_per_person=1)
    assert caught.value.code == "duplicate_key"
    with pytest.raises(PrivacyError):
        check_rotations([("a", "b")], {"a": True, "b": True})
