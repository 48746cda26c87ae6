"""Write a page as a Jupyter notebook: ``python -m docs.gallery_notebook docs/gallery.md gallery.ipynb``."""

from __future__ import annotations

import argparse
import doctest
import json
import re
from pathlib import Path
from typing import Any, Final

PAGE: Final = Path(__file__).with_name("gallery.md")

SESSION: Final = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def notebook(page: str) -> dict[str, Any]:
    """Return a page as a notebook of format 4.5: its text, and its sessions as cells.

    A cell ends where something is printed: of several expressions Jupyter shows the last one alone.
    """
    cells: list[dict[str, Any]] = []
    for number, part in enumerate(SESSION.split(page)):
        if number % 2 == 0:
            cells.append({"cell_type": "markdown", "metadata": {}, "source": part.strip()})
            continue
        code = ""
        for example in doctest.DocTestParser().get_examples(part):
            code += example.source
            if example.want:
                cells.append(_code(code, example.want))
                code = ""
        if code:
            cells.append(_code(code, ""))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _code(source: str, printed: str) -> dict[str, Any]:
    outputs = [{"output_type": "stream", "name": "stdout", "text": printed}] if printed else []
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": outputs}
    return cell | {"source": source.rstrip("\n")}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", nargs="?", type=Path, default=PAGE, help="page with examples")
    parser.add_argument("notebook", nargs="?", type=Path, default="gallery.ipynb", help="file to write")
    given = parser.parse_args()
    if given.page.suffix == ".ipynb":
        # With one argument, it is the file to write.
        given.page, given.notebook = PAGE, given.page
    text = json.dumps(notebook(given.page.read_text(encoding="utf-8")), ensure_ascii=False, indent=1)
    given.notebook.write_text(text + "\n", encoding="utf-8")
