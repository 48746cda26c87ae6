"""`manage.py administrator NAME`: the first administrator, or the way back in for one who is locked out."""

import json
from typing import Any

from django.conf import settings
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandParser
from django.core.validators import validate_email

from surveys.accounts.people import administrator_ensure, link_path
from surveys.errors.error import refused


class Command(BaseCommand):
    """Make an account an administrator."""

    help = (
        "Make an account an administrator, a new one if there is none of this name, and print a link that "
        "sets its password, once. A password that it has stops to work, its sessions end, and failed log-ins "
        "are forgotten."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add NAME, --address, --mail and --json."""
        parser.add_argument("name", help="the log-in name")
        parser.add_argument(
            "--address",
            default="",
            help="the site, such as https://survey.example.org/, to print a whole address",
        )
        parser.add_argument(
            "--mail", default="", help="where they are written to when something is wrong, with SOTTO_MAIL"
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make them one, and print the link."""
        name = options["name"]
        try:
            UnicodeUsernameValidator()(name)
        except ValidationError as error:
            raise refused("administrator.name", name=name) from error
        mail = options["mail"]
        try:
            if mail:
                validate_email(mail)
        except ValidationError as error:
            raise refused("administrator.mail", mail=mail) from error
        user, is_new = administrator_ensure(name, by="command line", email=mail)
        link = options["address"].rstrip("/") + link_path(user)
        if options["json"]:
            self.stdout.write(json.dumps({"name": user.get_username(), "new": is_new, "link": link}))
            return
        hours = settings.PASSWORD_RESET_TIMEOUT // 3600
        self.stdout.write(f"{user.get_username()} is an administrator ({'new' if is_new else 'was there'}).")
        self.stdout.write(f"Set the password within {hours} hours, once: {link}")
        if not options["address"]:
            self.stdout.write("Put the site before it, or give --address https://survey.example.org")
