"""The exhibits: a small database of each release and of each commit that added a migration, per vendor.

An exhibit was made by the program of that time, so it has that program's tables, triggers and rows. It is an
SQLite file or PostgreSQL's SQL, compressed with xz.
"""

import contextlib
import lzma
import re
import sqlite3
import subprocess
import tempfile
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("exhibits")
SECRET_KEY: Final = "museum-museum-museum-museum-museum-museum"
"""The secret key of every exhibit; its rows hold digests and ciphertexts made with it."""


FOREIGN: Final = FOLDER / "foreign"
"""Databases of commits before upgrades were promised, which must be refused."""
ENDINGS: Final = {"sqlite": ".sqlite3.xz", "postgresql": ".postgresql.sql.xz"}


def exhibits(vendor: str, *, folder: Path = FOLDER) -> list[Path]:
    """Return the exhibits of a vendor, oldest first: their names begin with the date."""
    ending = ENDINGS[vendor]
    # Without the ending, which would put 2026-11-27-ledger before 2026-11-27.
    return sorted(folder.glob(f"*{ending}"), key=lambda path: path.name.removesuffix(ending))


def sqlite_write(database: Path, exhibit: Path) -> None:
    """Write the contents of an SQLite file as an exhibit."""
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(sqlite3.connect(database)) as connection:
        copy = Path(folder) / "copy.sqlite3"
        connection.execute("VACUUM INTO ?", [str(copy)])
        _write(exhibit, copy.read_bytes())


def postgresql_write(url: str, exhibit: Path) -> None:
    """Write the contents of a PostgreSQL database as an exhibit."""
    dump = ["pg_dump", "--no-owner", "--no-privileges", f"--dbname={url}"]
    done = subprocess.run(dump, capture_output=True, text=True, check=True)
    # Newer programs begin and end with commands of psql that older ones do not know.
    lines = [line for line in done.stdout.splitlines(True) if not re.match(r"\\(un)?restrict ", line)]
    _write(exhibit, "".join(lines).encode("utf-8"))


def sqlite_load(exhibit: Path, database: Path) -> None:
    """Create an SQLite file with the contents of an exhibit."""
    database.write_bytes(lzma.decompress(exhibit.read_bytes()))


def postgresql_load(exhibit: Path, url: str) -> None:
    """Load an exhibit into an empty PostgreSQL database."""
    play = [
        "psql",
        "--no-psqlrc",
        "--quiet",
        "--single-transaction",
        "--set=ON_ERROR_STOP=1",
        f"--dbname={url}",
    ]
    content = lzma.decompress(exhibit.read_bytes())
    subprocess.run(play, input=content, check=True, stdout=subprocess.DEVNULL)


def _write(exhibit: Path, content: bytes) -> None:
    exhibit.parent.mkdir(parents=True, exist_ok=True)
    exhibit.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
