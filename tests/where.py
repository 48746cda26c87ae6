"""Find the module of a subject: ``python -m tests.where privacy promise percent``.

Prints the modules whose name, first sentence or definitions have these words, best first, each with its first
sentence. A word counts more in a name than in a definition, and more if few modules have it.
"""

import argparse
import ast
import functools
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from tests.reach import ROOT, files

MOST: Final = 10
"""Modules printed."""

WEIGHTS: Final = (4, 3, 1)
"""Weights of a word in the path, in the first sentence, and anywhere in what the module defines."""

_COMMON = re.compile(r"an?|and|are|as|at|by|for|from|how|in|is|its?|of|on|or|that|the|to|what|which|who|with")
_WORD = re.compile(r"[a-z]+", re.ASCII | re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COMMENT = re.compile(r"/\*\*?(.*?)\*/", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.:]) (?=[A-Z])")
_EXPORT = re.compile(r"^(?:export )?(?:async )?(?:function|class|const) (\w+)", re.MULTILINE)

Texts = tuple[str, str, str]
"""A module's path, its first sentence, and the names and first sentences of what it defines."""


def words(text: str) -> set[str]:
    """Return the words of a text by their beginnings, so that forms of one word agree.

    >>> sorted(words("planned_pairs.py: readPairs"))
    ['pair', 'plan', 'py', 'read']
    """
    found = (word.lower() for word in _WORD.findall(_HUMP.sub(" ", text)))
    return {_stem(word) for word in found if not _COMMON.fullmatch(word)}


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ions", "ion", "ies", "ed", "es", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    # planned -> plann -> plan
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def described(path: str, source: str) -> Texts:
    """Return what a module says about itself, in Python or JavaScript.

    >>> described("a/coins.js", "/** Draw coins.\\n *\\n * Twice. */\\nexport const toss = 1;")
    ('a/coins.js', 'Draw coins.', 'toss')
    """
    if path.endswith(".js"):
        comment = _COMMENT.match(source)
        return (
            path,
            _first(re.sub(r"^ *\* ?", "", comment[1], flags=re.MULTILINE) if comment else ""),
            " ".join(_EXPORT.findall(source)),
        )
    tree = ast.parse(source)
    defined = [
        text
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
        for text in (node.name, _first(ast.get_docstring(node) or ""))
    ]
    return path, _first(ast.get_docstring(tree) or ""), " ".join(defined)


def _first(text: str) -> str:
    return _SENTENCE.split(" ".join(text.strip().split("\n\n")[0].split()))[0]


class Index:
    """Modules by the words that describe them.

    Parameters
    ----------
    modules : sequence of Texts
        The modules to choose from.

    >>> index = Index([("map.py", "Maps.", ""), ("area.py", "Area of a map.", ""), ("coin.py", "", "toss")])
    >>> [path for path, *_ in index.ranked("maps area")]
    ['area.py', 'map.py']
    """

    def __init__(self, modules: Sequence[Texts]) -> None:
        self._modules = modules
        self._weights: dict[str, dict[int, int]] = {}
        for place, texts in enumerate(modules):
            for weight, text in sorted(zip(WEIGHTS, texts, strict=True)):
                for word in words(text):
                    self._weights.setdefault(word, {})[place] = weight

    def ranked(self, wanted: str) -> list[Texts]:
        """Return the modules that have a word of a text, those with most and the rarest words first."""
        scores: Counter[int] = Counter()
        for word in words(wanted):
            places = self._weights.get(word, {})
            for place, weight in places.items():
                scores[place] += weight * math.log(1 + len(self._modules) / len(places))
        return [self._modules[place] for place in sorted(scores, key=lambda place: (-scores[place], place))]


@functools.cache
def modules_of_the_product() -> Sequence[Texts]:
    """Describe each module of the product, in Python and JavaScript."""
    return [
        described(path, (ROOT / path).read_text(encoding="utf-8"))
        for path in files()
        if path.endswith((".py", ".js"))
        and not path.startswith(("tests/", "benchmarks/"))
        and "/migrations/" not in path
        and not path.endswith("__init__.py")
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the modules that fit the words of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="+", help="what the module is about")
    wanted = " ".join(parser.parse_args(arguments).words)
    found = Index(modules_of_the_product()).ranked(wanted)
    if not found:
        parser.error(
            f"no module has a name, first sentence or definition with these words: {wanted!r}; use others"
        )
    for path, sentence, _ in found[:MOST]:
        print(f"{path}\n    {sentence}")  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
