"""Create a file once, though several processes may try."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def made_once(path: Path, text: str) -> str:
    """Return the contents of a file; if it is missing, create it with `text`, readable only by its owner.

    If several processes create it at once, one succeeds and all return its text.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()
