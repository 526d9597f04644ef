#!/usr/bin/env python3
"""Makes the changes of docs/reference/recipes.md, each separately, in a clone of the last commit
(build/tried), and builds and tests them by the page's commands.

  scripts/try_recipes.py [NUMBER...]        only these, counted from 1
  scripts/try_recipes.py --change NUMBER    prints the change of one recipe, for git apply
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "build" / "tried"
PAGE = "docs/reference/recipes.md"


def recipes(text: str) -> list[tuple[str, str, str]]:
    """(heading, commands, change) of each recipe."""
    found = []
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        commands = re.search(r"^```sh\n(.*?)^```$", part, re.M | re.S)
        change = re.search(r"^```diff\n(.*?)^```$", part, re.M | re.S)
        if not commands or not change:
            sys.exit(f"try_recipes.py: '{part.splitlines()[0]}' of {PAGE} has no commands or no change")
        found.append((part.splitlines()[0], commands.group(1), change.group(1)))
    return found


def run(*words: str, **more) -> subprocess.CompletedProcess:
    return subprocess.run(words, cwd=PLACE, check=True, text=True, **more)


def try_one(name: str, commands: str, change: str) -> None:
    print(f"== {name}", flush=True)
    run("git", "checkout", "--quiet", "--force", "FETCH_HEAD")
    run("git", "clean", "--quiet", "--force", "-d")
    run("git", "apply", "-", input=change)
    run("cmake", "--preset", "cpu", "-D", "TIDEWISE_WERROR=ON", stdout=subprocess.DEVNULL)
    for line in commands.splitlines():
        done = subprocess.run(["bash", "-c", line], cwd=PLACE, stdout=subprocess.PIPE, text=True)
        print(done.stdout[-2000:], flush=True)
        if done.returncode:
            sys.exit(f"try_recipes.py: {name}: '{line}' fails")
        if "gtest_filter" in line and not re.search(r"PASSED  \] [1-9]", done.stdout):
            sys.exit(f"try_recipes.py: {name}: '{line}' runs no test")


def main() -> None:
    if sys.argv[1:2] == ["--change"]:
        changes = {str(n): one[2] for n, one in enumerate(recipes((ROOT / PAGE).read_text()), 1)}
        if " ".join(sys.argv[2:]) not in changes:
            sys.exit(f"try_recipes.py: --change takes one number, of {', '.join(changes)}")
        print(changes[sys.argv[2]], end="")
        return
    chosen = {int(word) for word in sys.argv[1:]}
    if not (PLACE / ".git").exists():
        subprocess.run(["git", "init", "--quiet", str(PLACE)], check=True)
    run("git", "fetch", "--quiet", str(ROOT), "HEAD")
    text = (ROOT / PAGE).read_text()
    for number, recipe in enumerate(recipes(text), 1):
        if not chosen or number in chosen:
            try_one(*recipe)


if __name__ == "__main__":
    main()
