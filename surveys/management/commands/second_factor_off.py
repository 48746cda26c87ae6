"""`manage.py second_factor_off NAME --reason TEXT`: for a lost app and lost recovery codes."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser

from surveys.accounts.second_factor import second_factor_off
from surveys.errors.error import refused
from surveys.management.refusing import RefusingCommand


class Command(RefusingCommand):
    """Take the second factor off an account."""

    help = (
        "Take the second factor off an account whose owner lost the device. Their sessions end, their "
        "password stays, and the log has the reason."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add NAME and --reason."""
        parser.add_argument("name", help="the log-in name")
        parser.add_argument("--reason", required=True, help="why; it stands in the log")

    def handle(self, *args: Any, **options: Any) -> None:
        """Take it off."""
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise refused("option.account", name=options["name"])
        second_factor_off(user, by="command line", reason=options["reason"])
        self.stdout.write(f"{user.get_username()} logs in with the password alone.")
