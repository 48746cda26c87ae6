"""Imported rows that no device sends: earlier releases took them in, and their figures are off."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mining.columns.strict_rows import impossible_rows
from privacy.survey.design import Design
from surveys.models import AuditEvent, Batch, Version

__all__ = ["impossible_imports", "surveys_with_impossible_imports"]


def impossible_imports(version: Version) -> int:
    """Count the imported rows of a version's design that no device sends.

    Releases before `asked:BLOCK` stored a skipped row of a part of which each device asks some questions as
    asked all of them, and took rows of more questions or parts than a device draws. Surveys whose devices
    draw nothing, and those that were answered here, are not read.
    """
    design = version.to_design()
    imports = AuditEvent.objects.filter(action="rows_import", target=version.survey.slug)
    if not design.rotates or not imports.exists():
        return 0
    batches = Batch.objects.filter(version__survey=version.survey_id, version__design_id=version.design_id)
    # Batches never change: each is read once by a process.
    return sum(_impossible(design, pk, digest) for pk, digest in batches.values_list("pk", "digest"))


@lru_cache(maxsize=1024)
def _impossible(design: Design, batch: int, _digest: str) -> int:
    """Count such rows of one batch."""
    impossible = impossible_rows(design, bytes(Batch.objects.values_list("packed", flat=True).get(pk=batch)))
    return 0 if impossible is None else impossible.n


def surveys_with_impossible_imports() -> Iterator[tuple[str, int]]:
    """Yield the names of such surveys, and how many rows each has."""
    imported = AuditEvent.objects.filter(action="rows_import").values_list("target", flat=True)
    versions = Version.objects.filter(survey__slug__in=set(imported)).select_related("survey")
    for version in versions.only("design", "design_id", "survey__slug").order_by("survey__slug"):
        if n := impossible_imports(version):
            yield version.survey.slug, n
