"""Join JavaScript modules into one file, without what browsers do not need."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Final, NamedTuple

_IMPORT = re.compile(
    r'^import (?:\{ (\w+(?:, \w+)*) \}|\* as (\w+)) from "\./([a-z-]+)\.js";\n', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async function|function|const|class) (\w+))", re.MULTILINE)
_EXPORT_LIST = re.compile(r"^export \{ (\w+(?:, \w+)*) \};\n", re.MULTILINE)
_ON_DEMAND = re.compile(r'\b(?:import\("\./|part\(")([a-z-]+)(?:\.js)?"\)')
# The second file is requested once the first has arrived, so it may use its modules.
_ONE_AFTER_ANOTHER = re.compile(r'\bpart\("([a-z-]+)"\)\.then\(\(\) => part\("([a-z-]+)"\)\)')


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
    one_after_another: tuple[tuple[str, str], ...]
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
                    earlier = [first for first, second in module.one_after_another if second == target]
                    loaded_by[target] = (*loaded_by[file], file, *earlier)
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
        one_after_another=tuple(_ONE_AFTER_ANOTHER.findall(code)),
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
