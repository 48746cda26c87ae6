"""The style sheet of a frame: the rules of the respondents' page that a frame uses."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from surveys.respondent.client_program import MODULES, STYLES
from surveys.respondent.small_style import STYLE_COMMENT, small_style

_VARIABLE: Final = re.compile(r"(?<=[{;])(--[\w-]+):[^;}]*;")


# Rules of the pages' style sheet that frames do not need: maps, tables, lists, the masthead, print.
_RULE: Final = re.compile(r"[^{}]+\{[^{}]*\}")
_NOT_SHOWN: Final = re.compile(
    r"\.(masthead|wordmark|skip-link|banner|card|matrix|map|odds|dots?|digest|draws|trial|receipt|code|about|"
    r"actions|answers|progress|table-scroll|mono|marks|say|tag|field|note--warn|survey-name|part|proof)\b|"
    r"data-(intro|words)|^\s*(progress|table|th,|tbody|img|ul,|\.quiet (summary|li \+))|"
    r"h[14]\b[^,]*\{|--(mono|shadow|warn-soft)\)|--(looks|shadow):"
)


@lru_cache(maxsize=1)
def frame_style() -> bytes:
    """Return the respondent's page's style sheet, reduced to what a frame shows."""
    sheets = (MODULES.parent / "css" / name for name in STYLES)
    text = STYLE_COMMENT.sub("", "".join(sheet.read_text(encoding="utf-8") for sheet in sheets))
    text = _RULE.sub(lambda rule: "" if _NOT_SHOWN.search(rule[0]) else rule[0], text)
    text = re.sub(r"@media print\s*\{\s*([^{}]*\{[^{}]*\}\s*)*\}", "", text)
    text = re.sub(r"@media[^{]*\{\s*\}", "", text)
    frame_rules = ".quiet.frame{min-block-size:0;display:block}.frame main{padding-block:var(--space-3)}"
    style = small_style(text) + frame_rules
    return _VARIABLE.sub(lambda found: found[0] if f"var({found[1]})" in style else "", style).encode()
