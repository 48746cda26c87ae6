"""Attack an installation and simulated surveys, and print the results: ``python -m tests.attack``.

Run it in a checkout, with the installation's environment (SOTTOVOCE_HOME, DATABASE_URL). The exit code is 0
if no attack learnt more than promised, 1 if one did, and 2 if an attack could not run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.attack.learnt import Learnt

NAMES = (
    *("linkage", "nights", "keys", "life", "figures", "flood", "label"),
    *("asked", "forged", "codes", "half-sent", "release"),
)
"""Names of the attacks on simulated surveys, needed before Django is set up."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the attacks and print them; return 1 if one learnt more than promised."""
    chosen = _parser().parse_args(arguments)
    from surveys.errors.error import SurveyError
    from tests.attack.learnt import AttackError, as_lines

    try:
        results = [_reported(result) for result in _results(chosen)]
    except (AttackError, SurveyError) as error:
        sys.stderr.write(f"attack: {error}\n")
        return 2
    if chosen.json:
        sys.stdout.write(json.dumps({"attacks": [asdict(each) for each in results]}))
    else:
        sys.stdout.write("\n".join(as_lines(results)) + "\n")
    return int(any(each.beyond_chance for each in results))


def _reported(result: Learnt) -> Learnt:
    """Report on stderr that an attack has ended; the results are printed after the last one."""
    sys.stderr.write(f"attack: {time.strftime('%H:%M:%S')} ended: {result.attack} ({result.tried})\n")
    sys.stderr.flush()
    return result


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.attack",
        description=(
            "Attack this installation's database, reading only, and surveys that are made up in a database "
            "of their own, and print what each attack learnt, next to the result of guessing."
        ),
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--installation", action="store_true", help="attack this installation only")
    what.add_argument("--made-up", action="store_true", help="attack made-up surveys only")
    what.add_argument(
        "--made-up-here",
        action="store_true",
        help="make the surveys up in this very database, which must have none",
    )
    parser.add_argument(
        "--share", type=_share, default=1.0, help="share of the trials to run, at most 100 (default: 1)"
    )
    parser.add_argument("--seed", type=_seed, default=1, help="of the made-up people (default: 1)")
    parser.add_argument(
        "--only", nargs="+", choices=NAMES, metavar="NAME", help=f"of made-up surveys: {', '.join(NAMES)}"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _share(text: str) -> float:
    share = float(text)
    if not 0 < share <= 100:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most 100")
    return share


def _seed(text: str) -> int:
    seed = int(text)
    if seed < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return seed


def _results(chosen: argparse.Namespace) -> Iterator[Learnt]:
    from tests.attack.installation import attack_installation
    from tests.attack.scratch import attack_in_scratch

    if chosen.made_up_here:
        yield from _made_up_here(chosen)
        return
    if not chosen.made_up:
        yield from attack_installation()
    if not chosen.installation:
        only = ["--only", *chosen.only] if chosen.only else []
        yield from attack_in_scratch(f"--share={chosen.share}", f"--seed={chosen.seed}", *only)


def _made_up_here(chosen: argparse.Namespace) -> Iterator[Learnt]:
    from django.conf import settings

    from surveys.models import Survey
    from tests.attack.learnt import AttackError
    from tests.attack.made_up import ATTACKS, Effort, attack_made_up

    if Survey.objects.exists():
        raise AttackError("this database has surveys; leave --made-up-here out to attack a new database")
    effort = Effort().part(chosen.share)
    # No sweeper renews the vouch for the keys of this database.
    settings.SOTTOVOCE_VOUCH = timedelta(minutes=10)
    with tempfile.TemporaryDirectory(prefix="sottovoce-attack-") as directory:
        names = chosen.only or tuple(ATTACKS)
        yield from attack_made_up(Path(directory), effort=effort, seed=chosen.seed, names=names)


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    django.setup()
    sys.exit(main())
