"""Join ES modules into as few files as a page has to wait for.

Each module becomes a function that runs once and gives what the module exports; what a page loads at once is
one file, what it loads on demand is one each. Only what is surely the same when it is joined is joined: of
the many forms that JavaScript has for import and export six are known here, and every other one is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

# Holds what several entrances need.
COMMON: Final = "common"

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
    (re.compile(r"(?<!\w)\$\w"), "a name that begins with $, as those of joined modules do"),
    (re.compile(r"\bexport\b"), "an export of another form"),
    # Sentences in a language are written beside the modules, and imported by a name that is put together.
    (re.compile(r'\bimport\b(?!\.meta\b|\("\./[a-z-]+\.js"\)|\(`\./\$)'), "an import of another form"),
)
# Nothing of this means anything to JavaScript: blanks beside signs, types beside code, line ends after a sign
# that stays what it is. Blanks of lines with a text or an expression of another kind stay.
_BLANKS = re.compile(r" *([{}()\[\];,=<>*&|?:!]) *")
_TYPE = re.compile(r"/\*\* @type [^*]*\*/ ?")
_STRING = re.compile(r'("(?:[^"\\]|\\.)*")')
_LEFT_ALONE = re.compile(r"[`'/]")
_GOES_ON = ("{", "(", "[", ",", ";")
# What waits at its top can be an entrance, and nothing else: a function cannot wait so.
_WAITS = re.compile(r"^(?=\S).*\bawait\b", re.MULTILINE)


class NotJoinable(ValueError):
    """Modules that would not be the same once they are joined."""


@dataclass(frozen=True, kw_only=True)
class _Module:
    name: str
    # What each import takes, as the left side of an assignment, and from which module.
    imports: tuple[tuple[str, str], ...]
    code: str
    exports: tuple[str, ...]
    on_demand: tuple[str, ...]

    @property
    def stands_alone(self) -> bool:
        """Whether it names its own address, as a worker's script does: joined, it would have another one."""
        return "import.meta" in self.code


def join_modules(read: Callable[[str], str], entrances: Sequence[str]) -> dict[str, str]:
    """Join the modules that pages load, each page's into one file, and one for each that comes on demand.

    Parameters
    ----------
    read : callable
        Gives the text of a module by its name, "dom" for ``dom.js``.
    entrances : sequence of str
        Modules that pages name. What several of them need comes into the file "common".

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
    >>> joined = join_modules({"dom": dom, "page": page}.__getitem__, ["page"])
    >>> print(joined["page"], end="")
    const $dom = (() => {
    const el=1;return { el };
    })();
    const{el}=$dom;el;
    export { $dom };
    """
    modules: dict[str, _Module] = {}
    reached = {entrance: _reached(entrance, read, modules) for entrance in entrances}
    to_visit = list(modules)
    demanded: dict[str, list[str]] = {}
    for name in to_visit:
        for target in modules[name].on_demand:
            if target not in demanded:
                reached[target] = _reached(target, read, modules)
                to_visit += [new for new in reached[target] if new not in to_visit]
            demanded.setdefault(target, []).append(name)
    in_order = dict.fromkeys(name for entrance in reached for name in reached[entrance])
    homes = {name: _home(modules[name], reached, entrances) for name in in_order}
    # What the common file asks for finds there what it needs, from whichever page it is asked.
    for target, askers in demanded.items():
        if COMMON in {homes[asker] for asker in askers}:
            homes |= {name: COMMON for name in reached[target] if homes[name] in entrances}
    needs = {
        file: {homes[target] for name in homes if homes[name] == file for _, target in modules[name].imports}
        - {file}
        - {name for name, module in modules.items() if module.stands_alone}
        for file in sorted(set(homes.values()))
    }
    for target, askers in demanded.items():
        for asker in askers:
            here = homes[asker]
            if missing := needs[target] - needs[here] - {here}:
                raise NotJoinable(f"{target}.js, asked for by {asker}.js, needs {_listed(missing)} besides")
    return {file: _INDENT.sub("", _file(file, modules, homes)) for file in needs}


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
        for left, target in modules[name].imports:
            visit(target, (*way, name))
            missing = set(re.findall(r"\w+", left)) - set(modules[target].exports) if left[0] == "{" else ()
            if missing:
                raise NotJoinable(f"{target}.js does not export {', '.join(sorted(missing))}")
        order.append(name)

    visit(entrance, ())
    return order


def _parsed(name: str, text: str) -> _Module:
    code = _COMMENT.sub("", text)
    imports = tuple(
        (f"{{ {names} }}" if names else whole, target) for names, whole, target in _IMPORT.findall(code)
    )
    code = _IMPORT.sub("", code)
    lists = [entry for listed in _EXPORT_LIST.findall(code) for entry in listed.split(", ")]
    exports = (*_EXPORT.findall(code), *lists)
    code = _EXPORT.sub("", _EXPORT_LIST.sub("", code))
    for pattern, what in _REFUSED:
        if listed := pattern.search(code):
            raise NotJoinable(f"{name}.js has {what}: {listed.group().strip()[:60]}")
    for changing in re.findall(r"^(?:let|var) (\w+)", code, re.MULTILINE):
        if changing in exports:
            raise NotJoinable(f"{name}.js exports {changing}, which can change")
    module = _Module(
        name=name, imports=imports, code=code, exports=exports, on_demand=tuple(_ON_DEMAND.findall(code))
    )
    if module.stands_alone and imports:
        raise NotJoinable(f"{name}.js names its own address, and imports")
    return module


def _home(module: _Module, reached: dict[str, list[str]], entrances: Sequence[str]) -> str:
    """Give the file that a module comes into: that of all who need it, or its own."""
    if module.stands_alone:
        return module.name
    needed_by = [entrance for entrance in reached if module.name in reached[entrance]]
    if module.name in reached and needed_by != [module.name]:
        raise NotJoinable(f"{module.name}.js is loaded by itself, and imported by {_listed(needed_by)} too")
    at_once = [entrance for entrance in needed_by if entrance in entrances]
    if len(at_once or needed_by) == 1:
        return (at_once or needed_by)[0]
    if not at_once:
        raise NotJoinable(f"{module.name}.js is needed by {_listed(needed_by)}, which come on demand")
    return COMMON


def _file(file: str, modules: dict[str, _Module], homes: dict[str, str]) -> str:
    """Write one file: what it takes from others, modules as functions, then the one it is named after."""
    if file in modules and modules[file].stands_alone:
        module = modules[file]
        return f"{_small(module.code)}export {{ {', '.join(module.exports)} }};\n"
    members = [modules[name] for name in homes if homes[name] == file]
    sources: dict[str, set[str]] = {}
    for module in members:
        for _, target in module.imports:
            if homes[target] != file:
                sources.setdefault(homes[target], set()).add(target)
    lines = [
        f'import * as {_id(source)} from "./{source}.js";'
        if modules.get(source) and modules[source].stands_alone
        else f'import {{ {", ".join(map(_id, sorted(names)))} }} from "./{source}.js";'
        for source, names in sorted(sources.items())
    ]
    given: list[str] = []
    for module in members:
        taken = "".join(f"const {left} = {_id(target)};\n" for left, target in module.imports)
        if module.name == file:
            lines.append(_small(f"{taken}{module.code}").rstrip("\n"))
            given += module.exports
            continue
        if waits := _WAITS.search(module.code):
            raise NotJoinable(f"{module.name}.js waits at its top: {waits.group()[:60]}")
        end = f"return {{ {', '.join(module.exports)} }};\n}})();"
        lines.append(f"const {_id(module.name)} = (() => {{\n{_small(taken + module.code)}{end}")
        given.append(_id(module.name))
    if given:
        lines.append(f"export {{ {', '.join(given)} }};")
    return "\n".join(lines) + "\n"


def _small(code: str) -> str:
    """Leave out what JavaScript does not read, a twentieth of what a page loads.

    Examples
    --------
    >>> _small('  if (a && b) {\\n    call("c, d");\\n  }\\n')
    'if(a&&b){call("c, d");}\\n'
    """

    def short(line: str) -> str:
        parts = _STRING.split(_TYPE.sub("", line.strip(" ")))
        if not _LEFT_ALONE.search("".join(parts[::2])):
            parts[::2] = [_BLANKS.sub(r"\1", part) for part in parts[::2]]
        text = "".join(parts)
        # Behind a comment beside code everything would belong to it.
        return text if text.endswith(_GOES_ON) and "//" not in text else f"{text}\n"

    return "".join(map(short, code.splitlines()))


def _id(name: str) -> str:
    return f"${name.replace('-', '_')}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"{name}.js" for name in sorted(names))
