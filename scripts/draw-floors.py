#!/usr/bin/env python3
"""Draws docs/pictures/floors.svg: which part of lanescope may include which, from the list in CMakeLists.txt.

  scripts/draw-floors.py           writes the picture
  scripts/draw-floors.py --check   status 1 if the picture is not that of CMakeLists.txt

Targets of one part (all of kernels/emulator, say) are one box. A box stands one floor above the highest box that it
links. Lines that follow from others are left out.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/pictures/floors.svg"
JOINED = ("kernels/convert", "kernels/source", "kernels/compile", "kernels/emulator", "kernels/explain", "profiling/review",
          "viz/views", "viz/paint", "viz/page", "app/engine", "app/cli", "app/gui")
COLOURS = {"kernels": "#dbe9f6", "profiling": "#fbe5cf", "results": "#f3dcec", "viz": "#ddf0dc", "app": "#e6e1f4"}
WIDTH, HEIGHT, GAP, FLOOR = 128, 30, 14, 74


def part_of(folder):
    return next((p for p in JOINED if folder == p or folder.startswith(p + "/")), folder)


def read_parts():
    """{part: parts that it links}; base is linked by all and left out."""
    lines = re.findall(r"^lanescope_library\(NAME (\w+)\s+DIR ([^\s)]+)([^)]*)\)", (ROOT / "CMakeLists.txt").read_text(), re.M)
    lines = [line for line in lines if not line[1].startswith("tests/") and line[0] != "base"]
    folder_of = {name: part_of(folder) for name, folder, _ in lines}
    parts = {part: set() for part in folder_of.values()}
    for name, folder, rest in lines:
        links = re.search(r"LINKS ((?:[a-z_]+\s*)+)", rest)
        for link in links.group(1).split() if links else []:
            if folder_of[link] != folder_of[name]:
                parts[folder_of[name]].add(folder_of[link])
    return parts


def reach(parts):
    below = {}

    def of(part, above=()):
        if part in above:
            sys.exit(f"circle: {' -> '.join(above)} -> {part}")
        if part not in below:
            below[part] = set().union(*({link} | of(link, (*above, part)) for link in parts[part]))
        return below[part]

    for part in parts:
        of(part)
    return below


def draw(parts):
    below = reach(parts)
    direct = {p: sorted(l for l in links if not any(l in below[o] for o in links)) for p, links in parts.items()}
    floor = {}
    for part in sorted(parts, key=lambda p: len(below[p])):
        floor[part] = 1 + max((floor[link] for link in below[part]), default=-1)
    floors = [[p for p in parts if floor[p] == n] for n in range(1 + max(floor.values()))]
    x = {}
    width = max(len(row) for row in floors) * (WIDTH + GAP) + GAP
    for row in floors:  # near the middle of what a box links, no two at one place
        wish = {p: sum(x[l] for l in direct[p]) / len(direct[p]) if direct[p] else 0 for p in row}
        space = (width - len(row) * WIDTH) / (len(row) + 1)
        for n, part in enumerate(sorted(row, key=lambda p: (wish[p], p))):
            x[part] = space + n * (WIDTH + space)
    height = len(floors) * FLOOR + 20
    top = {p: height - 40 - floor[p] * FLOOR for p in parts}
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="11">', f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    for part in parts:
        for link in direct[part]:
            x1, y1, x2, y2 = x[part] + WIDTH / 2, top[part] + HEIGHT, x[link] + WIDTH / 2, top[link]
            out.append(f'<path d="M{x1:.0f} {y1:.0f} C{x1:.0f} {y1 + 26:.0f} {x2:.0f} {y2 - 26:.0f} {x2:.0f} {y2:.0f}" '
                       'fill="none" stroke="#8a8f98" stroke-width="0.8"/>')
    for part in parts:
        out.append(f'<rect x="{x[part]:.0f}" y="{top[part]}" width="{WIDTH}" height="{HEIGHT}" rx="4" '
                   f'fill="{COLOURS[part.split("/")[0]]}" stroke="#50555c"/>')
        out.append(f'<text x="{x[part] + WIDTH / 2:.0f}" y="{top[part] + 19}" text-anchor="middle">{part}</text>')
    return "\n".join(out) + "\n</svg>\n"


picture = draw(read_parts())
if "--check" not in sys.argv:
    PICTURE.write_text(picture)
elif not PICTURE.exists() or PICTURE.read_text() != picture:
    sys.exit("docs/pictures/floors.svg is not that of CMakeLists.txt; run scripts/draw-floors.py")
