"""Copies of the mixer's private keys, which only the spare mixer can open.

Off by default. If SOTTOVOCE_MIXERS names two hosts, the sweeper that does not hold the lease is the spare. It
offers keys of its own, by the same steps as the mixer (`surveys.intake.keys`). The transaction that offers a
mixer's key also stores a copy of its private half, sealed under the spare's current key. So a waiting row can
be opened by both machines, and is sealed once, by web processes that know nothing of the spare.

If the mixer is gone, the spare acquires the lease, adopts the copied keys, and seals all waiting rows again.
The mixer replaces every key that has no copy under the spare's current key. So the spare's keys are destroyed
as soon as the mixer's: when no copy is sealed under them, minutes after they were made.

A thief of either machine learns the same: see docs/adr/0016-a-spare-mixer.md.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable

from cryptography.exceptions import InvalidTag
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from surveys.intake.database_clock import database_clock
from surveys.intake.key_age import is_old
from surveys.intake.key_folder import KeyFolder
from surveys.intake.sealed_boxes import PrivateKey, PublicKey, open_box, seal
from surveys.models import Inbox, KeyCopy, MixerKey, SpareKey


def host_name() -> str:
    """Return the name of this machine, as in SOTTOVOCE_MIXERS."""
    return socket.gethostname()


def spare_of(mixer: str) -> SpareKey | None:
    """Return the key under which a mixer of this machine stores copies; None without a spare elsewhere."""
    others = set(settings.SOTTOVOCE_MIXERS) - {host_name()}
    if not others:
        return None
    offered = SpareKey.objects.filter(current=True, vouched_until__gt=database_clock(), host__in=others)
    return offered.exclude(mixer=mixer).first()


def copies_store(keys: Iterable[PrivateKey], mixer: str) -> None:
    """Store copies of a mixer's new keys for its spare, inside the transaction that offers the keys."""
    spare = spare_of(mixer)
    if spare is None:
        return
    # Lock the spare's key: if it were retired now, it could be destroyed before the copies are visible.
    locked = SpareKey.objects.select_for_update(no_key=True).filter(name=spare.name, current=True)
    if not locked.exists():
        return
    under = PublicKey(name=bytes(spare.name), public=bytes(spare.public))
    KeyCopy.objects.bulk_create(
        KeyCopy(
            name=key.public_key.name,
            spare=under.name,
            box=seal(key.raw, under=under, design_id=key.public_key.name.hex()),
        )
        for key in keys
    )


def names_copied(spare: SpareKey) -> set[bytes]:
    """Return the names of the keys that have a copy under a spare's key."""
    return {bytes(name) for name in KeyCopy.objects.filter(spare=spare.name).values_list("name", flat=True)}


def spare_offer(folder: KeyFolder, mixer: str) -> None:
    """Offer this mixer's key for copies, and replace it when it is old, unless another spare offers one."""
    if host_name() not in settings.SOTTOVOCE_MIXERS:
        return
    offered = SpareKey.objects.filter(current=True).first()
    if offered is not None and offered.mixer == mixer:
        if spare_vouch(folder, mixer) and not is_old(offered.drawn_at):
            return
    elif SpareKey.objects.filter(current=True, vouched_until__gt=database_clock()).exists():
        return
    key = PrivateKey.generate()
    folder.write(key)
    if not folder.opens_a_test_box(key.public_key):
        raise RuntimeError("a key was written and cannot be read again")
    with transaction.atomic():
        SpareKey.objects.filter(current=True).update(current=False)
        SpareKey.objects.create(
            name=key.public_key.name,
            public=key.public_key.public,
            mixer=mixer,
            host=host_name(),
            current=True,
            drawn_at=timezone.now(),
            vouched_until=database_clock() + settings.SOTTOVOCE_VOUCH,
        )


def spare_vouch(folder: KeyFolder, mixer: str) -> bool:
    """Renew the vouch for this mixer's key for copies if it opens a test box; return whether it did."""
    own = SpareKey.objects.filter(mixer=mixer, current=True).first()
    if own is None or not folder.opens_a_test_box(PublicKey.of(bytes(own.public))):
        return False
    until = database_clock() + settings.SOTTOVOCE_VOUCH
    return SpareKey.objects.filter(name=own.name, current=True).update(vouched_until=until) == 1


def spare_retire(mixer: str) -> None:
    """Stop making copies under the keys of this mixer, because it is the mixer from now on."""
    SpareKey.objects.filter(mixer=mixer, current=True).update(current=False)


def copied_keys_adopt(folder: KeyFolder, mixer: str) -> None:
    """Make keys of other mixers this mixer's own, if it has their copies and they do not hold the lease.

    They are retired, so the next pass seals their rows again and destroys them like its own. The files of
    a mixer that returns are orphans then.
    """
    holder = MixerKey.objects.filter(current=True, version_id=None).values("mixer")
    lost = MixerKey.objects.exclude(mixer=mixer).exclude(mixer__in=holder)
    copies = KeyCopy.objects.filter(spare__in=SpareKey.objects.filter(mixer=mixer).values("name"))
    for copy in copies.filter(name__in=lost.values("name")):
        key = _opened(copy, folder)
        if key is None:
            continue
        if folder.read(key.public_key.name) is None:
            folder.write(key)
        with transaction.atomic():
            lost.filter(name=copy.name).update(mixer=mixer, current=False)
            KeyCopy.objects.filter(name=copy.name).delete()


def _opened(copy: KeyCopy, folder: KeyFolder) -> PrivateKey | None:
    own = folder.read(bytes(copy.spare))
    if own is None:
        return None
    name = bytes(copy.name)
    try:
        key = PrivateKey.of(open_box(bytes(copy.box), key=own, design_id=name.hex()))
    except (InvalidTag, ValueError):
        return None
    return key if key.public_key.name == name else None


def spare_status() -> str:
    """Return whether a spare has copies of the keys of all waiting rows: "ok", "no spare" or "behind".

    Rows of machines that are gone do not count: no one can open them, so no copy could be made.
    """
    offered = SpareKey.objects.filter(current=True, vouched_until__gt=database_clock())
    spare = offered.filter(host__in=settings.SOTTOVOCE_MIXERS).first()
    if spare is None:
        return "no spare"
    copied = KeyCopy.objects.filter(spare__in=SpareKey.objects.filter(mixer=spare.mixer).values("name"))
    holder = MixerKey.objects.filter(current=True, version_id=None).values("mixer")
    theirs = MixerKey.objects.filter(Q(mixer__in=holder) | Q(mixer=spare.mixer))
    needed = theirs.filter(Q(current=True) | Q(name__in=Inbox.objects.values("sealed_under")))
    return "behind" if needed.exclude(name__in=copied.values("name")).exists() else "ok"
