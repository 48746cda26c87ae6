"""`manage.py administrator NAME`: create the first administrator, or help someone who is locked out."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.core.management.base import CommandParser
from django.core.validators import validate_email

from privacy.counted_nouns import counted
from surveys.accounts.people import administrator_ensure, link_path
from surveys.accounts.second_factor import second_factor_off
from surveys.errors.error import refusal
from surveys.management.refusing_command import RefusingCommand


class Command(RefusingCommand):
    """Make an account an administrator, or remove a lost second factor from any account."""

    help = (
        "Make an account an administrator, creating it if needed, and print a single-use link for its "
        "password. Its current password stops working, its sessions end, and failed logins are cleared. "
        "With --second-factor-off it only removes the second factor of an account, whose owner lost it, "
        "and ends its sessions."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add NAME, --address, --mail, --second-factor-off and --json."""
        parser.add_argument("name", help="the login name")
        parser.add_argument(
            "--address",
            default="",
            help="the site, such as https://survey.example.org/, to print a full address",
        )
        parser.add_argument("--mail", default="", help="address for mail about problems, with SOTTOVOCE_MAIL")
        parser.add_argument(
            "--second-factor-off",
            metavar="REASON",
            help="only remove the second factor of an account of any role; the log stores the reason",
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the account an administrator and print the link, or remove its second factor."""
        name = options["name"]
        if options["second_factor_off"] is not None:
            self._second_factor_off(name, options["second_factor_off"], as_json=options["json"])
            return
        try:
            UnicodeUsernameValidator()(name)
        except ValidationError as error:
            raise refusal("administrator.name", name=name) from error
        mail = options["mail"]
        try:
            if mail:
                validate_email(mail)
        except ValidationError as error:
            raise refusal("administrator.mail", mail=mail) from error
        user, is_new = administrator_ensure(name, by="command line", email=mail)
        link = options["address"].rstrip("/") + link_path(user)
        hours = settings.PASSWORD_RESET_TIMEOUT // 3600
        lines = [
            f"{user.get_username()} is an administrator ({'new' if is_new else 'was there'}).",
            f"Set the password within {counted(hours, 'hour')}, once: {link}",
        ]
        if not options["address"]:
            lines.append("Put the site before it, or give --address https://survey.example.org")
        record = {"name": user.get_username(), "new": is_new, "link": link}
        self._print(record, *lines, as_json=options["json"])

    def _second_factor_off(self, name: str, reason: str, *, as_json: bool) -> None:
        user = User.objects.filter(username=name).first()
        if user is None:
            raise refusal("option.account", name=name)
        second_factor_off(user, by="command line", reason=reason)
        text = f"{user.get_username()} logs in with the password alone."
        self._print({"name": user.get_username(), "second_factor": False}, text, as_json=as_json)
