"""Golden vectors of a frame's strings: `python -m tests.vectors.make_frame_vectors` writes frame.json."""

from __future__ import annotations

import os
from typing import Any

import django

from tests.vectors.make_vectors import HERE, written

# Digest, body, random bytes: every letter of the alphabet, every remainder of a length by three.
CASES = (
    ("00" * 32, "60", "000102030405060708"),
    ("ff" * 32, "fbff", "ffffffffffffffffff"),
    ("3e" * 32, "fbefbe", "fbefbefbefbefbefbe"),
    ("0123456789abcdef" * 4, "00108310518720928b30d38f41149351559761969b71d79f", "a1b2c3d4e5f6071829"),
    ("9a" * 32, "8218a39259a7a29aabb2dbafc31cb3d35db7e39ebbf3dfbf", "3cb4ad1f00ff77aa55"),
)


def frame_vectors() -> dict[str, Any]:
    """Return the content of frame.json."""
    # Its refusals are translated: they want settings.
    from surveys.embed.frame import answer_string_write

    return {
        "strings": [
            {
                "digest": digest,
                "body": body,
                "random": random,
                "string": answer_string_write(digest, bytes.fromhex(body), bytes.fromhex(random)),
            }
            for digest, body, random in CASES
        ]
    }


FILES = {"frame.json": frame_vectors}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    for file, make in FILES.items():
        (HERE / file).write_text(written(make()), encoding="ascii")


if __name__ == "__main__":
    main()
