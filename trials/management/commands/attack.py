"""`manage.py attack`: attack this installation, and made-up surveys, and say what was learnt."""

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from surveys.errors.error import SurveyError, refused
from surveys.management.refusing import RefusingCommand
from surveys.models import Survey
from trials.attacks.installation import attack_installation
from trials.attacks.learnt import Learnt, as_lines
from trials.attacks.made_up import ATTACKS, Effort, attack_made_up
from trials.attacks.scratch import attack_in_scratch

_NAMES = ", ".join(ATTACKS)


class Command(RefusingCommand):
    """Attack."""

    help = (
        "Attack this installation's database, reading only, and surveys that are made up in a database of "
        "their own, and print for each attack what it learnt beside what chance gives. Exit code 0 if no "
        "attack learnt more than is promised, 1 if one did."
    )
    error_returncode = 2

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what is attacked, and how hard."""
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--installation", action="store_true", help="attack this installation only")
        what.add_argument("--made-up", action="store_true", help="attack made-up surveys only")
        what.add_argument(
            "--made-up-here",
            action="store_true",
            help="make the surveys up in this very database, which must have none",
        )
        parser.add_argument(
            "--share", type=float, default=1.0, help="share of the trials that are made (default: 1)"
        )
        parser.add_argument("--seed", type=int, default=1, help="of the made-up people (default: 1)")
        parser.add_argument(
            "--only", nargs="+", choices=tuple(ATTACKS), metavar="NAME", help=f"of made-up surveys: {_NAMES}"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Attack, print, and end with 1 where something was learnt that must not be."""
        if not 0 < options["share"] <= 100:
            raise refused("option.share", share=options["share"])
        if options["seed"] < 0:
            raise refused("option.seed", seed=options["seed"])
        results: list[Learnt] = []
        if options["made_up_here"]:
            results += _made_up_here(options)
        else:
            if not options["made_up"]:
                results += attack_installation()
            if not options["installation"]:
                chosen = ["--only", *options["only"]] if options["only"] else []
                how = f"--share={options['share']}", f"--seed={options['seed']}"
                results += attack_in_scratch(*how, *chosen)
        if options["json"]:
            self.stdout.write(json.dumps({"attacks": [asdict(each) for each in results]}))
        else:
            self.stdout.write("\n".join(as_lines(results)))
        sys.exit(any(each.beyond_chance for each in results))


def _made_up_here(options: dict[str, Any]) -> list[Learnt]:
    if Survey.objects.exists():
        raise SurveyError("attack.not_empty")
    effort = Effort().part(options["share"])
    with tempfile.TemporaryDirectory(prefix="sotto-attack-") as directory:
        names = options["only"] or tuple(ATTACKS)
        return list(attack_made_up(Path(directory), effort=effort, seed=options["seed"], names=names))
