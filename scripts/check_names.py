#!/usr/bin/env python3
"""Finds names that two files of a target both give to something of their own.

  scripts/check_names.py [BUILD]    BUILD: a build folder that cmake has configured; default: build/cpu

Files are compiled together, with the headers beside them. What two of them call alike in anonymous namespaces, or static, is refused by
the compiler where it is the same thing twice, and where it is two overloads one file may take the other's
without a word. Aliases (using, namespace a = b) say the same in each and may be repeated.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

_NOISE = re.compile(
    r"""/\*.*?\*/ | //[^\n]* | R"(\w*)\(.*?\)\1" | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+'
        | ^[ ]*\#(?:\\\n|[^\n])*""",
    re.S | re.X | re.M,
)
_TEMPLATE = re.compile(r"^template\s*<[^{};]*?>\s*(?=[a-zA-Z\[])")
_TYPE = re.compile(r"^(?:typedef )?(?:struct|class|union|enum(?: class)?) (\w+)")
_FUNCTION = re.compile(r"(?<![\w:.])([a-z]\w*) ?\(")
_VARIABLE = re.compile(r"(?<![\w:])([A-Za-z]\w*)(?: ?\[[^\]]*\])*$")


def declared_name(head):
    """The name that a declaration up to its '{', '=' or ';' gives, or None."""
    head = _TEMPLATE.sub("", " ".join(head.split()))
    if not head or re.match(r"(using|namespace|extern|friend|return|static_assert|[A-Z_]+ ?\()", head):
        return None
    for pattern in (_TYPE, _FUNCTION, _VARIABLE):
        if found := pattern.search(head.split(" = ")[0]):
            return found.group(1)
    return None


def own_names(text):
    """What a source keeps to itself: names in its anonymous namespaces, and static ones beside them."""
    names, scopes, head = set(), [], ""
    for piece in re.split(r"([{};])", _NOISE.sub(" ", text)):
        if piece not in ("{", "}", ";"):
            head += piece
            continue
        at_top = all(scope != "block" for scope in scopes)
        opened = re.search(r"(?:^|\s)namespace(\s+[\w:]+)?\s*$", head) if piece == "{" else None
        if at_top and not opened and piece != "}":
            if "anonymous" in scopes or re.match(r"\s*static\b", head):
                names.add(declared_name(head))
        if piece == "{":
            kind = "block" if not opened else "named" if opened.group(1) else "anonymous"
            scopes.append(kind)
        elif piece == "}" and scopes:
            scopes.pop()
        # An initializer in braces ends with a semicolon, which declares nothing more.
        head = ""
    return names - {None}


def own_headers(source, folder):
    """Headers of its own folder, or one above, that a source includes: what a test shares with others."""
    for name in re.findall(r'^#include "(.*)"', source.read_text(), re.M):
        for place in (source.parent, *source.parents):
            if place == folder:
                break
            if (place / name).is_file():
                yield (place / name).resolve()
                break


def types_at_top(text):
    """The types that a header defines, whatever namespace they are in."""
    return set(re.findall(r"^(?:struct|class|enum class) (\w+)[^;]*?\{", _NOISE.sub(" ", text), re.M))


def main():
    build = Path(sys.argv[1] if len(sys.argv) > 1 else "build/cpu")
    # A folder that has been configured before may hold files that are no longer compiled.
    compiled = (build / "build.ninja").read_text() if (build / "build.ninja").exists() else ""
    together = [
        unity
        for unity in sorted(build.glob("**/*.dir/Unity/unity_*"))
        if str(unity.relative_to(build)) in compiled
    ]
    if not together:
        sys.exit(f"check_names.py: {build} has no files that are compiled together; configure it first")
    sources = defaultdict(set)
    for unity in together:
        target = unity.parent.parent.stem
        sources[target] |= set(map(Path, re.findall(r'^#include "(.*)"', unity.read_text(), re.M)))
        # A test program's folder as a whole: this build may leave out those that need CUDA.
        folder = Path.cwd() / "tests/unit" / target.removesuffix("_test")
        sources[target] |= {path for path in folder.rglob("*.c*") if path.suffix in (".cpp", ".cu")}
    owners = defaultdict(set)
    for target, files in sources.items():
        for source in sorted(files):
            for name in own_names(source.read_text()):
                owners[target, name].add(source)
            if "tests" not in source.relative_to(Path.cwd()).parts:
                continue  # of a layer's types the compiler sees to it
            for header in own_headers(source, Path.cwd()):
                for name in own_names(header.read_text()) | types_at_top(header.read_text()):
                    owners[target, name].add(header)
    shared = {key: sorted(files) for key, files in owners.items() if len(files) > 1}
    for (target, name), files in sorted(shared.items()):
        print(f"{target}: '{name}' is in", *(Path(file).relative_to(Path.cwd()) for file in files))
    if shared:
        sys.exit("check_names.py: give each a name of its own, or say it once for all")
    print(f"{len(together)} sets of files: no two of a target give one name to things of their own")


if __name__ == "__main__":
    main()
