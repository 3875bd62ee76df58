#!/usr/bin/env python3
"""Draws the crossover of shuffles and shared memory: crossover.csv to an SVG.

    bench/gpu_convert/plot.py bench/results/gpu_convert_crossover.csv bench/results/gpu_convert_crossover.svg
"""
import csv, math, sys

COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56564f"]
WIDTH, HEIGHT, LEFT, TOP, PANEL, GAP = 1070, 430, 60, 84, 270, 65
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["shuffles_ns"] and r["shared_ns"]]
low, high = math.log2(0.25), math.log2(3)
bottom = HEIGHT - 56


def y(ratio):
    return bottom - (min(max(math.log2(ratio), low), high) - low) / (high - low) * (bottom - TOP)


out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
       f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
       f'<text x="{LEFT}" y="24" font-size="16">Time through shared memory / time by shuffles, one conversion on an H200</text>',
       f'<text x="{LEFT}" y="44" fill="#555">m of the register bits of R registers are exchanged with lane bits; above 1 shuffles are faster, '
       "below it shared memory</text>"]
for panel, bits in enumerate(("8", "16", "32")):
    x0 = LEFT + panel * (PANEL + GAP)
    x = lambda r: x0 + (math.log2(int(r)) - 1) / 6 * PANEL
    for ratio in (0.25, 0.5, 1, 2):
        out.append(f'<line x1="{x0}" x2="{x0 + PANEL}" y1="{y(ratio):.1f}" y2="{y(ratio):.1f}" '
                   f'stroke="{"#333" if ratio == 1 else "#ddd"}"/>')
        if panel == 0:
            out.append(f'<text x="{x0 - 8}" y="{y(ratio) + 4:.1f}" text-anchor="end">{ratio:g}</text>')
    for r in (2, 4, 8, 16, 32, 64, 128):
        out.append(f'<text x="{x(r):.1f}" y="{bottom + 18}" text-anchor="middle">{r}</text>')
    out.append(f'<text x="{x0 + PANEL / 2}" y="{TOP - 8}" text-anchor="middle">elements of {bits} bits</text>')
    out.append(f'<text x="{x0 + PANEL / 2}" y="{bottom + 38}" text-anchor="middle">R, registers of 32 bits</text>')
    for m in range(1, 6):
        points = sorted((int(r["R"]), float(r["shared_ns"]) / float(r["shuffles_ns"])) for r in rows
                        if r["bits"] == bits and r["m"] == str(m))
        if not points:
            continue
        out.append(f'<polyline fill="none" stroke="{COLORS[m - 1]}" stroke-width="2" points="'
                   + " ".join(f"{x(r):.1f},{y(v):.1f}" for r, v in points) + '"/>')
        r, v = points[-1]  # each line has its name at its end
        out.append(f'<text x="{x(r) + 8:.1f}" y="{y(v) + 4:.1f}" fill="{COLORS[m - 1]}">m = {m}</text>')
        out += [f'<circle cx="{x(r):.1f}" cy="{y(v):.1f}" r="3" fill="{COLORS[m - 1]}"/>' for r, v in points]
open(sys.argv[2], "w").write("\n".join(out) + "\n</svg>\n")
