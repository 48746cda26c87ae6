"""The refusal of this room: a table, a hierarchy or a request that no safe release can be made from."""

from __future__ import annotations

from privacy.errors import PrivacyError

__all__ = ["ReleaseError"]


class ReleaseError(PrivacyError):
    """Microdata, or a wish about their release, that cannot be met; names column and value."""
