"""Sheets of invitations: codes with their addresses, as a list and as cards with QR codes.

The code follows the "#" of the address. Browsers do not send that part, so it reaches no server, log or
proxy; the page reads it, removes it from the address, and sends it once, with the sealed answer. The survey's
digest is next to it and stays, so that a device opens no other survey.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from surveys.charts.qr_code import qr_code
from surveys.intake.payload import code_in_groups
from surveys.respondent.survey_digest import digest_in_link, digest_in_print

# A card takes about three kilobytes and four milliseconds.
MOST_CARDS: Final = 500


@dataclass(frozen=True, kw_only=True)
class Card:
    """One invitation to print.

    Parameters
    ----------
    code : str
        Code in groups.
    address : str
        Address that includes the code.
    picture : SafeString
        The address as a QR code, SVG.
    """

    code: str
    address: str
    picture: SafeString


def invited_address(address: str, code: str, digest: str) -> str:
    """Return the address that opens a survey with a code, and only the survey with that digest.

    Examples
    --------
    >>> invited_address("https://example.org/en/s/work/", "1111111111111111112B", "10000-00000-00000-00000")
    'https://example.org/en/s/work/#c=1111111111111111112B&d=10000-00000-00000-00000'
    """
    return f"{address}#c={code}&d={digest}"


def cards(codes: Iterable[str], *, address: str, root: str) -> tuple[Card, ...]:
    """Return cards of these codes for one address, and for the survey with a root."""
    digest = digest_in_print(root)
    return tuple(
        Card(
            code=code_in_groups(code),
            address=invited_address(address, code, digest),
            picture=qr_code(invited_address(address, code, digest)),
        )
        for code in codes
    )


def codes_csv(codes: Iterable[str], *, address: str, root: str) -> str:
    """Return a table of codes and addresses, for a mail merge.

    Examples
    --------
    >>> print(codes_csv(["1111111111111111112B"], address="https://example.org/", root="00" * 32))
    code,address
    11111-11111-11111-1112B,https://example.org/#c=1111111111111111112B&d=AAAAAAAAAAAAAAAAAAAAAA
    <BLANKLINE>
    """
    digest = digest_in_link(root)
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["code", "address"])
    table.writerows([code_in_groups(code), invited_address(address, code, digest)] for code in codes)
    return file.getvalue()
