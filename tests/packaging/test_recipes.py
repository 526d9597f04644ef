"""Packaging recipes require the packages of scripts/install_dependencies.sh, and have one version.

scripts/check_recipes.sh runs it, with PyYAML.
"""

import ast
import re
import subprocess
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"

# Names of Debian's packages elsewhere: (conda, Spack). None: the package is not needed.
NAMES = {
    "g++": ("compiler:cxx", "cxx"),
    "cmake": ("cmake", "cmake"),
    "ninja-build": ("ninja", "ninja"),
    "pkgconf": ("pkg-config", "pkgconfig"),
    "libhdf5-dev": ("hdf5", "hdf5"),
    "zlib1g-dev": ("zlib", "zlib-api"),
    "libnetcdf-dev": ("libnetcdf", "netcdf-c"),
    "libproj-dev": ("proj", "proj"),
    "libeigen3-dev": ("eigen", "eigen"),
    "libfftw3-dev": ("fftw", "fftw-api"),
    "libcli11-dev": ("cli11", "cli11"),
    "libtomlplusplus-dev": ("tomlplusplus", "tomlplusplus"),
    "nlohmann-json3-dev": ("nlohmann_json", "nlohmann-json"),
    "libexpat1-dev": ("libexpat", "expat"),
    "libfmt-dev": ("fmt", "fmt"),
    "libhwy-dev": ("libhwy", "highway"),
    "libgtest-dev": (None, None),
    "libgmock-dev": (None, None),
}


def text(*path):
    return ROOT.joinpath(*path).read_text()


def version():
    return re.search(r"project\(tidewise VERSION ([\d.]+)", text("CMakeLists.txt")).group(1)


def debian_packages():
    array = re.search(r"^packages=\((.*?)\)$", text("scripts/install_dependencies.sh"), re.M | re.S)
    return set(array.group(1).split())


def options_of_cmake():
    return set(
        re.findall(r"(?:option\(|set\()(TIDEWISE_\w+) ", text("CMakeLists.txt"))
    )


def recipe():
    return yaml.safe_load(text("packaging/recipe.yaml"))


def calls_of_spack(name):
    """Return literal (positional, keyword) arguments of the Spack package's calls of `name`."""
    tree = ast.parse(text("packaging/spack/packages/tidewise/package.py"))
    return [
        (
            [ast.literal_eval(a) for a in node.args if isinstance(a, ast.Constant)],
            {k.arg: getattr(k.value, "value", None) for k in node.keywords},
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", getattr(node.func, "attr", "")) == name
    ]


def commands_of_docker(page, stage):
    """Return the commands of the RUN lines of a stage."""
    stages = re.split(r"^FROM .*$", text("packaging", page), flags=re.M)
    runs = re.findall(r"^RUN ((?:.*\\\n)*.*)$", stages[stage], re.M)
    return [
        " ".join(command.replace("\\\n", " ").split()) for run in runs for command in run.split("&&")
    ]


def commands_of_apptainer(stage):
    """Return the commands of a stage's %post."""
    stages = re.split(r"^Bootstrap: .*$", text("packaging/tidewise.def"), flags=re.M)
    post = re.search(r"^%post\n(.*?)(?=^[%B])", stages[stage] + "\n%end", re.M | re.S).group(1)
    return [line.strip() for line in post.splitlines() if line.strip()]


class Versions(unittest.TestCase):
    def test_all_versions_equal_that_of_cmake(self):
        versions = {
            "python/pyproject.toml": re.search(
                r'^version = "(.*)"$', text("python/pyproject.toml"), re.M
            ).group(1),
            "CITATION.cff": yaml.safe_load(text("CITATION.cff"))["version"],
            "recipe.yaml": recipe()["context"]["version"],
            "package.py": calls_of_spack("version")[0][0][0],
            "docs/start/install.md": re.search(
                r"dev-build tidewise@([\d.]+)", text("docs/start/install.md")
            ).group(1),
        }
        for place, stated in versions.items():
            with self.subTest(place):
                self.assertEqual(stated, version())

    def test_changelog_has_an_unreleased_section(self):
        heads = re.findall(r"^## (.*)$", text("CHANGELOG.md"), re.M)
        self.assertEqual(heads[0], "[Unreleased]")
        released = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d", head) for head in heads[1:]]
        self.assertNotIn(None, released, "a release is '## [X.Y.Z] - YYYY-MM-DD'")
        if released:
            self.assertEqual(released[0].group(1), version())


class Dependencies(unittest.TestCase):
    def test_all_packages_have_names_in_conda_and_spack(self):
        self.assertEqual(
            set(NAMES), debian_packages(), "give the new package its names in conda and Spack"
        )

    def test_conda_requires_all(self):
        needs = recipe()["requirements"]
        required = {line.split()[0] for part in ("build", "host") for line in needs[part] if "${{" not in line}
        if any('compiler("cxx")' in line for line in needs["build"]):
            required.add("compiler:cxx")
        wanted = {conda for conda, _ in NAMES.values() if conda}
        self.assertEqual(required - {"libgomp"}, wanted)

    def test_spack_requires_all(self):
        required = {re.match(r"[\w-]+", words[0]).group(0) for words, _ in calls_of_spack("depends_on")}
        wanted = {spack for _, spack in NAMES.values() if spack}
        self.assertEqual(required - {"c", "mpi", "cuda"}, wanted)

    def test_all_require_the_same_cmake(self):
        oldest = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", text("CMakeLists.txt")).group(1)
        self.assertIn(f"cmake >={oldest}", recipe()["requirements"]["build"])
        self.assertIn(f"cmake@{oldest}:", [words[0] for words, _ in calls_of_spack("depends_on")])


class Commands(unittest.TestCase):
    def test_options_exist(self):
        for page in ["Dockerfile", "Dockerfile.cuda", "tidewise.def", "recipe.yaml"]:
            options = set(re.findall(r"-D (TIDEWISE_\w+)=", text("packaging", page)))
            with self.subTest(page):
                self.assertTrue(options)
                self.assertLessEqual(options, options_of_cmake())
        defined = {words[0] for name in ("define", "define_from_variant") for words, _ in calls_of_spack(name)}
        self.assertLessEqual({d for d in defined if d.startswith("TIDEWISE")}, options_of_cmake())
        self.assertIn("TIDEWISE_MPI", defined)
        variants = {words[0] for words, _ in calls_of_spack("variant")} | {"cuda"}
        for words, _ in calls_of_spack("define_from_variant"):
            self.assertIn(words[1], variants)

    def test_apptainer_runs_the_commands_of_docker(self):
        def build(commands):
            return [c for c in commands if c.startswith(("scripts/", "cmake ", "packaging/"))]

        docker, apptainer = commands_of_docker("Dockerfile", 1), commands_of_apptainer(1)
        self.assertEqual(len(build(docker)), 5)
        self.assertEqual(
            [c.split(" > ")[0] for c in build(docker)], [c.split(" > ")[0] for c in build(apptainer)]
        )
        final = [c.split(" < ")[0] for c in commands_of_docker("Dockerfile", 2)]
        self.assertEqual(final[:2], [c.split(" < ")[0] for c in commands_of_apptainer(2)][:2])

    def test_cuda_image_differs_only_by_cuda(self):
        cuda = [
            c.replace("--preset cuda", "--preset cpu").replace("build/cuda", "build/cpu")
            .replace(' -D "CMAKE_CUDA_ARCHITECTURES=${ARCHITECTURES}"', "")
            for c in commands_of_docker("Dockerfile.cuda", 1)
        ]
        self.assertEqual(cuda, commands_of_docker("Dockerfile", 1))
        self.assertEqual(commands_of_docker("Dockerfile.cuda", 2), commands_of_docker("Dockerfile", 2))

    def test_named_files_exist(self):
        for page in sorted(PACKAGING.glob("*")):
            if page.is_file():
                for name in re.findall(r"\b(?:scripts|packaging)/[\w./-]*\w", page.read_text()):
                    with self.subTest(page=page.name, name=name):
                        self.assertTrue((ROOT / name).exists())

    def test_shell_has_no_syntax_errors(self):
        for stage in (1, 2):
            script = "\n".join(commands_of_apptainer(stage))
            subprocess.run(["bash", "-n", "-c", script], check=True)
        for line in recipe()["build"]["script"] + recipe()["tests"][0]["script"]:
            subprocess.run(["bash", "-n", "-c", line], check=True)


if __name__ == "__main__":
    unittest.main()
