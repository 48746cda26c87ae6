"""Surveys by invitation, and devices that hold one."""

from __future__ import annotations

import json
import random
import secrets
from typing import Any

from surveys.authoring.publish import survey_import
from surveys.invite.codes import invitations_make, survey_access
from surveys.models import Version
from tests.cast.devices import published, sealed_body, shipped_definition, survey_of


def invited(definition: dict[str, Any] | None = None, **changes: Any) -> Version:
    """Publish a survey by invitation."""
    document = definition or shipped_definition(**{"slug": "work", **changes})
    survey_access(survey_import(document, by="alice"), by_invitation=True, by="alice")
    return published(document)


def codes_of(version: Version, number: int = 1) -> tuple[str, ...]:
    """Make codes for it."""
    return invitations_make(survey_of(version), number=number, by="alice")


def invited_request(version: Version, code: str, **changes: str) -> bytes:
    """Return the bytes of a submission with an invitation; members can be replaced."""
    members = {
        "survey": version.survey.slug,
        "code": code,
        "design_id": version.design_id,
        "body": "",
        "nonce": secrets.token_hex(32),
        **changes,
    }
    if not members["body"]:
        members["body"] = sealed_body(version.to_design(), random.Random(secrets.randbits(64))).hex()
    return json.dumps(members, separators=(",", ":")).encode("ascii")
