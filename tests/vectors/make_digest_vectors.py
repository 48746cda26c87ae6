"""Write digests.json: roots as links and as letters write them, by whole numbers and the standard library.

python -m tests.vectors.make_digest_vectors
"""

from __future__ import annotations

import base64
import hashlib

from tests.vectors.make_vectors import HERE, written

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
RFC_4648 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
ROOTS = ("00" * 32, "ff" * 32, *(hashlib.sha256(str(n).encode()).hexdigest() for n in range(6)))


def vectors() -> dict[str, list[dict[str, str]]]:
    """Return the vectors; the alphabet of base 32 is put in place of the one that Python has."""
    made = []
    for root in ROOTS:
        raw = bytes.fromhex(root)
        printed = base64.b32encode(raw).decode()[:20].translate(str.maketrans(RFC_4648, CROCKFORD))
        grouped = "-".join(printed[start : start + 5] for start in range(0, 20, 5))
        made.append({"root": root, "link": base64.urlsafe_b64encode(raw).decode()[:22], "printed": grouped})
    return {"digests": made}


FILES = {"digests.json": vectors}


if __name__ == "__main__":
    for file, make in FILES.items():
        (HERE / file).write_text(written(make()), encoding="ascii")
