"""Respondents who answer, and the truth about whose row is whose."""

from __future__ import annotations

import random
from collections.abc import Mapping

from django.utils import timezone

from privacy.survey.layout import Layout
from surveys.intake.receive import submission_receive
from surveys.models import Version
from tests.cast.devices import request_of, sealed_body


class Victims:
    """Respondents of one version.

    Attributes
    ----------
    truth : dict of bytes to bytes
        Receipt key -> packed row.
    row_bytes : int
        Length of a packed row.
    """

    def __init__(self, version: Version) -> None:
        self.version = version
        self.design = version.to_design()
        self.row_bytes = Layout(self.design).n_bytes
        self.rng = random.Random(20261120)
        self.truth: dict[bytes, bytes] = {}

    def answer(self, times: int = 1) -> None:
        """Let so many devices seal and send."""
        for _ in range(times):
            key, body = self.rng.randbytes(16), sealed_body(self.design, self.rng)
            raw = request_of(self.version, key=key.hex(), body=body.hex())
            assert submission_receive(raw, now=timezone.now()).status == 200
            self.truth[key] = body

    def linked(self, guess: Mapping[bytes, bytes]) -> int:
        """Return how many rows a guess links to the right receipt."""
        assert len(set(guess.values())) == len(guess), "a guess names no row twice"
        assert len(set(self.truth.values())) == len(self.truth), "the rows are told apart"
        return sum(self.truth.get(key) == row for key, row in guess.items())
