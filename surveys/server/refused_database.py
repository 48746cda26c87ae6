"""The error of a database that is not this program's.

This module imports nothing, because the command line imports it before settings are read.
"""

from __future__ import annotations


class RefusedDatabaseError(Exception):
    """The database is not this program's, or not prepared. This is not handled as a database outage.

    Parameters
    ----------
    sentence : str
        What is so and what to do, from `surveys.server.state`.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence[:1].lower() + sentence[1:])
