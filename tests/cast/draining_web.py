"""The web server's application, which goes on answering after SIGTERM until it is killed."""

from __future__ import annotations

from surveys.asgi import application

application.drain_seconds = 3600.0

__all__ = ["application"]
