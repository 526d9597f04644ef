#!/usr/bin/env python3
"""Checks the words of new text and the subjects of new commits (CONTRIBUTING.md lists the rules).

    scripts/check_words.py [BASE]     the lines added and the commits made since BASE (HEAD~1)
    scripts/check_words.py --count    how often each habit occurs in all files

A habit is a pattern of HABITS with its replacement. Identifiers that BASE has already are not errors.
scripts/words_allowed.txt holds one regular expression per line; lines that match one are not checked.
Exit status 1 if a new line or subject breaks a rule.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALLOWED = ROOT / "scripts/words_allowed.txt"
SOURCES = ".h", ".c", ".cpp", ".cu", ".cuh", ".py", ".sh", ".js", ".css", ".md", ".ipynb", ".toml", ".txt"
# Files that quote habits: this script, and pages about earlier versions.
SKIPPED = re.compile(r"scripts/(check_words\.py|words_allowed\.txt)|CHANGELOG\.md|docs/reference/glossary\.md|tests/scripts/test_check_words\.py")

# (name, pattern, replacement)
HABITS = [
    ("who", r"\b([Ww]hoever|[Nn]obody)\b", "name the thing: the caller, the vehicle, no flight"),
    ("anew", r"\banew\b", "again"),
    ("likewise", r"\blikewise\b", "also, similarly"),
    ("come to", r"\b(come|comes|came|coming) to\b", "enter, reach, hit"),
    ("most_", r"\b(most|least)_[a-z]\w*", "max_, min_"),
    ("mend", r"\bmend(s|ed|ing)?\b", "fix, fixed"),
    ("judge", r"\bjudg(e|es|ed|ing)\b", "validate, check"),
    ("promise", r"\bpromis(e|es|ed)\b", "prediction, predicted arrival"),
    ("tell", r"\b(tells|told)\b", "report, return, print"),
    ("as far as", r"\b[Aa]s far as\b", "where, when"),
    ("relative clause", r"^\s*(//+!?|#|\*)\s+(What|Whether|Of|Who|Nothing where|The same as|As far) ",
     "a sentence that states a fact or a reason"),
]
# Subjects that begin with an imperative: not with an article, a pronoun, a noun with an s or a participle.
SUBJECT = re.compile(r"^[A-Z][a-z]+(?<!ed)(?<!ing)(?<!s)( |$)|^(Pass|Express|Process|Address|Focus|Embed|Feed|Need|"
                     r"Bring|String|Seed|Compress|Suppress|Discuss|Assess|Access|Miss|Dress|Read|Spread|Shed|Wed) ")
NOT_VERBS = {"The", "A", "An", "What", "Who", "Where", "When", "Of", "It", "In", "On", "No", "One", "Each", "Every",
             "How", "All", "For", "From", "With", "Now", "Only", "Python", "Tidewise", "Their", "Our", "That"}
MERGE = re.compile(r"^(Merge|Revert) ")


def git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], check=True, capture_output=True, text=True).stdout


def allowed(path=ALLOWED):
    lines = path.read_text().splitlines() if path.exists() else []
    return [re.compile(line) for line in lines if line and not line.startswith("#")]


def findings(line, exceptions=()):
    """(habit, matching text, replacement) of each habit in one line."""
    if any(exception.search(line) for exception in exceptions):
        return []
    matches = ((name, re.search(pattern, line), instead) for name, pattern, instead in HABITS)
    return [(name, match[0], instead) for name, match, instead in matches if match]


def is_old_name(word, base):
    """True if word is an identifier with an underscore that a file of base contains."""
    return "_" in word and subprocess.run(
        ["git", "-C", ROOT, "grep", "--quiet", "--word-regexp", word, base], capture_output=True).returncode == 0


def subject_fault(subject):
    """The fault of a commit's subject, or None."""
    if MERGE.match(subject):
        return None
    if len(subject) > 72:
        return f"{len(subject)} characters, where 72 are allowed"
    if subject.split(" ")[0] in NOT_VERBS or not SUBJECT.match(subject):
        return "does not begin with a verb in the imperative (Add, Fix, Remove, ...)"
    return None


def added_lines(base):
    """(file, line number, text) of each line that was added since base."""
    file, number = None, 0
    for line in git("diff", "--unified=0", "--no-color", "--no-renames", base).splitlines():
        if line.startswith("+++ "):
            file = line[6:] if line.startswith("+++ b/") else None
        elif hunk := re.match(r"@@ -\S+ \+(\d+)", line):
            number = int(hunk[1])
        elif line.startswith("+"):
            if file and file.endswith(SOURCES) and not SKIPPED.search(file):
                yield file, number, line[1:]
            number += 1


def count():
    totals = dict.fromkeys((name for name, *_ in HABITS), 0)
    exceptions = allowed()
    for file in git("ls-files").splitlines():
        if file.endswith(SOURCES) and not SKIPPED.search(file):
            for line in (ROOT / file).read_text(errors="replace").splitlines():
                for name, *_ in findings(line, exceptions):
                    totals[name] += 1
    for name, number in totals.items():
        print(f"{number:6}  {name}")


def check(base):
    if subprocess.run(["git", "-C", ROOT, "rev-parse", "--quiet", "--verify", base + "^{commit}"],
                      capture_output=True).returncode:
        print(f"check_words.py: there is no {base}; nothing was checked")
        return 0
    exceptions, faults = allowed(), 0
    for file, number, text in added_lines(base):
        for name, word, instead in findings(text, exceptions):
            if is_old_name(word, base):
                continue
            print(f"{file}:{number}: '{name}': write {instead}: {text.strip()}")
            faults += 1
    for subject in git("log", "--format=%s", f"{base}..HEAD").splitlines():
        if fault := subject_fault(subject):
            print(f"commit '{subject}': {fault}")
            faults += 1
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", nargs="?", default="HEAD~1")
    parser.add_argument("--count", action="store_true")
    arguments = parser.parse_args()
    return count() if arguments.count else check(arguments.base)


if __name__ == "__main__":
    sys.exit(main())
