"""QR codes have the margin that scanners need."""

import segno

from surveys.formats.qr_code import qr_code

ADDRESS = "https://survey.example.org/en/s/work/"


def test_qr_codes_have_a_margin_of_four_modules() -> None:
    drawn = qr_code(ADDRESS)
    made = segno.make(ADDRESS, error="m", micro=False)
    width = made.symbol_size(border=4)[0]
    assert f'viewBox="0 0 {width} {width}"' in drawn
    assert drawn == qr_code(ADDRESS)
    assert drawn != qr_code(ADDRESS + "x")
    assert "#fff" in drawn
    assert "#000" in drawn
    assert "example" not in drawn
