"""Settings of Sphinx for the documentation site: the pages, a reference, refusals and measures.

In an environment with requirements-docs.lock, from the root of the checkout:

    python -m sphinx -W --keep-going -b html -c docs/site . build/site
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from docs.reference import measures, refusals

# Not kept in the repository: made from the catalogues and the registry of measures with each build.
Path(__file__).with_name("refusals.md").write_text(refusals(), encoding="utf-8")
Path(__file__).with_name("measures.md").write_text(measures(), encoding="utf-8")

project = "Sottovoce"
copyright = "the Sottovoce authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/site/index"
# Links between pages lead out of docs/ as well: the source is the checkout, and these are its pages.
include_patterns = ["*.md", "*/ARCHITECTURE.md", "audit/README.md", "docs/**"]
exclude_patterns = ["build", "node_modules", "out", ".venv"]
myst_heading_anchors = 4
default_role = "py:obj"
napoleon_google_docstring = False
# Pages are reached by their links, which are strict; the contents name the first of them.
suppress_warnings = ["toc.not_included"]
html_theme_options = {"page_width": "75rem", "body_max_width": "none", "font_family": "system-ui, sans-serif"}
