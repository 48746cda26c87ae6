"""What the miner says when it refuses or gives up: a code, the offending value, the remedy."""

from __future__ import annotations

from privacy.errors import PrivacyError

__all__ = ["Cancelled", "MiningError", "OverBudget"]


class MiningError(PrivacyError):
    """Base of every refusal of this package; carries ``code``, ``message``, ``value``, ``remedy``."""


class OverBudget(MiningError):
    """The run would cost more than it may: candidates, time or memory."""


class Cancelled(Exception):
    """Whoever watches the run has asked it to stop; nothing is wrong with data or thresholds."""
