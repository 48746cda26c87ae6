"""Draw an address as a QR code, SVG."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe

__all__ = ["qr_code"]


def qr_code(address: str) -> SafeString:
    """Return an address as a QR code; the address itself has to stand beside it, for who has no camera.

    Parameters
    ----------
    address : str
        At most 2,331 characters, what a code of this correction holds.

    Returns
    -------
    SafeString
        An ``svg`` element without a size of its own.

    Raises
    ------
    segno.DataOverflowError
        The address is too long.

    Examples
    --------
    A code of 25 modules holds these 26 letters, and four empty modules stand on each side.

    >>> 'viewBox="0 0 33 33"' in qr_code("https://example.org/en/s/a")
    True
    """
    code = segno.make(address, error="m", micro=False)
    # Dark on light in every scheme: many readers do not know the reverse.
    drawn = code.svg_inline(border=4, svgclass="qr", lineclass=None, omitsize=True, dark="#000", light="#fff")
    # The picture holds squares and no text of anybody's.
    return mark_safe(drawn)  # nosec B308 B703
