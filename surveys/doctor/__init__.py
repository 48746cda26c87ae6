"""Checks of a running installation: do its promises hold? The command is ``manage.py doctor``."""
