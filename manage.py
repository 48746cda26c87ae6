#!/usr/bin/env python
"""Run Sotto's management commands."""

from surveys.management.__main__ import main

if __name__ == "__main__":
    main()
