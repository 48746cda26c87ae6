"""The script and the style of a frame: the respondent's own components, joined as those of its page are."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from privacy.survey.design import Design
from surveys.respondent.client_program import MODULES, small_style
from surveys.respondent.joining import join_modules

__all__ = ["frame_scripts", "frame_style"]

ENTRANCE: Final = "embed"
_STYLE: Final = MODULES.parent / "css" / "sotto.css"
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
# What of the pages' style no frame shows: maps, tables, the masthead, what is printed.
_RULE: Final = re.compile(r"[^{}]+\{[^{}]*\}")
_NOT_SHOWN: Final = re.compile(
    r"\.(masthead|wordmark|skip-link|banner|card|matrix|map|odds|dots?|digest|draws|trial|receipt|code|about|"
    r"answers|progress|table-scroll|mono|marks|say|coin|lines|asked|tag|field|note--warn|survey-name|part)"
    r"\b|data-(odds|intro|words)|^\s*(progress|table|th,|tbody)|h[14]\b[^,]*\{|--(mono|shadow|warn-soft)\)"
)


@lru_cache(maxsize=1)
def _joined() -> dict[str, str]:
    # A frame asks for no place: what maps take is left out of it.
    def read(name: str) -> str:
        return (MODULES / f"{'no-places' if name == 'places' else name}.js").read_text(encoding="utf-8")

    return join_modules(read, ENTRANCE)


def frame_scripts(design: Design) -> dict[str, bytes]:
    """Return the scripts that a frame of a design loads, by file name; the entrance first."""
    needed = {
        ENTRANCE: True,
        "drawing": design.rotates,
        "number-field": any(question.kind == "number" for question in design.questions),
    }
    return {f"{name}.js": _joined()[name].encode() for name, is_needed in needed.items() if is_needed}


@lru_cache(maxsize=1)
def frame_style() -> bytes:
    """Return the style of the respondent's page without what a frame does not show."""
    text = _COMMENT.sub("", _STYLE.read_text(encoding="utf-8"))
    text = _RULE.sub(lambda rule: "" if _NOT_SHOWN.search(rule[0]) else rule[0], text)
    text = re.sub(r"@media print\s*\{\s*([^{}]*\{[^{}]*\}\s*)*\}", "", text)
    text = re.sub(r"@media[^{]*\{\s*\}", "", text)
    own = ".quiet.frame{min-block-size:0;display:block}.frame main{padding-block:var(--space-3)}"
    return (small_style(text) + own).encode()
