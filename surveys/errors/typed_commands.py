"""Commands in messages, in the words that the reader can type."""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings

_COMMAND: Final = re.compile(r"(?<![\w/.-])sottovoce (?:(dev)(?![\w-])|(?=[a-z_-]+\b))")
"""A command, and whether it starts everything; not if its place precedes it: ``sv/bin/sottovoce dev``."""


def as_typed(text: str, *, program: str | None = None) -> str:
    """Write the commands of a text as they are typed on this machine.

    Texts contain them as on a server, such as ``sottovoce migrate``. A checkout has no program of that name,
    and its ``./run`` starts everything.

    Parameters
    ----------
    text : str
    program : str, optional
        What to type before the name of a command; by default what the settings say, also for starting
        everything.

    Examples
    --------
    >>> as_typed("Type: sottovoce migrate.", program=".venv/bin/python manage.py")
    'Type: .venv/bin/python manage.py migrate.'
    >>> as_typed("a newer Sottovoce than sottovoce 1.0.0", program="manage.py")
    'a newer Sottovoce than sottovoce 1.0.0'
    """
    start = settings.START if program is None else f"{program} dev"
    program = settings.PROGRAM if program is None else program
    # A function, because a path may contain a backslash.
    return _COMMAND.sub(lambda found: start if found[1] else f"{program} ", text)
