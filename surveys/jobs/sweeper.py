"""The sweeper, a process that mixes, closes and deletes what is due, in rounds."""

from __future__ import annotations

from typing import Final

SWEEPER_HEARTBEAT: Final = "sweeper"
"""Name of the heartbeat that it records in each round."""

SECONDS_BETWEEN_ROUNDS: Final = 2.0
"""How long it waits after a round."""
