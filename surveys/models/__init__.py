"""What the database keeps."""

from surveys.models.beat import Beat

__all__ = ["Beat"]
