"""The publication of a table, whose calls fail in turn: see `tests.faults.operations`."""

import shutil
from contextlib import suppress
from itertools import count
from pathlib import Path
from unittest import mock

from django.core.management import CommandError, call_command

from anonymisation.microdata import publication
from tests.fixtures.releases import config_write, rows_of, table_write
from tests.fixtures.result_cache import cached


class Release:
    """A researcher publishes a table as files."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.table, self.plan = table_write(folder, rows_of(n=40)), config_write(folder)
        self.folder, self.numbers = folder / "published", count()
        self.folder.mkdir()
        # The table is the same every time, so it is generalised only once.
        self.prepared = cached(publication.release_prepare, lambda *_table, **_plan: "one")
        self.begin()
        self.act()
        self.wanted = self.files()
        self.done()

    def begin(self) -> None:
        number = next(self.numbers)
        self.out, self.ledger = self.folder / f"out{number}", self.folder / f"ledger{number}.json"

    def act(self) -> None:
        options = {"plan": self.plan, "out": self.out, "ledger": self.ledger, "verbosity": 0}
        with suppress(CommandError), mock.patch.object(publication, "release_prepare", self.prepared):
            call_command("release", self.table, **options)

    def files(self) -> set[str]:
        """Return the names of the files in this trial's folder."""
        return {str(path.relative_to(self.out)) for path in self.out.rglob("*") if path.is_file()}

    def hold(self) -> None:
        assert self.files() in (set(), self.wanted), "half a release"
        assert self.out.exists() or not self.ledger.exists(), "a ledger of a release that was not published"

    def again(self) -> None:
        # The same command, which is refused if the release and its ledger exist.
        self.act()

    def done(self) -> None:
        self.hold()
        assert "deposit/data.csv" in self.wanted
        assert self.files() == self.wanted
        assert self.ledger.exists(), "a release without its ledger"
        assert set(self.folder.iterdir()) == {self.out, self.ledger}, "a draft is left over"
        shutil.rmtree(self.out)
        self.ledger.unlink()
