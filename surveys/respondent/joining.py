"""Join ES modules into as few files as a page has to wait for.

What a page loads at once is one file, what it loads on demand is one each. The modules of a file stand in it
one after another and name each other as they do in the source; one that is imported as a whole, or has a name
for itself that another has too, becomes a function that runs once and gives what the module exports. Only
what is surely the same when it is joined is joined: of the many forms that JavaScript has for import and
export six are known here, and every other one is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

_IMPORT = re.compile(
    r'^import (?:\{ (\w+(?:, \w+)*) \}|\* as (\w+)) from "\./([a-z-]+)\.js";\n', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async function|function|const|class) (\w+))", re.MULTILINE)
_EXPORT_LIST = re.compile(r"^export \{ (\w+(?:, \w+)*) \};\n", re.MULTILINE)
_ON_DEMAND = re.compile(r'\bimport\("\./([a-z-]+)\.js"\)')
# Comments that fill their lines; one beside code stays.
_COMMENT = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n|^[ \t]*\n", re.MULTILINE | re.DOTALL)
# A thirtieth of what a page loads. It means nothing to JavaScript: texts of several lines are refused below.
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_REFUSED: Final = (
    (re.compile(r"^(?:[^`\n]*`[^`\n]*`)*[^`\n]*`[^`\n]*$", re.MULTILINE), "a text of several lines"),
    (re.compile(r"\\$", re.MULTILINE), "a text that goes on in the next line"),
    (re.compile(r"\bexport\b"), "an export of another form"),
    # Sentences in a language are written beside the modules, and imported by a name that is put together.
    (re.compile(r'\bimport\b(?!\.meta\b|\("\./[a-z-]+\.js"\)|\(`\./\$)'), "an import of another form"),
)
# What a module names at its top, one or several at once.
_NAME = re.compile(r"^(?:async function|function|class|const|let) (\w+)", re.MULTILINE)
_NAMES = re.compile(r"^(?:const|let) [\[{]([^=]*)[\]}] =", re.MULTILINE)
# Nothing of this means anything to JavaScript: blanks beside signs, types beside code, line ends after a sign
# that stays what it is. Blanks of lines with an expression, or a text in a text, stay.
_BLANKS = re.compile(r" *([{}()\[\];,=<>*&|?:!]) *")
_TYPE = re.compile(r"/\*\* @type [^*]*\*/ ?")
_STRING = re.compile(r'("(?:[^"\\]|\\.)*"|`[^`]*`)')
_EXPRESSION = re.compile(r"[`'/]")
_NESTED = re.compile(r"`[^`]*\$\{[^`}]*`")
_GOES_ON = ("{", "(", "[", ",", ";")
# A function cannot wait so, and a file that waits for one that needs it would wait for ever.
_WAITS = re.compile(r"^(?=\S).*\bawait\b", re.MULTILINE)


class NotJoinable(ValueError):
    """Modules that would not be the same once they are joined."""


class _Import(NamedTuple):
    """What one import takes: names, or one name for all that a module exports."""

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

    @property
    def private(self) -> set[str]:
        """The names at its top that are its own."""
        several = re.findall(r"(\w+)\s*(?:,|$)", ",".join(_NAMES.findall(self.code)))
        return {*_NAME.findall(self.code), *several} - {*self.exports}

    @property
    def own_exports(self) -> tuple[str, ...]:
        """What it exports, without what it only hands on."""
        imported = {name for entry in self.imports for name in entry.names}
        return tuple(name for name in self.exports if name not in imported)

    @property
    def stands_alone(self) -> bool:
        """Whether it names its own address, as a worker's script does: joined, it would have another one."""
        return "import.meta" in self.code


def join_modules(read: Callable[[str], str], entrance: str) -> dict[str, str]:
    """Join the modules that a page loads into one file, and those of each that comes on demand into one.

    Parameters
    ----------
    read : callable
        Gives the text of a module by its name, "dom" for ``dom.js``.
    entrance : str
        The module that the page names.

    Returns
    -------
    dict of str to str
        Text by name, in alphabetical order. Comments that fill their lines are left out, and blanks that
        mean nothing.

    Raises
    ------
    NotJoinable
        A form of import or export that is not known here, a circle, or a module that would be there twice.

    Examples
    --------
    >>> dom = "export const el = 1;\\n"
    >>> page = 'import { el } from "./dom.js";\\nel;\\n'
    >>> joined = join_modules({"dom": dom, "page": page}.__getitem__, "page")
    >>> print(joined["page"], end="")
    const el=1;
    el;
    """
    modules: dict[str, _Module] = {}
    homes: dict[str, str] = {}
    files = [entrance]
    for file in files:
        for name in _reached(file, read, modules):
            module = modules[name]
            files += [target for target in module.on_demand if target not in files]
            home = homes.setdefault(name, name if module.stands_alone else file)
            if home not in (entrance, file) and not module.stands_alone:
                raise NotJoinable(f"{name}.js is needed by {_listed({home, file})}, which come on demand")
    if both := [file for file in files if homes[file] != file]:
        raise NotJoinable(f"{_listed(both)} is loaded by itself, and imported too")
    whole = _names_of_wholes(modules)
    texts = {file: _file(file, modules, homes, whole) for file in sorted(set(homes.values()))}
    return {file: _INDENT.sub("", text) for file, text in texts.items()}


def _reached(entrance: str, read: Callable[[str], str], modules: dict[str, _Module]) -> list[str]:
    """List what a module imports, however far, in the order in which a browser runs it."""
    order: list[str] = []

    def visit(name: str, way: tuple[str, ...]) -> None:
        if name in way:
            raise NotJoinable(f"{_listed(way[way.index(name) :])} import each other in a circle")
        if name in order:
            return
        if name not in modules:
            modules[name] = _parsed(name, read(name))
        for names, is_whole, target in modules[name].imports:
            visit(target, (*way, name))
            if not is_whole and (missing := {*names} - {*modules[target].exports}):
                raise NotJoinable(f"{target}.js does not export {', '.join(sorted(missing))}")
        order.append(name)

    visit(entrance, ())
    return order


def _parsed(name: str, text: str) -> _Module:
    code = _COMMENT.sub("", text)
    imports = tuple(
        _Import(tuple((names or whole).split(", ")), bool(whole), target)
        for names, whole, target in _IMPORT.findall(code)
    )
    code = _IMPORT.sub("", code)
    lists = [entry for listed in _EXPORT_LIST.findall(code) for entry in listed.split(", ")]
    exports = (*_EXPORT.findall(code), *lists)
    code = _EXPORT.sub("", _EXPORT_LIST.sub("", code))
    for pattern, what in _REFUSED:
        if listed := pattern.search(code):
            raise NotJoinable(f"{name}.js has {what}: {listed.group().strip()[:60]}")
    if waits := _WAITS.search(code):
        raise NotJoinable(f"{name}.js waits at its top: {waits.group()[:60]}")
    for changing in re.findall(r"^(?:let|var) (\w+)", code, re.MULTILINE):
        if changing in exports:
            raise NotJoinable(f"{name}.js exports {changing}, which can change")
    module = _Module(
        name=name, imports=imports, code=code, exports=exports, on_demand=tuple(_ON_DEMAND.findall(code))
    )
    if module.stands_alone and imports:
        raise NotJoinable(f"{name}.js names its own address, and imports")
    return module


def _file(
    file: str, modules: Mapping[str, _Module], homes: Mapping[str, str], whole: Mapping[str, str]
) -> str:
    """Write one file: what it takes from others, its modules, and at last the one it is named after."""
    if modules[file].stands_alone:
        return f"{_small(modules[file].code)}{_exported(modules[file].exports)}"
    members = [modules[name] for name in homes if homes[name] == file]
    elsewhere: dict[str, set[str]] = {}
    to_others = {*modules[file].exports}
    for module in modules.values():
        for names, _, target in module.imports:
            if homes[module.name] == file != homes[target]:
                elsewhere.setdefault(homes[target], set()).update(names)
            elif homes[module.name] != file == homes[target]:
                to_others.update(names)
    shown = [[whole[module.name]] if module.name in whole else module.own_exports for module in members]
    counts = Counter(name for names in (*elsewhere.values(), *shown) for name in names)
    if twice := [name for name, count in counts.items() if count > 1]:
        raise NotJoinable(f"{file}.js has {', '.join(twice)} twice: modules in it export the same name")
    lines = [
        f'import{{{",".join(sorted(names))}}}from"./{source}.js";'
        for source, names in sorted(elsewhere.items())
    ]
    taken = {*counts, *modules[file].private}
    for module in members:
        code = _small(module.code)
        if module.name != file:
            if module.name in whole or module.private & taken:
                result = f"{{{','.join(module.exports)}}}"
                code = f"const {whole.get(module.name, result)}=(()=>{{{code}return{result};}})();"
            else:
                taken |= module.private
        lines.append(code.rstrip("\n"))
    return "\n".join(lines) + "\n" + _exported(sorted(to_others))


def _names_of_wholes(modules: Mapping[str, _Module]) -> dict[str, str]:
    """Return the name of each module that is imported as a whole."""
    imports = [entry for module in modules.values() for entry in module.imports]
    wholes = {entry.target: entry.names for entry in imports if entry.is_whole}
    for names, is_whole, target in imports:
        if wholes.get(target, names) != names or (is_whole and modules[target].stands_alone):
            raise NotJoinable(f"{target}.js is imported as a whole, and otherwise or from a file of its own")
    return {target: name for target, (name,) in wholes.items()}


def _exported(names: Iterable[str]) -> str:
    listed = ",".join(names)
    return f"export{{{listed}}};\n" if listed else ""


def _small(code: str) -> str:
    """Leave out what JavaScript does not read, a twentieth of what a page loads.

    Examples
    --------
    >>> _small('  if (a && b) {\\n    call("c, d");\\n  }\\n')
    'if(a&&b){call("c, d");}\\n'
    """

    def short(line: str) -> str:
        parts = _STRING.split(_TYPE.sub("", line.strip(" ")))
        if not _EXPRESSION.search("".join(parts[::2])) and not _NESTED.search(line):
            parts[::2] = [_BLANKS.sub(r"\1", part) for part in parts[::2]]
        text = "".join(parts)
        # Behind a comment beside code everything would belong to it.
        return text if text.endswith(_GOES_ON) and "//" not in text else f"{text}\n"

    return "".join(map(short, code.splitlines()))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"{name}.js" for name in sorted(names))
