"""Write a page as a Jupyter notebook: ``python -m docs.gallery_notebook docs/gallery.md gallery.ipynb``."""

from __future__ import annotations

import doctest
import json
import re
import sys
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
    *pages, made = sys.argv[1:] or ["gallery.ipynb"]
    page = Path(pages[0]) if pages else PAGE
    text = json.dumps(notebook(page.read_text(encoding="utf-8")), ensure_ascii=False, indent=1)
    Path(made).write_text(text + "\n", encoding="utf-8")
