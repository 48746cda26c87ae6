"""Numbers from the command line: accepted forms, and refusals with the reason."""

from argparse import ArgumentTypeError

import pytest

from surveys.management.commands.audit import block_sizes, prevalences, ten_thousandths


def test_numbers_are_read_as_devices_count_them() -> None:
    assert ten_thousandths(".3") == 3000
    assert block_sizes("3,2") == (3, 2)
    assert (prevalences(".2"), prevalences(".2,.05")) == (2000, (2000, 500))


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (ten_thousandths, ".33333", "at most four decimals"),
        (ten_thousandths, "1.2", "use a number from 0 to 1"),
        (ten_thousandths, "nan", "use a number from 0 to 1"),
        (ten_thousandths, "many", "is not a number"),
        (prevalences, ".2,half", "is not a number"),
        (block_sizes, "3,0", "contains an empty block"),
        (block_sizes, "3,x", "not a list of whole numbers"),
    ],
)
def test_other_texts_are_refused_with_the_reason(read, text: str, message: str) -> None:
    with pytest.raises(ArgumentTypeError) as refusal:
        read(text)
    assert message.lower() in str(refusal.value).lower()
