"""Checks that a running installation keeps its promises; the command is ``manage.py doctor``."""
