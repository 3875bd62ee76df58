#!/usr/bin/env python3
"""Lists words that docs/glossary.md (How sentences are written) excludes, in comments, texts and pages. Status 1 if any.

  scripts/words.py [FILE...]
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACES = r"(a|the|this|its|their|each|every)? ?(pipe|page|list|L1|L2|caches?|pointers?|window|button|picture|text|ground|table|bundle)"
FORMS = [  # what is excluded, and what stands there instead
    (r"nobody", "no thread, not ..., never ..."),
    (r"whoever", "the caller, the thread that"),
    (r"whatever", "any, for all"),
    (r"all the same(?! \w)", "nevertheless, still"),
    (r"of before", "earlier"),
    (r"behind(?! " + PLACES + r"\b)", "after (behind is a place)"),
    (r"told|tells", "reported, reports, shows, distinguishes"),
    (r"wants", "needs"),
    (r"goes on|gone on|went on", "continues"),
    (r"(?:lanes|threads|warps) (?:part|parted|meet)(?! of\b)", "diverge, reconverge, conflict"),
    (r"knows", "has, contains"),
    (r"lonely|in trouble|patience", "unpaired, has an error, deadline"),
    (r"somebody|anybody|everybody|whom", "the user, another thread, all lanes"),
    (r"mend|mends|mended|mending", "fix, repair"),
    (r"anew", "again"),
    (r"under way", "in flight, running, pending, current"),
    (r"(?:is|are|was|were) said", "is reported"),
]
EXCLUDED = re.compile(r"\b(?:" + "|".join(f"(?P<f{n}>{form})" for n, (form, _) in enumerate(FORMS)) + r")\b", re.I)
AS_SUBJECT = re.compile(r"^(?:(?://+!?<?|/\*+|#+)|(?://|/\*|#).*[.:?!]) (?P<what>What)\b(?!-)")  # in a comment
PIECES = re.compile(r"//[^\n]*|/\*.*?\*/|R\"([^(\s]*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.S)


def texts(path, content):
    """(offset, text) of what people read."""
    if path.suffix in (".h", ".cpp", ".cu"):
        for piece in PIECES.finditer(content):
            digits = piece[0][0] == "'" and content[piece.start() - 1].isalnum()  # 1'000
            if not digits and not re.fullmatch(r'R?"[\w./:-]*"', piece[0]):
                yield piece.start(), piece[0]
    elif path.suffix == ".md":
        yield 0, re.sub(r"```.*?```|`[^`\n]*`", lambda code: re.sub(r"\S", " ", code[0]), content, flags=re.S)
    else:
        yield from ((comment.start(), comment[0]) for comment in re.finditer(r"#[^\n]*", content))


def main():
    kinds = ("*.h", "*.cpp", "*.cu", "*.md", "*.sh", "*.py", "*.cmake", "*/CMakeLists.txt", "CMakeLists.txt")
    files = sys.argv[1:] or subprocess.check_output(["git", "-C", ROOT, "ls-files", *kinds], text=True).split("\n")
    found = 0
    for name in filter(None, files):
        if name.startswith("tests/data/") or name == "docs/glossary.md":  # other people's files; the rule itself
            continue
        content = (ROOT / name).read_text()
        for offset, text in texts(ROOT / name, content):
            hits = [(hit, FORMS[int(hit.lastgroup[1:])][1]) for hit in EXCLUDED.finditer(text)]
            hits += [(hit, "the thing itself: Needs of ..., Contents of ...") for hit in AS_SUBJECT.finditer(text)]
            for hit, instead in hits:
                line = content.count("\n", 0, offset + hit.start()) + 1
                print(f"{name}:{line}: {hit[hit.lastgroup]} -> {instead}")
                found += 1
    return 1 if found else 0


sys.exit(main())
