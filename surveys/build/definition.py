"""A survey's definition file, read into a design and its wording.

The *design* is what decides the law of what devices send, and gives the answers their meaning for good. The
*wording* is what people read: texts in each language, and the prevalence that the researcher states for each
protected item, from which the page computes the odds it promises. A change of either makes a new version, but
answers are counted together as long as the design is the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from privacy.disguise.design import Block, Design, GroupPolicy
from privacy.errors import DesignError
from surveys.build.block_definition import BlockReader
from surveys.build.problems import DefinitionError, Problem, Problems, joined, shown
from surveys.build.texts import TextReader

FORMAT: Final = 1
ABOUT: Final = ("researcher", "purpose", "ethics", "contact", "retention", "age_limit", "help")
SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?", re.ASCII)
MOST_BYTES: Final = 2_000_000


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A definition that can be published.

    Parameters
    ----------
    slug : str
        The survey's name in addresses.
    title : dict of str to str
        By language.
    practice : bool
        Whether answers are for trying only.
    design : Design
    wording : dict
        ``{"title", "about": {...}, "blocks": [{"key", "title", "questions": [{"key", "text", "help",
        "options": [{"key", "text"}], "prevalence"}]}]}``; every text is an object by language, help may be
        null.
    document : dict
        What was read.
    """

    slug: str
    title: dict[str, str]
    practice: bool
    design: Design
    wording: dict[str, Any]
    document: dict[str, Any]

    @property
    def wording_id(self) -> str:
        """SHA-256 (64 hex digits) of the canonical JSON of the wording, as for ``design_id``."""
        text = json.dumps(self.wording, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


def definition_load(path: Path) -> Any:
    """Read a definition file; return its JSON document, for `definition_parse`.

    Raises
    ------
    DefinitionError
        The file is missing, too large, not UTF-8 or not JSON, or names a member of an object twice.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _refusal(f"{path} cannot be read: {error.strerror}", "name a file that you may read") from error
    if len(raw) > MOST_BYTES:
        raise _refusal(f"{path} has more than {MOST_BYTES} bytes", "make it smaller")
    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise _refusal(f"{path} is not UTF-8 from byte {error.start} on", "save it as UTF-8") from error
    except json.JSONDecodeError as error:
        raise _refusal(
            f"{path} is not JSON: line {error.lineno}, column {error.colno}: {error.msg}", "mend it there"
        ) from error
    except DefinitionError:
        raise
    except ValueError as error:
        # Python does not turn thousands of digits into a number.
        raise _refusal(f"{path} holds too long a number", "write ten-thousandths, 0 to 10000") from error
    except RecursionError as error:
        raise _refusal(f"{path} is nested too deeply", "follow the shape of the example") from error


def definition_parse(document: object) -> Definition:
    """Return the definition that a JSON document describes.

    Raises
    ------
    DefinitionError
        With every problem found, each with path, value and remedy.
    """
    problems = Problems()
    survey = problems.members(
        document, "", needed=("sotto", "slug", "title", "practice", "about", "group", "blocks")
    )
    if survey is None:
        raise DefinitionError(problems.found)
    _check_head(survey, problems)
    texts = TextReader.for_title(survey["title"], problems)
    about = _read_about(survey["about"], texts, problems)
    group = _read_group(survey["group"], problems)
    reader = BlockReader(texts=texts, problems=problems)
    blocks = [
        reader.block(entry, f"blocks[{number}]")
        for number, entry in enumerate(problems.entries(survey["blocks"], "blocks"))
    ]
    whole = [block for block in blocks if block is not None]
    if group is None or problems.found:
        raise DefinitionError(problems.found)
    return Definition(
        slug=survey["slug"],
        title=survey["title"],
        practice=survey["practice"],
        design=_read_design(tuple(block.design for block in whole), group),
        wording={
            "title": survey["title"],
            "about": about,
            "blocks": [block.wording for block in whole],
        },
        document=survey,
    )


def _check_head(survey: dict[str, Any], problems: Problems) -> None:
    if survey["sotto"] != FORMAT or isinstance(survey["sotto"], bool):
        problems.add("sotto", f"{shown(survey['sotto'])} is no format known here", f"write {FORMAT}")
    slug = survey["slug"]
    if not isinstance(slug, str) or SLUG.fullmatch(slug) is None:
        problems.add(
            "slug",
            f"{shown(slug)} cannot stand in an address",
            "use at most 50 small letters, digits and hyphens, a letter or digit first and last",
        )
    if not isinstance(survey["practice"], bool):
        problems.add("practice", f"{shown(survey['practice'])} is no answer", "say true or false")


def _read_about(document: object, texts: TextReader, problems: Problems) -> dict[str, dict[str, str]]:
    # Respondents are told all of these before the first question: none may be missing.
    about = problems.members(document, "about", needed=ABOUT)
    return {} if about is None else {name: texts.text(about[name], f"about.{name}") for name in ABOUT}


def _read_group(document: object, problems: Problems) -> GroupPolicy | None:
    group = problems.members(document, "group", needed=("policy",), allowed=("direct_share",))
    if group is None:
        return None
    try:
        return GroupPolicy(policy=group["policy"], direct_share=group.get("direct_share"))
    except DesignError as error:
        member = "direct_share" if error.code == "direct_share" else "policy"
        problems.add(f"group.{member}", error.message, error.remedy)
        return None


def _read_design(blocks: tuple[Block, ...], group: GroupPolicy) -> Design:
    """Return the live design of these blocks.

    What blocks refuse about each other is found by adding one after another: the refusal names the first
    block that does not go with those before it.
    """
    if not blocks:
        raise _refusal("there is no block", "give at least one", path="blocks")
    for number in range(1, len(blocks) + 1):
        try:
            design = Design(blocks=blocks[:number], group=group, use="live")
        except DesignError as error:
            member = error.code if error.code in ("truth_probability", "asked_if") else ""
            path = f"blocks[{number - 1}]"
            raise _refusal(
                error.message, error.remedy, path=joined(path, member) if member else path
            ) from error
    return design


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for name, value in pairs:
        if name in document:
            raise _refusal(f"{shown(name)} occurs twice in one object", "keep one of the two")
        document[name] = value
    return document


def _no_constant(name: str) -> None:
    raise _refusal(f"{name} is not JSON", "write a number")


def _refusal(message: str, remedy: str, *, path: str = "") -> DefinitionError:
    return DefinitionError([Problem(path=path, message=message, remedy=remedy)])
