"""What waits in the inbox, opened as its mixer would, with the key files of this machine."""

from __future__ import annotations

from collections import Counter

from django.conf import settings

from surveys.intake.boxes import PrivateKey, open_box
from surveys.models import Inbox, Version


def opened(box: bytes, *, sealed_under: bytes, design_id: str) -> bytes:
    """Return the row in a box; the key is looked for in every database's folder."""
    [path] = settings.SOTTOVOCE_MIXER_KEYS.glob(f"*/{bytes(sealed_under).hex()}")
    return open_box(bytes(box), key=PrivateKey.of(path.read_bytes()), design_id=design_id)


def waiting_rows(version: Version | None = None) -> list[bytes]:
    """Return the rows that wait, of one version or of all, in the order of their random names."""
    waiting = Inbox.objects.order_by("key")
    if version is not None:
        waiting = waiting.filter(version=version)
    # No column that an earlier release lacks is read: its database is looked into, too.
    boxes = waiting.values_list("box", "sealed_under", "version__design_id")
    return [opened(box, sealed_under=under, design_id=design_id) for box, under, design_id in boxes]


def waiting_counted() -> Counter[bytes]:
    """Count the rows that wait."""
    return Counter(waiting_rows())
