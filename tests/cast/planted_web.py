"""The web server's application with a leak in it, which PLANTED_LEAK names."""

from __future__ import annotations

import os

from surveys.asgi import application
from tests.cast.planted_leaks import LEAKS

LEAKS[os.environ["PLANTED_LEAK"]].plant(setattr)

__all__ = ["application"]
