#!/usr/bin/env python
"""Run Sottovoce's management commands."""

from pathlib import Path

from surveys.management.__main__ import compile_catalogue, main

if __name__ == "__main__":
    compile_catalogue(Path(__file__).parent)
    main()
