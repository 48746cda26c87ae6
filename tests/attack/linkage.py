"""Linkage attack: copy the database's files after every mix, and pair rows with receipts."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from subprocess import SubprocessError

from django.db import DatabaseError, connection
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.intake.mix import NIGHT, mix, mix_waiting
from surveys.models import Batch, Beat, Survey
from tests.attack import server, sqlite_files
from tests.attack.matching import most_by_chance
from tests.attack.respondents import ACTOR, Respondents
from tests.attack.server import ServerTheft
from tests.attack.sqlite_files import Theft

__all__ = ["FALSE_ALARM", "Linked", "Watched"]

FALSE_ALARM = 1e-6
"""Probability that an attack passes the limit by chance."""


@dataclass(frozen=True, kw_only=True)
class Linked:
    """How many rows each attack linked to the right receipt.

    Attributes
    ----------
    rows : int
        Number of rows in batches.
    by_attack : mapping of str to int
    by_chance : int
        Expected number of right guesses, one for each batch.
    limit : int
        Exceeded by chance once in a million.
    """

    rows: int
    by_attack: Mapping[str, int]
    by_chance: int
    limit: int


class Watched:
    """A survey whose database is copied repeatedly, on SQLite or PostgreSQL.

    Parameters
    ----------
    respondents : Respondents
    folder : Path
        Folder for copies of SQLite's files.

    Attributes
    ----------
    unread : str
        Why the files of PostgreSQL's cluster could not be read; empty if they were.
    """

    def __init__(self, respondents: Respondents, folder: Path) -> None:
        self.respondents, self.folder = respondents, folder
        self.files: list[Theft] = []
        self.servers: list[ServerTheft] = []
        self.unread = ""

    def steal(self, *, with_files: bool = False) -> None:
        """Copy the current state; for PostgreSQL, also the cluster's files if requested."""
        if connection.vendor == "sqlite":
            into = self.folder / str(len(self.files))
            database = Path(connection.settings_dict["NAME"])
            version, row_bytes = self.respondents.version, self.respondents.row_bytes
            what = {"survey": version.survey_id, "version": version.pk, "row_bytes": row_bytes}
            self.files.append(Theft.of(database, into, **what))
            return
        theft = ServerTheft.of_now(self.respondents)
        if with_files:
            try:
                theft = ServerTheft.of_now(self.respondents, with_files=True)
            except (OSError, SubprocessError, DatabaseError) as error:
                # An account without server rights cannot read files; a thief of the machine can.
                self.unread = str(error).strip()
        self.servers.append(theft)

    def answer_and_mix(self, *, batches: int, rows: int) -> None:
        """Let `rows` people answer before each mix, and steal after it. The first `rows` fill the pool."""
        self.respondents.answer(rows)
        for number in range(batches):
            self.respondents.answer(rows)
            if connection.vendor != "sqlite":
                self.steal()
            mix(now=timezone.now())
            self.steal(with_files=number == batches - 1)

    def answer_nightly(self, *, nights: int, a_day: int) -> None:
        """Let `a_day` people answer each day, steal the backup each night, then close the survey.

        The mixer runs in the morning, once the night has passed, and in the evening.
        """
        for _ in range(nights):
            Beat.objects.filter(name=NIGHT).delete()
            mix_waiting()
            self.respondents.answer(a_day)
            mix_waiting()
            self.steal()
        survey = Survey.objects.get(pk=self.respondents.version.survey_id)
        survey_close(survey, by=ACTOR, now=timezone.now(), at_once=True)
        self.steal()

    def linked(self) -> Linked:
        """Return how many rows each attack links to the right receipt."""
        batches = Batch.objects.filter(version=self.respondents.version)
        sizes = list(batches.values_list("n", flat=True))
        if self.files:
            guesses = {name: attack(self.files) for name, attack in sqlite_files.ATTACKS.items()}
        else:
            without = frozenset() if self.servers[-1].files else server.OF_FILES
            tried = [name for name in server.ATTACKS if name not in without]
            guesses = {name: server.ATTACKS[name](self.servers) for name in tried}
        return Linked(
            rows=sum(sizes),
            by_attack={name: self.respondents.linked(guess) for name, guess in guesses.items()},
            by_chance=len(sizes),
            limit=most_by_chance(sizes, alarm=FALSE_ALARM),
        )


class Lazy:
    """A shuffler that does not shuffle."""

    def shuffle(self, x: list[bytes], /) -> None:
        """Keep the order."""
