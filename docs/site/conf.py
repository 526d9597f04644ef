"""The site: the pages of docs, the Python package and the C++ headers. scripts/build_docs.sh builds it.

Its source folder is the repository's root, so that links between pages, and from pages to headers,
configurations and results, are the same here and on a code host.
"""

import re
import subprocess
import sys
from pathlib import Path

from pygments.lexers.special import TextLexer

ROOT = Path(__file__).resolve().parents[2]

project = "Tidewise"
author = "The Tidewise developers"
# CMakeLists.txt has the version.
release = re.search(
    r"project\(tidewise VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()
).group(1)
version = release

# The errors and their codes, from the sources' tables.
(ROOT / "docs/reference/errors.md").write_bytes(
    subprocess.run(
        [sys.executable, ROOT / "scripts/list_errors.py"], check=True, capture_output=True
    ).stdout
)

extensions = ["myst_nb", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/site/index"
# All pages of docs, and what they lead to; what else is in a checkout is no page, and not looked at.
include_patterns = [
    "docs/*.md",
    "docs/**/*.md",
    "docs/**/*.rst",
    "docs/**/*.ipynb",
    "bench/results/*.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
]
exclude_patterns = [
    path.name
    for path in ROOT.iterdir()
    if path.is_dir() and path.name not in ("docs", "bench")
]

# Notebooks are executed, again when they change; those on real files show what they hold where these are
# not there.
nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "build/site/notebooks")
nb_execution_raise_on_error = True
nb_execution_timeout = 240  # s, of one cell
nb_execution_excludepatterns = (
    [] if (ROOT.parent / "shared/data").is_dir() else ["docs/notebooks/washington.ipynb"]
)

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # '#dates' is what a code host makes of '## Dates'
highlight_language = "none"  # shell and what programs print, in one block

breathe_projects = {"tidewise": str(ROOT / "build/site/xml")}
breathe_default_project = "tidewise"
breathe_default_members = ("members",)
breathe_domain_by_file_pattern = {"*/tidewise_policy.h": "c"}
# Each header opens the namespace again.
suppress_warnings = ["duplicate_declaration.cpp"]
cpp_index_common_prefix = ["tidewise::", "tidewise::mdp::"]

default_role = "code"  # docstrings write `name`, as the pages do
autodoc_member_order = "groupwise"
autodoc_typehints_format = "short"
autoclass_content = "both"  # __init__'s docstring is shown with the class

html_theme = "furo"
html_title = f"Tidewise {release}"
html_extra_path = ["index.html"]  # the first page of the site: redirects to the root page
html_static_path = ["static"]
html_css_files = ["tables.css"]
html_copy_source = False
html_show_sourcelink = False


def setup(app):
    """A solution's text form, which no highlighter knows, is shown as it is."""
    app.add_lexer("solution", TextLexer)
