"""The respondents' client: files that are the same for all surveys and languages, on any host.

``index.html`` names a script and a style, but no survey. Its program is below ``program/DIGEST/``: the joined
modules of the source, and Sottovoce's own texts in each language. ``manifest.json`` lists the digest of each
file. The files do not depend on a server, so another organisation can host the same bytes (`sottovoce
client`).

The digest covers the program's files, in the order of their names, and then ``index.html``, in which the word
DIGEST replaces the digest. The same release produces the same bytes everywhere. The address of each file
contains the digest, so no browser mixes two programs.

A dishonest server can show this digest and serve another script. Every page that shows the digest says so.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from string import ascii_lowercase
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import json_script
from django.utils.translation import override

from surveys.jobs.provenance import installed_version
from surveys.questionnaire.languages import Language, language_of, respondent_languages
from surveys.respondent.first_texts import translate_texts
from surveys.respondent.text_modules import text_modules, voices
from surveys.respondent.texts import NOTE

_IMPORT = re.compile(
    r'^import (?:\{ (\w+(?:, \w+)*) \}|\* as (\w+)) from "\./([a-z-]+)\.js";\n', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async function|function|const|class) (\w+))", re.MULTILINE)
_EXPORT_LIST = re.compile(r"^export \{ (\w+(?:, \w+)*) \};\n", re.MULTILINE)
_ON_DEMAND = re.compile(r'\b(?:import\("\./|part\(")([a-z-]+)(?:\.js)?"\)')
# The module that requests parts again, and its export with those that have arrived.
_PARTS: Final = ("program", "partsArrived")
# Comment lines only; a comment after code stays.
_JS_COMMENT = re.compile(
    r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n|^[ \t]*\n", re.MULTILINE | re.DOTALL
)
# Indentation is a thirtieth of the page's bytes. JavaScript ignores it; multi-line texts are refused below.
_JS_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_REFUSED: Final = (
    (re.compile(r"^(?:[^`\n]*`[^`\n]*`)*[^`\n]*`[^`\n]*$", re.MULTILINE), "a text of several lines"),
    (re.compile(r"\\$", re.MULTILINE), "a text that goes on in the next line"),
    (re.compile(r"\bexport\b"), "an export of another form"),
    # Names of modules with texts, and addresses of parts that failed before, are computed.
    (re.compile(r'\bimport\b(?!\.meta\b|\("\./[a-z-]+\.js"\)|\(`\./[a-z-]*\$)'), "an import of another form"),
)
# Top-level names of a module: one or several per statement.
_NAME = re.compile(r"^(?:async function|function|class|const|let) (\w+)", re.MULTILINE)
_NAMES = re.compile(r"^(?:const|let) [\[{]([^=]*)[\]}] =", re.MULTILINE)
# JavaScript ignores spaces around operators, type comments, and line ends after some operators. Lines with
# "/" elsewhere than in a text or a regular expression, or with a nested text, keep their spaces.
_JS_BLANKS = re.compile(r" *([{}()\[\];,=<>*&|?:!]) *")
_TYPE = re.compile(r"/\*\* @type [^*]*\*/ ?")
# A text, or a regular expression after a sign that no dividend ends with.
_STRING = re.compile(
    r'("(?:[^"\\]|\\.)*"|`[^`]*`|(?<=[=>(,:?!&|] )/(?![/* ])(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/|'
    r"(?<=[(!])/(?![/* ])(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/)"
)
# The source's linter finds assignments to constants; in the program, one word for both packs better.
_CONSTANT = re.compile(r"\bconst (?=[\w$\[{])")
_EXPRESSION = re.compile(r"[`'/]")
_DIVISION = re.compile(r"(?<=[\w)\]]) / ")
_ARITHMETIC = re.compile(r"(?<=[\w)\]]) ([-+/%]) (?=[\w(])")
_NESTED = re.compile(r"`[^`]*\$\{[^`}]*`")
_GOES_ON = ("{", "(", "[", ",", ";")
_CLOSING = ("}", ")", "]")
# Before a closing bracket no end of a line is needed, no last comma, and no semicolon.
_NOT_NEEDED = re.compile(r"[,;]?\n?$")
# Names that only a class itself can use, where they are declared and where they are used.
_PRIVATE_NAME = re.compile(r"^ +(?:async |get )?#(\w+)", re.MULTILINE)
_PRIVATE_USE = re.compile(r"(^ +(?:async |get )?|\.)#(\w+)", re.MULTILINE)
# A module's own constants in capitals are named "_A", "_B" and so on in the program. They keep their names
# where these could also name a property, or stand in a text or in the words of a template.
_CAPITALS = re.compile(r"^const ([A-Z][A-Z0-9_]{2,}) =", re.MULTILINE)
_USED = re.compile(r"(?:(?<![\w.$])|(?<=\.\.\.))[A-Z][A-Z0-9_]{2,}(?![\w$])")
_NOT_SHORTENED = re.compile(r'"(?:[^"\\\n]|\\.)*"|(?:(?<!\$)\{|,)\s*\w+\s*(?=[,}])|\w+\s*:')
_TEMPLATE = re.compile(r"`[^`]*`")
_VALUE = re.compile(r"\$\{[^}]*\}")
# Joined modules become functions, in which a top-level await is not allowed. Besides, two files that wait for
# each other would never load.
_WAITS = re.compile(r"^(?=\S).*\bawait\b", re.MULTILINE)


class NotJoinable(ValueError):
    """These modules would behave differently after joining."""


class _Import(NamedTuple):
    """Names that one import binds, or the one name of a namespace import."""

    names: tuple[str, ...]
    is_whole: bool
    target: str


@dataclass(frozen=True, kw_only=True)
class _Module:
    name: str
    imports: tuple[_Import, ...]
    code: str
    exports: tuple[str, ...]
    on_demand: tuple[str, ...]
    shortened: int

    @property
    def private(self) -> set[str]:
        """Its own top-level names."""
        several = re.findall(r"(\w+)\s*(?:,|$)", ",".join(_NAMES.findall(self.code)))
        return {*_NAME.findall(self.code), *several} - {*self.exports}

    @property
    def own_exports(self) -> tuple[str, ...]:
        """Names that it exports and defines, without re-exported ones."""
        import_names = {name for entry in self.imports for name in entry.names}
        return tuple(name for name in self.exports if name not in import_names)

    @property
    def is_standalone(self) -> bool:
        """Whether it uses its own address, as a worker's script does, and therefore cannot be joined."""
        return "import.meta" in self.code


def join_modules(read: Callable[[str], str], entrance: str) -> dict[str, str]:
    """Join the modules that a page loads into one file, and each module loaded on demand with its imports.

    Parameters
    ----------
    read : callable
        Returns the text of a module by its name, "dom" for ``dom.js``.
    entrance : str
        The module that the page names.

    Returns
    -------
    dict of str to str
        Text by name, in alphabetical order, without comment lines and unnecessary spaces.

    Raises
    ------
    NotJoinable
        An unknown form of import or export, a cycle, or a module that two files would contain.

    Examples
    --------
    >>> dom = "export const el = 1;\\n"
    >>> page = 'import { el } from "./dom.js";\\nel;\\n'
    >>> joined = join_modules({"dom": dom, "page": page}.__getitem__, "page")
    >>> print(joined["page"], end="")
    let el=1;
    el;
    """
    modules: dict[str, _Module] = {}
    homes: dict[str, str] = {}
    files = [entrance]
    # A file that is loaded on demand may use the modules of the file that loads it.
    loaded_by: dict[str, tuple[str, ...]] = {entrance: ()}
    for file in files:
        for name in _import_order(file, read, modules):
            module = modules[name]
            for target in module.on_demand:
                if target not in files:
                    files.append(target)
                    loaded_by[target] = (*loaded_by[file], file)
            home = homes.setdefault(name, name if module.is_standalone else file)
            if home not in (*loaded_by[file], file) and not module.is_standalone:
                raise NotJoinable(f"{name}.js is needed by {_file_list({home, file})}, which load on demand")
    if both := [file for file in files if homes[file] != file]:
        raise NotJoinable(f"{_file_list(both)} is both loaded by itself and imported")
    whole = _namespace_names(modules)
    texts = {file: _file(file, modules, homes, whole) for file in sorted(set(homes.values()))}
    return {file: _JS_INDENT.sub("", text) for file, text in texts.items()}


def _import_order(entrance: str, read: Callable[[str], str], modules: dict[str, _Module]) -> list[str]:
    """List all direct and indirect imports of a module, in the order in which browsers run them."""
    order: list[str] = []

    def visit(name: str, way: tuple[str, ...]) -> None:
        if name in way:
            raise NotJoinable(f"{_file_list(way[way.index(name) :])} import each other in a cycle")
        if name in order:
            return
        if name not in modules:
            taken = sum(module.shortened for module in modules.values())
            modules[name] = _parse_module(name, read(name), taken)
        for names, is_whole, target in modules[name].imports:
            visit(target, (*way, name))
            if not is_whole and (missing := {*names} - {*modules[target].exports}):
                raise NotJoinable(f"{target}.js does not export {', '.join(sorted(missing))}")
        order.append(name)

    visit(entrance, ())
    return order


def _parse_module(name: str, text: str, taken: int) -> _Module:
    code = _JS_COMMENT.sub("", text)
    imports = tuple(
        _Import(tuple((names or whole).split(", ")), bool(whole), target)
        for names, whole, target in _IMPORT.findall(code)
    )
    code = _IMPORT.sub("", code)
    lists = [entry for match in _EXPORT_LIST.findall(code) for entry in match.split(", ")]
    exports = (*_EXPORT.findall(code), *lists)
    code = _short_private_names(_EXPORT.sub("", _EXPORT_LIST.sub("", code)))
    constants = _short_constants(code, exports, taken)
    code = _USED.sub(lambda use: constants.get(use[0], use[0]), code)
    for pattern, what in _REFUSED:
        if match := pattern.search(code):
            raise NotJoinable(f"{name}.js has {what}: {match.group().strip()[:60]}")
    if waits := _WAITS.search(code):
        raise NotJoinable(f"{name}.js has a top-level await: {waits.group()[:60]}")
    for changing in re.findall(r"^(?:let|var) (\w+)", code, re.MULTILINE):
        if changing in exports:
            raise NotJoinable(f"{name}.js exports {changing}, which is reassigned")
    module = _Module(
        name=name,
        imports=imports,
        code=code,
        exports=exports,
        on_demand=tuple(_ON_DEMAND.findall(code)),
        shortened=len(constants),
    )
    if module.is_standalone and imports:
        raise NotJoinable(f"{name}.js uses its own address and has imports")
    return module


def _short_private_names(code: str) -> str:
    """Shorten the names of private fields and methods of classes, which nothing outside the class can use.

    Examples
    --------
    >>> print(_short_private_names("class Box {\\n  #size = 1;\\n  twice = () => 2 * this.#size;\\n}"))
    class Box {
      #a = 1;
      twice = () => 2 * this.#a;
    }
    """
    names = {name: _letters(number) for number, name in enumerate(dict.fromkeys(_PRIVATE_NAME.findall(code)))}
    return _PRIVATE_USE.sub(lambda use: f"{use[1]}#{names.get(use[2], use[2])}", code)


def _short_constants(code: str, exports: Iterable[str], taken: int) -> dict[str, str]:
    """Return short names for a module's own constants in capitals, which other modules cannot use.

    Parameters
    ----------
    code : str
    exports : iterable of str
        Names that other modules use.
    taken : int
        Number of short names in the modules before: no two modules of a file share one.

    Examples
    --------
    >>> _short_constants("const PAUSE = 1;\\nconst KEPT = 2;\\nf({ KEPT });", (), taken=1)
    {'PAUSE': '_B'}
    """
    words = [_VALUE.sub(" ", template) for template in _TEMPLATE.findall(code)]
    kept = {*exports, *_USED.findall(" ".join([*_NOT_SHORTENED.findall(code), *words]))}
    own = [name for name in dict.fromkeys(_CAPITALS.findall(code)) if name not in kept]
    return {name: f"_{_letters(number).upper()}" for number, name in enumerate(own, taken)}


def _letters(number: int) -> str:
    """Return a short name: "a" to "z", then "aa", "ba" and so on.

    Examples
    --------
    >>> [_letters(number) for number in (0, 25, 26, 27)]
    ['a', 'z', 'aa', 'ba']
    """
    more, letter = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[letter] + (_letters(more - 1) if more else "")


def _file(
    file: str, modules: Mapping[str, _Module], homes: Mapping[str, str], whole: Mapping[str, str]
) -> str:
    """Return the text of one file: its imports, its modules, and last the module it is named after."""
    if modules[file].is_standalone:
        return f"{_minify(modules[file].code)}{_export_line(modules[file].exports)}"
    members = [modules[name] for name in homes if homes[name] == file]
    elsewhere: dict[str, set[str]] = {}
    to_others = {*modules[file].exports}
    for module in modules.values():
        for names, _own, target in module.imports:
            if homes[module.name] == file != homes[target]:
                elsewhere.setdefault(homes[target], set()).update(names)
            elif homes[module.name] != file == homes[target]:
                to_others.update(names)
    # A file that was requested again has another address, so others find it among those that arrived.
    registry, arrived = _PARTS
    on_demand = {target for module in modules.values() for target in module.on_demand}
    moving = sorted(source for source in elsewhere if source in on_demand) if registry in modules else []
    if moving:
        elsewhere.setdefault(homes[registry], set()).add(arrived)
    if registry in modules and homes[registry] == file:
        to_others.add(arrived)
    name_lists = [[whole[module.name]] if module.name in whole else module.own_exports for module in members]
    counts = Counter(name for names in (*elsewhere.values(), *name_lists) for name in names)
    if twice := [name for name, count in counts.items() if count > 1]:
        raise NotJoinable(f"{file}.js has {', '.join(twice)} twice: two of its modules export this name")
    lines = [
        f'import{{{",".join(sorted(names))}}}from"./{source}.js";'
        for source, names in sorted(elsewhere.items())
        if source not in moving
    ]
    lines += [f'let{{{",".join(sorted(elsewhere[source]))}}}={arrived}["{source}"];' for source in moving]
    used_names = {*counts, *modules[file].private}
    for module in members:
        code = _minify(module.code)
        if module.name != file:
            if module.name in whole or module.private & used_names:
                result = f"{{{','.join(module.exports)}}}"
                code = f"let {whole.get(module.name, result)}=(()=>{{{code}return{result};}})();"
            else:
                used_names |= module.private
        lines.append(code.rstrip("\n"))
    return "\n".join(lines) + "\n" + _export_line(sorted(to_others))


def _namespace_names(modules: Mapping[str, _Module]) -> dict[str, str]:
    """Return the namespace names of modules that others import as a whole."""
    imports = [entry for module in modules.values() for entry in module.imports]
    wholes = {entry.target: entry.names for entry in imports if entry.is_whole}
    for names, is_whole, target in imports:
        if wholes.get(target, names) != names or (is_whole and modules[target].is_standalone):
            raise NotJoinable(f"{target}.js is imported as a namespace and also in another way")
    return {target: name for target, (name,) in wholes.items()}


def _export_line(names: Iterable[str]) -> str:
    name_list = ",".join(names)
    return f"export{{{name_list}}};\n" if name_list else ""


def _minify(code: str) -> str:
    """Remove characters that JavaScript ignores, and write "let" for "const": this saves a twentieth.

    Examples
    --------
    >>> _minify('  if (a && b) {\\n    call("c, d");\\n  }\\n')
    'if(a&&b){call("c, d")}'
    >>> _minify("const kept = (text) => /^[^/ ] +$/u.test(text) && text.replace(/, +/g, 1);\\n")
    'let kept=(text)=>/^[^/ ] +$/u.test(text)&&text.replace(/, +/g,1);'
    """

    def short(line: str) -> str:
        parts = _STRING.split(_TYPE.sub("", line.strip(" ")))
        code = _DIVISION.sub("", "".join(parts[::2]))
        parts[::2] = [_CONSTANT.sub("let ", part) for part in parts[::2]]
        if not _EXPRESSION.search(code) and not _NESTED.search(line):
            parts[::2] = [_JS_BLANKS.sub(r"\1", _ARITHMETIC.sub(r"\1", part)) for part in parts[::2]]
        text = "".join(parts)
        # Do not join a line after "//": it would become part of the comment.
        # A brace that is alone on its line ends a block: expressions end with a semicolon, bracket or comma.
        return text if text == "}" or (text.endswith(_GOES_ON) and "//" not in text) else f"{text}\n"

    def before_bracket(line: str) -> str:
        return line if "//" in line else _NOT_NEEDED.sub("", line)

    lines = [short(line) for line in code.splitlines()]
    pairs = zip(lines, [*lines[1:], ""], strict=False)
    return "".join(before_bracket(line) if after.startswith(_CLOSING) else line for line, after in pairs)


def _file_list(names: Iterable[str]) -> str:
    return ", ".join(f"{name}.js" for name in sorted(names))


MODULES: Final = Path(__file__).resolve().parents[1] / "static" / "surveys" / "js"
_LOOKS: Final = MODULES.parent
# The module that the page names. Its imports from ``start.js`` begin to load at the same time.
ENTRANCE: Final = "client"
CLIENT_PAGE: Final = "index.html"
MANIFEST: Final = "manifest.json"
# The styles until question 1, and those of later screens, which the program requests.
STYLES: Final = ("sottovoce.css", "later.css")
# The only script that also runs as a worker.
WORKER: Final = "key-file.js"
# The line of ``start.js`` with the languages of texts for respondents.
_OWN: Final = "const OWN = [...PAGES];"
# Placeholder of the digest while it is computed.
_UNKNOWN: Final = "DIGEST"
# In a meta element, because another host may not send headers. Such a host limits connections to the server
# that it names.
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src data:",
        "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types sottovoce",
    )
)
_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json; charset=utf-8",
}
STYLE_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_BLANKS: Final = re.compile(r"\s*([{};,>])\s*|\s+")
_INDENT: Final = re.compile(r"\n\s*")


@dataclass(frozen=True, kw_only=True)
class ClientFile:
    """One file of the client.

    Parameters
    ----------
    path : str
        Path below the root of its host, such as "program/DIGEST/client.js".
    content : bytes
    """

    path: str
    content: bytes

    @property
    def name(self) -> str:
        """Its name without folders."""
        return self.path.rpartition("/")[2]

    @property
    def url(self) -> str:
        """Its address on its host."""
        return f"/{self.path}"

    @property
    def digest(self) -> str:
        """SHA-256, 64 hex digits."""
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def gzip_content(self) -> bytes:
        """The content, compressed with gzip. It contains no answers, so its length reveals nothing."""
        return gzip.compress(self.content, mtime=0)

    @property
    def content_type(self) -> str:
        """Its content type."""
        return _TYPES[self.name.rpartition(".")[2]]


@dataclass(frozen=True, kw_only=True)
class Client:
    """The whole client.

    Parameters
    ----------
    digest : str
        SHA-256 of the concatenated files of the program and the index.
    program : tuple of ClientFile
        Ordered by name.
    index, manifest : ClientFile
    """

    digest: str
    program: tuple[ClientFile, ...]
    index: ClientFile
    manifest: ClientFile

    @property
    def files(self) -> tuple[ClientFile, ...]:
        """All files that a host serves."""
        return (self.index, self.manifest, *self.program)

    def file(self, name: str) -> ClientFile | None:
        """Return a file of the program by its name, or None."""
        return next((file for file in self.program if file.name == name), None)


def client() -> Client:
    """Return the client that this installation serves."""
    # Cached, because it changes only with an upgrade, which restarts the server; not during development.
    return _client.__wrapped__() if settings.DEBUG else _client()


@lru_cache(maxsize=1)
def _client() -> Client:
    contents = dict(sorted(_program().items()))
    index = client_page(_UNKNOWN).encode()
    digest = hashlib.sha256(b"".join([*contents.values(), index])).hexdigest()
    program = tuple(
        ClientFile(path=f"program/{digest}/{name}", content=content) for name, content in contents.items()
    )
    page = ClientFile(path=CLIENT_PAGE, content=index.replace(_UNKNOWN.encode(), digest.encode()))
    manifest = {
        "name": "sottovoce-client",
        "version": installed_version(),
        "digest": digest,
        "files": {file.path: file.digest for file in (page, *program)},
    }
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    return Client(
        digest=digest, program=program, index=page, manifest=ClientFile(path=MANIFEST, content=text.encode())
    )


def client_page(digest: str, documents: Mapping[str, Any] | None = None) -> str:
    """Return the client's page: the same for all surveys, or with embedded documents of a draft.

    Parameters
    ----------
    digest : str
        Digest of the program.
    documents : mapping, optional
        The server's responses about a survey, for a page that may not send requests.
    """
    icon = quote((_LOOKS / "icon.svg").read_text(encoding="utf-8").strip(), safe=" /:=")
    page = render_to_string(
        "respond/index.html",
        {
            # A draft is shown in a frame without an origin, in which a policy would block its scripts.
            "policy": "" if documents else POLICY,
            "program": f"/program/{digest}",
            "icon": f"data:image/svg+xml,{icon}",
            "notes": list(_notes()),
            "documents": "" if documents is None else json_script(documents, "documents"),
        },
    )
    return _INDENT.sub("\n", page).strip() + "\n"


def _notes() -> Iterator[tuple[Language, dict[str, str]]]:
    """Yield the text until the program runs: in the languages of pages in full, in others its title."""
    for tag in respondent_languages():
        with override(tag):
            note = translate_texts(NOTE)
        yield language_of(tag), note if tag in dict(settings.LANGUAGES) else {"title": note["title"]}


def _program() -> dict[str, bytes]:
    """Return the files of the program by their names."""
    files = join_modules(_source, ENTRANCE)
    return {
        **{f"{name}.js": text.encode() for name, text in files.items()},
        **dict(text_modules()),
        **{
            name: small_style((_LOOKS / "css" / name).read_text(encoding="utf-8")).encode() for name in STYLES
        },
    }


def _source(name: str) -> str:
    """Return a module's source. The program also names languages that only respondents read, and forms."""
    text = (MODULES / f"{name}.js").read_text(encoding="utf-8")
    further = (
        json.dumps(name) for name, _language, _form in voices() if name not in dict(settings.LANGUAGES)
    )
    return text.replace(_OWN, f"const OWN = [{', '.join(('...PAGES', *further))}];")


def small_style(text: str) -> str:
    """Return a style sheet without comments and unnecessary spaces.

    Examples
    --------
    >>> small_style("/* Links. */ a > b { color: red; }")
    'a>b{color:red;}'
    """
    return _BLANKS.sub(lambda blank: blank[1] or " ", STYLE_COMMENT.sub("", text)).strip().replace(": ", ":")


LIST: Final = Path(__file__).with_name("published_digests.txt")

UNRELEASED: Final = "unreleased"
"""Replaces the version of a digest whose scripts are those of the current source, not of a release."""

_LINE: Final = re.compile(r"(\S+) +([0-9a-f]{64})")


def published_digests(text: str | None = None) -> dict[str, str]:
    """Return the digest of each release, oldest first.

    Parameters
    ----------
    text : str, optional
        Lines with a version and a digest; by default the list in the source. ``#`` begins a comment.

    Raises
    ------
    ValueError
        A line has a wrong form, or a version has two digests.

    Examples
    --------
    >>> list(published_digests(f"# a comment\\n1.0  {'0' * 64}\\n"))
    ['1.0']
    """
    digests: dict[str, str] = {}
    for line in (LIST.read_text(encoding="utf-8") if text is None else text).splitlines():
        entry = line.partition("#")[0].strip()
        if not entry:
            continue
        read = _LINE.fullmatch(entry)
        if read is None or read[1] in digests:
            raise ValueError(f"{line!r} is no line of a version and its digest, or a second one of it")
        digests[read[1]] = read[2]
    return digests


def releases_of(digest: str) -> list[str]:
    """Return the releases whose program has this digest."""
    return [release for release, release_digest in published_digests().items() if release_digest == digest]
