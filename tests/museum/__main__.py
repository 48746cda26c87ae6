"""Make an exhibit of this commit, or open every page of an installation.

``python -m tests.museum make NAME`` fills an empty database and writes it as the exhibit NAME;
``python -m tests.postgresql python -m tests.museum make NAME`` does so on PostgreSQL.
``python -m tests.museum walk MOST`` prints the pages that fail, as JSON; MOST limits the pages of one view.
``python -m tests.museum manage JSON`` runs several commands, or ``walk``, in one process, as lists of words.
``python -m tests.museum stumble MOST`` stops at the first page that fails.
``python -m tests.museum figures all`` prints which results of earlier formats ask for a new analysis.
"""

import argparse
import json
import math
import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Run a command of the museum in its own process, with test settings."""
    from tests.museum.exhibits import ENDINGS, FOLDER, SECRET_KEY, postgresql_write, sqlite_write

    os.environ.setdefault("SECRET_KEY", SECRET_KEY)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    command, name = arguments
    if command == "manage":
        for words in json.loads(name):
            if words[0] == "walk":
                from tests.museum.walk import walk

                sys.stdout.write(f"\n{json.dumps(walk(int(words[1])))}\n")
            else:
                call_command(*words)
        return 0
    if command in ("walk", "stumble"):
        from tests.museum.walk import walk

        json.dump(walk(int(name), failures=math.inf if command == "walk" else 1), sys.stdout)
        return 0
    if command == "figures":
        from tests.museum.walk import unlabelled

        json.dump(unlabelled(), sys.stdout)
        return 0
    assert command == "make", arguments
    from tests.attack.scratch import database_url
    from tests.museum.contents import fill

    call_command("migrate", verbosity=0)
    fill()
    exhibit = FOLDER / f"{name}{ENDINGS[connection.vendor]}"
    if connection.vendor == "sqlite":
        sqlite_write(connection.settings_dict["NAME"], exhibit)
    else:
        postgresql_write(database_url(), exhibit)
    sys.stdout.write(f"{exhibit}: {exhibit.stat().st_size:,} bytes\n")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=["make", "walk", "manage", "stumble", "figures"])
    parser.add_argument("name", help="NAME, MOST, JSON or all")
    chosen = parser.parse_args()
    sys.exit(main([chosen.command, chosen.name]))
