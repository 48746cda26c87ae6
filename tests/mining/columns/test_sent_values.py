"""Values that rows sent for a number or a place, read from the rows."""

import pytest

from mining.columns.sent_values import disguise_of, read_sent_values, rows_in
from privacy.errors import PrivacyError
from privacy.survey.layout import Layout
from tests.mining.columns.test_sent_counts import DESIGN, KEEP, MAP, RECORDS, ROWS, WAVE


def test_rows_are_read_buffer_by_buffer() -> None:
    width = Layout(DESIGN).n_bytes
    whole, *others = rows_in(DESIGN, [ROWS, b"", memoryview(ROWS)[: 3 * width]])
    assert whole.tobytes() == ROWS
    assert [rows.shape for rows in (whole, *others)] == [(len(RECORDS), width), (0, width), (3, width)]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_values_are_those_of_the_packed_records_in_their_order(number: int) -> None:
    (rows,) = rows_in(DESIGN, ROWS)
    values, is_direct = read_sent_values(DESIGN, number, rows)
    sent = [record.answers[number][0] for record in RECORDS]
    assert values.tolist() == [-1 if value is None else value for value in sent]
    assert is_direct.tolist() == [record.direct for record in RECORDS]
    assert {True, False} == set(is_direct.tolist())


def test_only_numbers_and_places_have_a_disguise_of_their_own() -> None:
    assert [disguise_of(DESIGN, number) for number in (1, 2, 3)] == [KEEP, MAP, WAVE]
    with pytest.raises(PrivacyError, match="affair is a yes_no"):
        disguise_of(DESIGN, 4)
