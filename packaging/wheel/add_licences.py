"""Adds the licences of the libraries that auditwheel put into a wheel.

    add_licences.py WHEEL ABSENT OUT

WHEEL: the repaired wheel. ABSENT: the folder of substitutes for libraries. OUT: the folder for the
wheel with licences. A library that licences.txt does not name is an error: its licence was not
reviewed.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMON = Path("/usr/share/common-licenses")
# Full texts, which Debian's notices refer to in /usr/share/common-licenses.
TEXTS = {"Apache-2.0": "Apache-2.0", "GPL-3.0-or-later": "GPL-3", "MPL-2.0": "MPL-2.0"}


def read_table(text):
    """Return the licence of each library."""
    lines = (line.split(None, 1) for line in text.splitlines() if line[:1] not in ("", "#"))
    return {library: licence.strip() for library, licence in lines}


def original_name(file):
    """Return `libproj.so.25.9.1.1` for `libproj-1a2b3c4d.so.25.9.1.1`."""
    return re.sub(r"-[0-9a-f]{8}(?=\.so)", "", file)


def package_of(file):
    """Return the Debian package of a library."""
    search = subprocess.run(
        ["dpkg-query", "--search", f"*-linux-gnu/{file}"],
        capture_output=True,
        text=True,
        check=False,
    )
    packages = {line.split(":")[0] for line in search.stdout.splitlines()}
    if len(packages) != 1:
        sys.exit(f"add_licences.py: {file} is of {len(packages)} packages, and must be of one")
    return packages.pop()


def notices(libraries, folder):
    """Write the notices of these libraries. Return lines: library, package and version, licence."""
    table = read_table((HERE / "licences.txt").read_text())
    inside = [(name, name.removeprefix("package:")) for name in table if ":" in name]
    lines = []
    for file, package in [*((file, package_of(file)) for file in libraries), *inside]:
        name = file.split(".so")[0]
        copyright_file = Path("/usr/share/doc") / package / "copyright"
        if name not in table:
            sys.exit(
                f"add_licences.py: {file} would be in the wheel, and packaging/wheel/licences.txt "
                f"does not name its licence; read {copyright_file} and add it there, or, where it "
                "is the GPL, leave the library out"
            )
        (folder / package).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(copyright_file, folder / package / "copyright")
        for licence, text in TEXTS.items():
            if licence in table[name]:
                shutil.copyfile(COMMON / text, folder / text)
        version = subprocess.run(
            ["dpkg-query", "--show", "--showformat=${Version}", package],
            capture_output=True, text=True, check=True,
        ).stdout.split("\n")[0]
        what = "in the module" if (file, package) in inside else file
        lines.append(f"{what}: {package} {version}, {table[name]}")
    return lines


def main():
    """Run the module's command line."""
    wheel, absent, out = map(Path, sys.argv[1:])
    out.mkdir(parents=True)
    left_out = {file.name.split(".so")[0] for file in absent.iterdir()}
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(
            [sys.executable, "-m", "wheel", "unpack", "--dest", scratch, wheel],
            check=True, stdout=subprocess.DEVNULL,
        )
        (tree,) = Path(scratch).iterdir()
        (information,) = tree.glob("*.dist-info")
        grafted = sorted(original_name(file.name) for file in (tree / "tidewise.libs").iterdir())
        included = [file for file in grafted if file.split(".so")[0] not in left_out]
        folder = information / "licenses" / "libraries"
        lines = notices(included, folder)
        if (tree / "tidewise" / "proj").exists():
            (folder / "proj-data").mkdir()
            notice = "/usr/share/doc/proj-data/copyright"
            shutil.copyfile(notice, folder / "proj-data" / "copyright")
            lines.append(
                "tidewise/proj/proj.db: proj-data, MIT; it holds EPSG's registry, whose terms are "
                "epsg.org's"
            )
        (nanobind,) = (file for file in metadata.files("nanobind") if file.name == "LICENSE")
        (folder / "nanobind").mkdir()
        shutil.copyfile(nanobind.locate(), folder / "nanobind" / "copyright")
        lines.append(f"in the module: nanobind {metadata.version('nanobind')}, BSD-3-Clause")
        (folder / "README").write_text(
            "Libraries in this wheel, each under its own licence:\n"
            + "".join(f"  {line}\n" for line in lines)
            + "Libraries that are not in it; files of Tidewise replace them:\n"
            + "".join(f"  {name}\n" for name in sorted(left_out))
        )
        subprocess.run(
            [sys.executable, "-m", "wheel", "pack", "--dest-dir", out, tree],
            check=True, stdout=subprocess.DEVNULL,
        )
    print("\n".join(f"   {line}" for line in lines))


if __name__ == "__main__":
    main()
