"""Draw an address as a QR code, SVG."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe

__all__ = ["qr_code"]


def qr_code(address: str) -> SafeString:
    """Return an address as a QR code; print the address next to it, for people without a camera.

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
    # Dark on light in every colour scheme: many readers cannot read the reverse.
    drawn = code.svg_inline(border=4, svgclass="qr", lineclass=None, omitsize=True, dark="#000", light="#fff")
    # The picture holds squares and no user's text.
    return mark_safe(drawn)  # nosec B308 B703
