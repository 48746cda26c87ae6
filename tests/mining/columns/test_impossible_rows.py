import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mining.columns.impossible_rows import impossible_rows
from privacy.errors import PrivacyError
from privacy.survey.layout import Layout
from tests.fixtures.devices import sealed_body
from tests.fixtures.questionnaires import EVERYTHING
from tests.fixtures.strategies import rotating_designs
from tests.vectors.scale_designs import NUMBERS, PLACES, SKIPS


def refused(layout: Layout, body: bytes) -> str | None:
    try:
        layout.unpack(body)
    except PrivacyError as error:
        return error.code
    return None


def read_one_by_one(design: Any, rows: list[bytes]) -> list[str | None]:
    """Compare with unpacking each row by the layout; return the codes of refusals."""
    layout = Layout(design)
    said = [refused(layout, row) for row in rows]
    found = impossible_rows(design, b"".join(rows))
    if found is None:
        assert said == [None] * len(rows)
    else:
        assert (found.n, said[found.first]) == (len(rows) - said.count(None), found.error.code)
        assert said[: found.first] == [None] * found.first
    return said


@given(data=st.data())
@pytest.mark.soak
def test_the_writer_and_the_layout_refuse_the_same_rows(data: st.DataObject) -> None:
    design = data.draw(rotating_designs())
    n_bytes = Layout(design).n_bytes
    # Bodies of devices, some with a few bits flipped, and random bytes.
    groups = [direct for direct in (False, True) if design.group.allows(direct=direct)]
    sender = st.tuples(st.integers(0, 2**32), st.sampled_from(groups))
    sent = [
        sealed_body(design, random.Random(seed), direct=direct)
        for seed, direct in data.draw(st.lists(sender, min_size=1, max_size=6))
    ]
    turned = st.tuples(st.sampled_from(sent), st.sets(st.integers(0, 8 * n_bytes - 1), max_size=3))
    rows = [*sent, *data.draw(st.lists(st.binary(min_size=n_bytes, max_size=n_bytes), max_size=6))]
    for body, places in data.draw(st.lists(turned, max_size=12)):
        word = int.from_bytes(body, "big")
        for place in places:
            word ^= 1 << place
        rows.append(word.to_bytes(n_bytes, "big"))
    assert impossible_rows(design, b"".join(sent)) is None
    read_one_by_one(design, rows)


@pytest.mark.parametrize("name", sorted({**NUMBERS, **PLACES, **SKIPS}))
def test_numbers_and_places_outside_a_groups_outputs_are_refused(name: str) -> None:
    design = {**NUMBERS, **PLACES, **SKIPS}[name]
    n_bytes = Layout(design).n_bytes
    words = [pow(3, k, 2**61 - 1) % (1 << 8 * n_bytes) for k in range(400)]
    assert any(read_one_by_one(design, [word.to_bytes(n_bytes, "big") for word in words]))


@pytest.mark.parametrize("design", [EVERYTHING, *SKIPS.values()])
def test_one_wrong_bit_makes_the_same_rows_impossible_as_the_layout_refuses(design: Any) -> None:
    """Each bit of a sent row in turn: answers may change, empty ones must not have a value."""
    size = 8 * Layout(design).n_bytes
    group = next(direct for direct in (False, True) if design.group.allows(direct=direct))
    for seed in range(3):
        word = int.from_bytes(sealed_body(design, random.Random(seed), direct=group), "big")
        said = read_one_by_one(
            design, [(word ^ 1 << place).to_bytes(size // 8, "big") for place in range(size)]
        )
        assert 0 < said.count(None) < size


def test_bytes_with_partial_rows_are_rejected() -> None:
    with pytest.raises(PrivacyError, match="row"):
        impossible_rows(EVERYTHING, b"\x00" * (Layout(EVERYTHING).n_bytes + 1))
