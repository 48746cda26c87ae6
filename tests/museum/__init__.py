"""Databases of earlier commits, which the current program must upgrade, or refuse in words."""
