#!/usr/bin/env python
"""Run Sotto's management commands."""

import os
import sys


def main() -> None:
    """Hand the command line to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    from django.core.management import execute_from_command_line

    from surveys.server.newer_database import NewerDatabaseError

    try:
        execute_from_command_line(sys.argv)
    except NewerDatabaseError as refusal:
        sys.exit(f"sotto: {refusal}")


if __name__ == "__main__":
    main()
