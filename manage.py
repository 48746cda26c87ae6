#!/usr/bin/env python
"""Run Sottovoce's management commands."""

from pathlib import Path

from surveys.management.__main__ import main
from surveys.management.catalogue import compile_catalogues

if __name__ == "__main__":
    compile_catalogues(Path(__file__).parent)
    main()
