"""Write audit events about releases."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from anonymisation.models import Release
from surveys.models.audit_event import audit_event_record


def release_log(release: Release, *, by: User, action: str, detail: dict[str, Any]) -> None:
    """Write an audit event about a release, in the caller's transaction."""
    about = (
        f"release {release.pk}" if release.survey is None else f"{release.survey.slug} release {release.pk}"
    )
    audit_event_record(actor=by.get_username(), action=action, target=about, detail=detail)
