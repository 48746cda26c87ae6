"""An address as a QR code in SVG."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_code(address: str) -> SafeString:
    """Return an address as a QR code. Print the address next to it for people without a camera.

    Parameters
    ----------
    address : str
        At most 2,331 characters, the capacity with this error correction.

    Returns
    -------
    SafeString
        An ``svg`` element without a fixed size.

    Raises
    ------
    segno.DataOverflowError
        The address is too long.

    Examples
    --------
    A code of 25 modules holds these 26 letters, and has four empty modules on each side.

    >>> 'viewBox="0 0 33 33"' in qr_code("https://example.org/en/s/a")
    True
    """
    code = segno.make(address, error="m", micro=False)
    # Always dark on light: many readers cannot read the reverse.
    image = code.svg_inline(border=4, svgclass="qr", lineclass=None, omitsize=True, dark="#000", light="#fff")
    # The picture consists of squares, without any text from users.
    return mark_safe(image)  # noqa: S308
