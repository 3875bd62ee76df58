#!/usr/bin/env python3
"""Writes everything that bench/gpu_convert/run.py needs into one folder, with `lanescope plan`.

    bench/gpu_convert/pack.py --lanescope build/default/lanescope --out build/gpu_convert

    --only-global: the whole kernels alone. Then, there: nvcc -std=c++17 -O3 -arch=native -o global global.cu && ./global

The folder is then carried to a machine with a GPU, nvcc and (for one part) Triton. Nothing of lanescope is needed there.
"""
import argparse, json, os, random, shutil, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))

# Blocked layouts of a square tile: elements side by side in a thread, threads side by side in a warp (rows, columns).
LAYOUTS = [((1, 1), (32, 1)), ((1, 1), (16, 2)), ((1, 1), (8, 4)), ((1, 1), (4, 8)), ((1, 1), (2, 16)), ((1, 1), (1, 32)),
           ((32, 1), (1, 32)), ((16, 1), (2, 16)), ((1, 4), (32, 1)), ((1, 4), (16, 2)), ((1, 4), (8, 4)), ((1, 4), (4, 8)),
           ((1, 4), (2, 16)), ((1, 4), (1, 32))]


def blocked(layout, bits, simd):
    """The assignment of a tile of 2^bits x 2^bits; columns are dealt out first."""
    at = [0, 0]
    rows = {"register": [], "thread": []}

    def deal(row, axis, count):
        for _ in range(count):
            if at[axis] < bits:
                rows[row].append("ij"[axis] + str(at[axis]))
                at[axis] += 1
            elif row == "thread":
                rows[row].append("[unused]")

    per_thread, threads = layout
    for axis in (1, 0):
        deal("register", axis, per_thread[axis].bit_length() - 1)
    for axis in (1, 0):
        deal("thread", axis, threads[axis].bit_length() - 1)
    for axis in (1, 0):
        deal("register", axis, bits - at[axis])
    out = {"simd": rows["register"][:simd], "register": rows["register"][simd:], "thread": rows["thread"]}
    return "; ".join(f"{k}: {' '.join(reversed(v)) or '-'}" for k, v in out.items() if k != "simd" or simd)


def random_design(rng, name, kind, bits, low, high):
    """A random pair of assignments of elements of `bits` bits; kind: permutation, linear or spare."""
    while True:
        slots = 0
        while bits << (slots + 1) <= 32:
            slots += 1
        if slots and rng.randrange(4) == 0:
            slots = rng.randrange(slots + 1)
        registers = rng.randrange(7 if bits <= 32 else 5)
        warps = rng.choice((0, 0, 0, 1, 2))
        total = slots + registers + 5 + warps
        if low <= total <= high:
            break
    names = ["ij"[n % 2] + str(n // 2) for n in range(total)]

    def side():
        terms = [([n], kind == "linear" and rng.randrange(4) == 0) for n in rng.sample(names, total)]
        if kind == "linear":
            for _ in range(rng.randrange(6)):
                a, b = rng.randrange(total), rng.randrange(total)
                if a != b:
                    terms[a] = (sorted(set(terms[a][0]) ^ set(terms[b][0])), terms[a][1] != terms[b][1])
        text = ["+".join(t) + ("+1" if c else "") for t, c in terms]
        if kind == "spare":
            for _ in range(1 + rng.randrange(2)):
                text.insert(rng.randrange(len(text) + 1), rng.choice(("[unused]", "[junk]")))
        rows, n = [], 0
        for row, count in (("simd", slots), ("register", len(text) - slots - 5 - warps), ("thread", 5), ("warp", warps)):
            if row != "warp" or warps:
                rows.append(f"{row}: {' '.join(reversed(text[n:n + count])) or '-'}")
            n += count
        return "; ".join(rows)

    return {"name": name, "type": str(bits), "from": side(), "to": side()}


def toml(designs):
    out = []
    for d in designs:
        out.append("[[plan]]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in d.items()))
    return "\n".join(out)


class Pack:
    def __init__(self, lanescope, out):
        self.lanescope, self.out = lanescope, out

    def path(self, name):
        return os.path.join(self.out, name)

    def plan(self, *arguments, **options):
        r = subprocess.run([self.lanescope, "plan", "--target", "none", *arguments], capture_output=True, text=True)
        if r.returncode != 0 and not options.get("may_fail"):
            sys.exit(f"lanescope plan {' '.join(arguments)}: {r.stderr}")
        return r

    def batch(self, name, designs, *arguments):
        path = self.path(name + ".toml")
        with open(path, "w") as f:
            f.write(toml(designs))
        return self.plan(path, *arguments)

    def pairs(self, count, a_file):
        """Random pairs, spread over width, size and kind; self-tests."""
        rng, designs = random.Random(1), []
        strata = [(k, b, s) for k in ("permutation", "linear", "spare") for b in (1, 2, 4, 8, 16, 32, 64, 128)
                  for s in ((6, 9), (10, 12)) if not (b == 1 and s[0] == 6)]
        for n in range(count):
            kind, bits, (low, high) = strata[n % len(strata)]
            designs.append(random_design(rng, f"pair{n}", kind, bits, low, high))
        jobs = []
        for first in range(0, count, a_file):
            part = designs[first:first + a_file]
            name = f"pairs_{first // a_file:02}"
            # Half of the files the fewest shuffles (or shared memory, between warps), half what is recommended.
            extra = ["--plan", "1"] if first // a_file % 2 else []
            jobs.append((name, part, ["--self-test", self.path(name + ".cu"), *extra]))
        return jobs

    def loops(self, name, sets, emit_tests):
        """Round trips in a loop. sets: (name, type bits, from, to). Plans: recommended, fewest shuffles, shared memory."""
        designs = []
        for n, bits, a, b in sets:
            designs.append({"name": n + "_there", "type": str(bits), "from": a, "to": b})
            designs.append({"name": n + "_back", "type": str(bits), "from": b, "to": a})
        plans = json.loads(self.batch(name, designs, "--json").stdout)["conversions"]
        chosen, loops, seen = [], [], set()
        for k, (n, bits, a, b) in enumerate(sets):
            there, back = plans[2 * k]["plans"], plans[2 * k + 1]["plans"]
            best = [next(i for i, p in enumerate(side) if p["recommended"]) for side in (there, back)]
            for kind in ("recommended", "shuffles", "shared"):
                if kind == "recommended":
                    picks = best
                elif kind == "shuffles":
                    picks = [0, 0] if "shared_bytes" not in there[0] and "shared_bytes" not in back[0] else None
                else:
                    picks = [len(there) - 1, len(back) - 1]
                    if "shared_bytes" not in there[-1] or "shared_bytes" not in back[-1]:
                        picks = None
                if picks is None or (n, tuple(picks)) in seen:
                    continue
                seen.add((n, tuple(picks)))
                full = f"{n}_{kind}"
                for side, pick, plan, d in ((0, picks[0], there, designs[2 * k]), (1, picks[1], back, designs[2 * k + 1])):
                    chosen.append({**d, "name": full + ("_there", "_back")[side], "plan": pick + 1})
                loops.append({"name": full, "bits": bits, "there": there[picks[0]], "back": back[picks[1]],
                              "from": a, "to": b})
        self.batch(name + "_chosen", chosen, "--emit", self.path(name + ".cuh"))
        if emit_tests:
            self.batch(name + "_chosen", chosen, "--self-test", self.path(name + "_test.cu"))
        with open(self.path(name + ".cu"), "w") as f:
            f.write(f'#include "loops.h"\n#include "{name}.cuh"\n\n')
            registers = {}
            for l in loops:
                for part in ("there", "back"):
                    registers[l["name"], part] = self.words_of(l["from" if part == "there" else "to"])
                a, b = registers[l["name"], "there"], registers[l["name"], "back"]
                shared = [l[p].get("shared_bytes", 0) for p in ("there", "back")]
                memory = max(shared)
                call = lambda p, x, y, s: f"{l['name']}_{p}({x}, {y}{', memory' if s else ''});"
                f.write(f"__global__ void __launch_bounds__(32, 8) {l['name']}_loop(const unsigned* p, unsigned* q, int n) {{\n")
                if memory:
                    f.write(f"  __shared__ uint4 memory[{(memory + 15) // 16}];\n")
                f.write(f"  unsigned x[{a}], y[{b}];\n  load_registers(x, p);\n"
                        "#pragma unroll 1\n  for (int i = 0; i < n; i++) {\n")
                sync = " __syncwarp();" if memory else ""
                f.write(f"    {call('there', 'x', 'y', shared[0])}{sync}\n    add_one<{l['bits']}>(y);\n")
                f.write(f"    {call('back', 'y', 'x', shared[1])}{sync}\n    add_one<{l['bits']}>(x);\n")
                f.write("  }\n  store_registers(x, q);\n}\n")
            f.write("\nint main(int argc, char** argv) {\n  const Loop loops[] = {\n")
            for l in loops:
                counts = ", ".join(f"{l['there'][k] + l['back'][k]}" for k in
                                   ("shuffles", "selects", "permutes", "logic", "shared_wavefronts"))
                f.write(f'    {{"{l["name"]}", (const void*){l["name"]}_loop, {registers[l["name"], "there"]}, {l["bits"]}, '
                        f'{l["there"]["cycles"] + l["back"]["cycles"]}, {{{counts}}}, {self.copied_lanes(l["from"])}u}},\n')
            f.write("  };\n  return time_loops(loops, sizeof loops / sizeof *loops, argc, argv);\n}\n")

    @staticmethod
    def words_of(assignment):
        for row in assignment.split("; "):
            name, terms = row.split(": ")
            if name == "register":
                return 1 << (0 if terms == "-" else len(terms.split()))
        return 1

    @staticmethod
    def copied_lanes(assignment):
        terms = assignment.split("thread: ")[1].split()
        return sum(1 << n for n, t in enumerate(reversed(terms)) if t == "[unused]")

    def whole_kernels(self):
        """Kernels from global memory to global memory, in several variants each, and variants.h, which lists them."""
        transposes, headers = [], []
        half = ["--type", "f16", "--element", "unsigned short", "--from-axes", "i j", "--to-axes", "j i"]

        def transpose(name, threads, a, b, *arguments):
            self.plan(*half, "--name", name, "--from", a, "--to", b, *arguments, "--global", self.path(name + ".cuh"))
            transposes.append((name, threads))
            headers.append(name)

        # Neither side has a bit of the other in its registers: elements travel one by one.
        transpose("half64", 128, "simd: j0; register: i5 i4 j2 j1; thread: i1 i0 j5 j4 j3; warp: i3 i2",
                  "simd: i0; register: j5 j4 i2 i1; thread: j1 j0 i5 i4 i3; warp: j3 j2")
        half64 = ("simd: j0; register: i5 i4 j2 j1; thread: i1 i0 j5 j4 j3; warp: i3 i2",
                  "simd: i0; register: j5 j4 i2 i1; thread: j1 j0 i5 i4 i3; warp: j3 j2")
        for group in (1, 16):
            transpose(f"half64g{group}", 128, *half64, "--tile-group", str(group))
        # Rows of 256 bytes on both sides, in two numbers of registers.
        transpose("half128", 256, "simd: j0; register: i6 i1 i0 j2 j1; thread: i2 j6 j5 j4 j3; warp: i5 i4 i3",
                  "simd: i0; register: j6 j1 j0 i2 i1; thread: j2 i6 i5 i4 i3; warp: j5 j4 j3")
        transpose("half128w16", 512, "simd: j0; register: i1 i0 j2 j1; thread: i2 j6 j5 j4 j3; warp: i6 i5 i4 i3",
                  "simd: i0; register: j1 j0 i2 i1; thread: j2 i6 i5 i4 i3; warp: j6 j5 j4 j3")
        # 256 bytes on one side only.
        transpose("half64x128", 256, "simd: j0; register: i1 i0 j2 j1; thread: i2 j6 j5 j4 j3; warp: i5 i4 i3",
                  "simd: i0; register: j1 j0 i2 i1; thread: j3 j2 i5 i4 i3; warp: j6 j5 j4")
        transpose("half128x64", 128, "simd: j0; register: i6 i5 i4 j2 j1; thread: i1 i0 j5 j4 j3; warp: i3 i2",
                  "simd: i0; register: j5 j4 j3 i2 i1; thread: j0 i6 i5 i4 i3; warp: j2 j1")
        # Both sides have squares of 4 x 4 elements: they travel in accesses of 16 bytes.
        transpose("quads64", 128, "simd: j0; register: i1 i0 j2 j1; thread: i3 i2 j5 j4 j3; warp: i5 i4",
                  "simd: i0; register: j1 j0 i2 i1; thread: j3 j2 i5 i4 i3; warp: j5 j4")
        # One warp a tile.
        transpose("warp64", 128, "simd: j0; register: i5 i4 i1 i0 j2 j1; thread: i3 i2 j5 j4 j3",
                  "simd: i0; register: j5 j4 j1 j0 i2 i1; thread: j3 j2 i5 i4 i3", "--warps-of-a-block", "4")
        self.plan("--type", "f32", "--element", "float", "--from-axes", "i ReIm", "--to-axes", "ReIm i", "--name", "apart",
                  "--from", "register: i6 i0 ReIm; thread: i5 i4 i3 i2 i1", "--to",
                  "register: i6 i1 i0; thread: ReIm i5 i4 i3 i2", "--global", self.path("apart.cuh"))
        headers.append("apart")
        structures = {}
        for words in (3, 4, 7):
            variants = [("", []), ("w", ["--access-bytes", "4"])]
            for suffix, arguments in variants:
                for name, back in ((f"fields{words}{suffix}", []), (f"structures{words}{suffix}", ["--to-structures"])):
                    self.plan("--structures", str(words), *back, "--name", name, *arguments, "--global", self.path(name + ".cuh"))
                    headers.append(name)
                structures.setdefault(words, []).append((f"fields{words}{suffix}", f"structures{words}{suffix}"))
        with open(self.path("variants.h"), "w") as f:
            f.write("#pragma once\n\n" + "".join(f'#include "{h}.cuh"\n' for h in headers))
            f.write("\n#define TRANSPOSES(use) " + " ".join(f"use({n}, {t})" for n, t in transposes) + "\n")
            for words, names in structures.items():
                f.write(f"#define STRUCTURES_OF_{words}(use) " + " ".join(f"use({a}, {b})" for a, b in names) + "\n")

    def write(self, pair_count, workers, only_global=False):
        os.makedirs(self.out, exist_ok=True)
        for f in ("run.py", "loops.h", "constants.cu", "global.cu", "triton_pairs.py"):
            shutil.copy(os.path.join(HERE, f), self.out)
        self.whole_kernels()
        if only_global:
            return
        # Crossover of shuffles and shared memory: m bits of R registers exchanged with lane bits.
        sets = []
        for bits, simd in ((32, 0), (16, 1), (8, 2)):
            for r in range(1, 8):
                for m in range(1, min(5, r) + 1):
                    regs = [f"a{n}" for n in range(r)]
                    lanes = [f"b{n}" for n in range(5)]
                    to_regs, to_lanes = lanes[:m] + regs[m:], regs[:m] + lanes[m:]
                    row = lambda v: " ".join(reversed(v))
                    s = "".join(f" s{n}" for n in reversed(range(simd)))
                    head = f"simd:{s}; " if simd else ""
                    sets.append((f"cross_{bits}_m{m}_R{1 << r}", bits, f"{head}register: {row(regs)}; thread: {row(lanes)}",
                                 f"{head}register: {row(to_regs)}; thread: {row(to_lanes)}"))
        jobs = [("loops", f"cross_{k}", sets[k::6], False) for k in range(6)]
        # The published set, both widths and sizes.
        sets = []
        for bits in (32, 16):
            for size in (5, 6):
                for a in range(14):
                    for b in range(a):
                        simd = 1 if bits == 16 else 0
                        sets.append((f"set_{bits}_{1 << size}_{b}_{a}", bits, blocked(LAYOUTS[b], size, simd),
                                     blocked(LAYOUTS[a], size, simd)))
        jobs += [("loops", f"set_{k:02}", sets[k::24], True) for k in range(24)]
        jobs += [("batch", *j) for j in self.pairs(pair_count, 25)]
        with ThreadPoolExecutor(workers) as pool:
            def work(j):
                if j[0] == "loops":
                    self.loops(*j[1:])
                else:
                    self.batch(j[1], j[2], *j[3])
            list(pool.map(work, jobs))
        for f in os.listdir(self.out):
            if f.endswith(".toml"):
                os.remove(self.path(f))
        archive = self.out + ".tar.xz"
        subprocess.run(["tar", "-C", os.path.dirname(self.out), "-cJf", archive, os.path.basename(self.out)], check=True)
        size = sum(os.path.getsize(self.path(f)) for f in os.listdir(self.out))
        print(f"{archive}: {os.path.getsize(archive) / 2**20:.1f} MiB, of {len(os.listdir(self.out))} files and "
              f"{size / 2**20:.1f} MiB")


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--lanescope", default="build/default/lanescope")
    a.add_argument("--out", default="build/gpu_convert")
    a.add_argument("--pairs", type=int, default=1000)
    a.add_argument("--workers", type=int, default=2)
    a.add_argument("--only-global", action="store_true", help="write the whole kernels and their program only")
    o = a.parse_args()
    Pack(os.path.abspath(o.lanescope), os.path.abspath(o.out)).write(o.pairs, o.workers, o.only_global)
