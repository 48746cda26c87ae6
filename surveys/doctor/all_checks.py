"""All checks, in the order of the report."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import DatabaseError

from surveys.doctor import configuration, files, mixer, pages, parts, storage, traces
from surveys.doctor.finding import Check, CheckContext, Finding, broken

CHECKS: tuple[Check, ...] = (
    *configuration.CHECKS,
    *storage.CHECKS,
    *traces.CHECKS,
    *mixer.CHECKS,
    *parts.CHECKS,
    *files.CHECKS,
    *pages.CHECKS,
)


def examine(context: CheckContext, checks: tuple[Check, ...] = CHECKS) -> Iterator[Finding]:
    """Run the checks, one after another; one that cannot look is a finding of its own."""
    for check in checks:
        try:
            yield from check(context)
        except (DatabaseError, OSError) as error:
            promise = check.__name__.strip("_").replace("_", " ")
            said = " ".join(str(error).split())[:200]
            yield broken(promise, f"could not look: {said}", "Remove what is in the way, and ask again.")
