"""Find the module of a subject: ``python -m tests.where privacy promise percent``.

Prints the modules and sections of the documentation that have these words, best first, each with its first
sentence. Words count most in a name, then in a first sentence and in the table of ARCHITECTURE.md, then in
definitions, and least in other docstrings, in texts on pages, and in titles of the pages that a module shows.
They count more if few modules have them. Everyday words also find the words that the program uses instead.
"""

import argparse
import ast
import functools
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeGuard

from tests.reach import ROOT, files

MOST: Final = 10
"""Modules printed."""

WEIGHTS: Final = (4, 3, 1, 3, 0.5)
"""Weights of a word in the texts of a module, in the order of `Texts`."""

SAME: Final = (
    "change edit alter",
    "choose pick select",
    "copy duplicate clone",
    "crash fault failure",
    "delete remove erase",
    "figure chart graph diagram plot",
    "forged fake bogus",
    "guess estimate",
    "home front first start welcome",
    "invitation invite",
    "log sign",
    "mail message",
    "migrate upgrade update",
    "person user member",
    "phone device mobile",
    "picture image",
    "receipt twice",
    "schedule hours",
    "share public",
    "table spreadsheet excel",
    "text wording",
    "token api",
    "width margin size",
)
"""Words for one thing: the program's word first, then everyday words. They count half of the word itself."""

_HALF: Final = 0.5

_COMMON = re.compile(r"an?|and|are|as|at|by|for|from|how|in|is|its?|of|on|or|that|the|to|what|which|who|with")
_WORD = re.compile(r"[a-z]+", re.ASCII | re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COMMENT = re.compile(r"/\*\*?(.*?)\*/", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.:]) (?=[A-Z])")
_EXPORT = re.compile(r"^(?:export )?(?:async )?(?:function|class|const) (\w+)", re.MULTILINE)

Texts = tuple[str, str, str, str, str]
"""Texts of a module.

Its path; its first sentence; names and first sentences of what it defines; its words in the table of
ARCHITECTURE.md; all its docstrings, its texts on pages, and titles of the pages that it shows.
"""
_MARKS: Final = ("_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "pgettext")
_TEMPLATE: Final = re.compile(r'"([\w/]+\.html)"')
_TITLE: Final = re.compile(r"{% block title %}(.*?){% endblock %}|<h[12][^>]*>(.*?)</h[12]>", re.DOTALL)


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
    ('a/coins.js', 'Draw coins.', 'toss', '', 'Draw coins.  Twice. ')
    """
    if path.endswith(".js"):
        comment = _COMMENT.match(source)
        text = re.sub(r"^ *\* ?", "", comment[1], flags=re.MULTILINE) if comment else ""
        return path, _first(text), " ".join(_EXPORT.findall(source)), "", text.replace("\n", " ").lstrip()
    tree = ast.parse(source)
    defined = [
        text
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
        for text in (node.name, _first(ast.get_docstring(node) or ""))
    ]
    shown = [_title_of(name) for name in sorted(set(_TEMPLATE.findall(source)))]
    more = [ast.get_docstring(tree) or "", *_page_texts(tree), *shown]
    return path, _first(ast.get_docstring(tree) or ""), " ".join(defined), "", " ".join(more)


def _page_texts(tree: ast.Module) -> Iterator[str]:
    """Yield docstrings, texts that are marked for translation, and the help of commands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in _MARKS:
            yield from (each.value for each in node.args if _is_text(each))
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "help":
            yield from (each.value for each in ast.walk(node.value) if _is_text(each))


def _is_text(node: ast.AST) -> TypeGuard[Any]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@functools.cache
def _title_of(template: str) -> str:
    """Return the name, the title and the headings of a template; empty if there is none."""
    path = ROOT / "templates" / template
    if not path.is_file():
        return ""
    found = _TITLE.findall(path.read_text(encoding="utf-8"))
    titles = [re.sub(r"<[^>]*>|{%\s*\w+|%}|\bcontext .*", " ", "".join(each)) for each in found]
    return " ".join([template.removesuffix(".html"), *titles])


def sections_of(path: str, source: str) -> Iterator[Texts]:
    """Yield the sections of a page of the documentation.

    >>> list(sections_of("docs/run.md", "# Run\\n\\nType.\\n\\n## Stop it\\n\\nPress Ctrl-C."))[1]
    ('docs/run.md#stop-it', 'Stop it', '', '', 'Press Ctrl-C.')
    """
    for section in re.split(r"^#+ ", source, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        place = re.sub(r"[^a-z0-9-]", "", heading.lower().replace(" ", "-"))
        yield f"{path}#{place}", heading, "", "", text.strip()


def looked_for(page: str) -> dict[str, str]:
    """Return the words before each module in the table of ARCHITECTURE.md, by the end of its path.

    >>> looked_for("| Mining | rules that add nothing `rules.py`, itemsets `closed.py` |")
    {'rules.py': 'rules that add nothing', 'closed.py': 'itemsets'}
    """
    found: dict[str, str] = {}
    for row in re.findall(r"^\|.*\|$", page, flags=re.MULTILINE):
        for words_before, module in re.findall(r"([^`|;.,]*)`([\w/.-]+\.\w+)`", row):
            found[module] = f"{found.get(module, '')} {words_before}".strip()
    return found


def _first(text: str) -> str:
    return _SENTENCE.split(" ".join(text.strip().split("\n\n")[0].split()))[0]


class Index:
    """Modules by the words that describe them.

    Parameters
    ----------
    modules : sequence of Texts
        The modules to choose from.

    >>> index = Index([("map.py", "Maps.", "", "", ""), ("area.py", "Area of a map.", "", "", "")])
    >>> [path for path, *_ in index.ranked("maps area")]
    ['area.py', 'map.py']
    """

    def __init__(self, modules: Sequence[Texts]) -> None:
        self._modules = modules
        self._weights: dict[str, dict[int, float]] = {}
        for place, texts in enumerate(modules):
            for weight, text in sorted(zip(WEIGHTS, texts, strict=True)):
                for word in words(text):
                    self._weights.setdefault(word, {})[place] = weight
        self._same = {
            word: dict.fromkeys(words(group) - {word}, _HALF) for group in SAME for word in words(group)
        }

    def ranked(self, wanted: str) -> list[Texts]:
        """Return the modules that have a word of a text, those with most and the rarest words first."""
        scores: defaultdict[int, float] = defaultdict(float)
        for word in words(wanted):
            best: dict[int, float] = {}
            for each, share in ((word, 1.0), *self._same.get(word, {}).items()):
                places = self._weights.get(each)
                if places:
                    rarity = share * math.log(1 + len(self._modules) / len(places))
                    found = {place: weight * rarity for place, weight in places.items()}
                    best = {place: max(best.get(place, 0.0), found.get(place, 0.0)) for place in best | found}
            for place, score in best.items():
                scores[place] += score
        return [self._modules[place] for place in sorted(scores, key=lambda place: (-scores[place], place))]


@functools.cache
def modules_of_the_product() -> Sequence[Texts]:
    """Describe each module of the product, in Python and JavaScript."""
    table = looked_for((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    modules = [
        described(path, (ROOT / path).read_text(encoding="utf-8"))
        for path in files()
        if path.endswith((".py", ".js"))
        and not path.startswith(("tests/", "benchmarks/"))
        and "/migrations/" not in path
        and not path.endswith("__init__.py")
    ]
    return [
        (
            path,
            sentence,
            defined,
            " ".join(said for end, said in table.items() if f"/{path}".endswith(f"/{end}")),
            more,
        )
        for path, sentence, defined, _words, more in modules
    ]


@functools.cache
def sections_of_the_documentation() -> Sequence[Texts]:
    """Describe each section of the pages in docs."""
    return [
        section
        for path in files()
        if path.startswith("docs/") and path.endswith(".md") and "/adr/" not in path
        for section in sections_of(path, (ROOT / path).read_text(encoding="utf-8"))
    ]


@functools.cache
def index_of_everything() -> Index:
    """Return the index of all modules and of the documentation."""
    return Index([*modules_of_the_product(), *sections_of_the_documentation()])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the modules that fit the words of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*", help="what the module is about")
    stated, unknown = parser.parse_known_args(arguments)
    if unknown or not stated.words:
        said = f"{' '.join(unknown)} is not an option" if unknown else "no word is given"
        parser.exit(2, f"{said}. Write words for a subject, such as: python -m tests.where front page\n")
    wanted = " ".join(stated.words)
    found = index_of_everything().ranked(wanted)
    if not found:
        parser.exit(2, f"Nothing is described with these words: {wanted!r}. Use others\n")
    for path, sentence, *_more in found[:MOST]:
        print(f"{path}\n    {sentence}")  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
