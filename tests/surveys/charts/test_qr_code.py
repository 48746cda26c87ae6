"""An address as a QR code: the same for the same address, another for another, dark on light."""

import segno

from surveys.charts.qr_code import qr_code

ADDRESS = "https://survey.example.org/en/s/work/"


def test_the_code_holds_the_address_and_its_margin_of_four_modules() -> None:
    drawn = qr_code(ADDRESS)
    made = segno.make(ADDRESS, error="m", micro=False)
    width = made.symbol_size(border=4)[0]
    assert f'viewBox="0 0 {width} {width}"' in drawn
    assert drawn == qr_code(ADDRESS)
    assert drawn != qr_code(ADDRESS + "x")
    assert "#fff" in drawn
    assert "#000" in drawn
    assert "example" not in drawn
